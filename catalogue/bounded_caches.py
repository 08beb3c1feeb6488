"""Caches with a limited size in bytes. No framework is imported here.

A limited number of entries does not limit the memory of a cache whose values are texts of editors.
These caches count the bytes of keys and values, and drop the least recently used entry.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, update_wrapper, wraps
from sys import getsizeof
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")

MEGABYTE = 1 << 20
LARGE_ARGUMENT = 256
"""Characters or bytes above which a key has the digest of an argument, to save memory."""
MAX_SHORT_TEXT_CHARACTERS, MAX_SHORT_TEXTS = 1024, 2048
"""Limits of `cache_short_texts`: characters of a text, and the number of texts."""
ENTRY_OVERHEAD_BYTES = 400
"""Bytes of an entry in addition to its value: its key, and its places in two tables."""


class BoundedCache(Generic[Parameters, Value]):
    """A function with a cache of its results, limited in bytes and shared by threads.

    Arguments are hashable values, such as `str` and `bytes`. A result that is larger than an eighth
    of the budget is not cached.
    """

    def __init__(
        self,
        function: Callable[Parameters, Value],
        budget: int,
        size: Callable[[Value], int],
    ) -> None:
        self.function, self.budget, self.size = function, budget, size
        self.entries: OrderedDict[Any, tuple[Value, int]] = OrderedDict()
        self.bytes = 0
        self.lock = Lock()
        update_wrapper(self, function)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Value:
        key = tuple(map(cache_key, (*args, *kwargs.items())))
        with self.lock:
            if key in self.entries:
                self.entries.move_to_end(key)
                return self.entries[key][0]
        value = self.function(*args, **kwargs)
        self.store(key, value)
        return value

    def store(self, key: Any, value: Value) -> None:
        size = ENTRY_OVERHEAD_BYTES + self.size(value)
        if size > self.budget // 8:
            return
        with self.lock:
            if key not in self.entries:
                self.entries[key] = value, size
                self.bytes += size
            while self.bytes > self.budget:
                _, (_, freed) = self.entries.popitem(last=False)
                self.bytes -= freed

    def cache_clear(self) -> None:
        with self.lock:
            self.entries.clear()
            self.bytes = 0


def cache_within_budget(
    budget: int, size: Callable[[Any], int] = getsizeof
) -> Callable[[Callable[Parameters, Value]], BoundedCache[Parameters, Value]]:
    """Decorate a function with a cache of `budget` bytes; `size` returns the bytes of a result."""
    return lambda function: BoundedCache(function, budget, size)


def cache_short_texts(function: Callable[[str], Value]) -> Callable[[str], Value]:
    """Decorate a function with a cache of the results for short texts, such as titles and labels.

    It is ten times as fast as `cache_within_budget`. Its size is limited, too, because the length
    and the number of its texts are.
    """
    short = lru_cache(maxsize=MAX_SHORT_TEXTS, typed=True)(function)

    @wraps(function)
    def wrapper(text: str) -> Value:
        return short(text) if len(text) <= MAX_SHORT_TEXT_CHARACTERS else function(text)

    return wrapper


def cache_key(argument: Any) -> Any:
    """Return the key for an argument: the argument itself, or the digest of a long text."""
    if isinstance(argument, str | bytes) and len(argument) > LARGE_ARGUMENT:
        data = argument.encode("utf-8", "surrogatepass") if isinstance(argument, str) else argument
        return type(argument), hashlib.blake2b(data, digest_size=16).digest()
    return argument
