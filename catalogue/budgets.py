"""Caches with a budget in bytes. No framework is imported here.

A number of entries does not bound the memory of a cache whose values are texts of editors. These
caches count the bytes of keys and values, and drop the entry that was used least recently.
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
LARGE = 256
"""Characters or bytes above which the digest of an argument is its key, so that keys are small."""
SHORT_TEXT, SHORT_TEXTS = 1024, 2048
"""Characters of the longest text that `remembered_if_short` remembers, and the number of texts."""
OVERHEAD = 400
"""Bytes of an entry beside its value: its key, a row of the table, the order of use."""


class Remembered(Generic[Parameters, Value]):
    """A function that remembers results until they exceed a number of bytes; threads share it.

    Arguments are hashable values, such as `str` and `bytes`. A result that is larger than an eighth
    of the budget is not kept.
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
        key = tuple(map(key_of, (*args, *kwargs.items())))
        with self.lock:
            if key in self.entries:
                self.entries.move_to_end(key)
                return self.entries[key][0]
        value = self.function(*args, **kwargs)
        self.keep(key, value)
        return value

    def keep(self, key: Any, value: Value) -> None:
        size = OVERHEAD + self.size(value)
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


def remembered(
    budget: int, size: Callable[[Any], int] = getsizeof
) -> Callable[[Callable[Parameters, Value]], Remembered[Parameters, Value]]:
    """A decorator; `budget` is in bytes, and `size` returns the bytes of a result."""
    return lambda function: Remembered(function, budget, size)


def remembered_if_short(function: Callable[[str], Value]) -> Callable[[str], Value]:
    """A decorator that remembers the results of short texts, such as titles and labels.

    It is ten times as fast as `remembered`, and bounded as well: its texts have a bounded length.
    """
    short = lru_cache(maxsize=SHORT_TEXTS, typed=True)(function)

    @wraps(function)
    def wrapper(text: str) -> Value:
        return short(text) if len(text) <= SHORT_TEXT else function(text)

    return wrapper


def key_of(argument: Any) -> Any:
    """A key for an argument: the argument itself, or the digest of a long text."""
    if isinstance(argument, str | bytes) and len(argument) > LARGE:
        data = argument.encode("utf-8", "surrogatepass") if isinstance(argument, str) else argument
        return type(argument), hashlib.blake2b(data, digest_size=16).digest()
    return argument
