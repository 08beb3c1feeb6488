"""What a document is made of, as a digest: while it stays, the document need not be rendered.

It covers the subject, what surrounds it (`Context`, but for the moment, which only decides what
is a subject), the program and the packages that it stands on. No framework is imported here.
"""

import hashlib
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("catalogue", "api", "site_mirror")
OF_NO_DOCUMENT = frozenset({"__pycache__", "migrations", "management", "admin", "static"})

Hash = Any


def digest(*values: Any) -> str:
    """Hexadecimal, 128 bits, of values that are told apart by type and length."""
    found = hashlib.blake2b(digest_size=16)
    for value in values:
        feed(found.update, value)
    return found.hexdigest()


def feed(update: Callable[[bytes], None], value: Any) -> None:
    kind = type(value)
    if kind is str:
        text = value.encode()
        update(b"s%d:" % len(text))
        update(text)
    elif value is None or kind in PLAIN:
        update(b"p" + repr(value).encode() + b";")
    elif isinstance(value, Mapping):
        feed_all(update, b"m", (part for item in value.items() for part in item))
    elif isinstance(value, set | frozenset):
        feed_all(update, b"u", sorted(value))
    elif is_dataclass(value):
        parts = (getattr(value, part.name) for part in fields(value) if part.compare)
        feed_all(update, kind.__name__.encode(), parts)
    elif hasattr(value, "_meta"):
        feed_row(update, value)
    elif isinstance(value, str):
        feed(update, kind.__name__)
        feed(update, str(value))
    elif isinstance(value, Iterable):
        feed_all(update, b"l", value)
    else:
        update(b"r" + repr(value).encode() + b";")


PLAIN = frozenset({int, float, bool, bytes})


def feed_all(update: Callable[[bytes], None], mark: bytes, values: Iterable[Any]) -> None:
    update(mark + b"(")
    for value in values:
        feed(update, value)
    update(b")")


def feed_row(update: Callable[[bytes], None], row: Any) -> None:
    """Everything that has been read of a row, the rows that belong to it included.

    Keys are left out: they differ between databases that say the same.
    """
    feed(update, type(row).__name__)
    keys = keys_of(row._meta.model)
    for name, value in vars(row).items():
        if name not in keys:
            feed(update, name)
            feed(update, value)


@cache
def keys_of(model: Any) -> frozenset[str]:
    fields = model._meta.concrete_fields
    keys = {field.attname for field in fields if field.primary_key or field.is_relation}
    return frozenset(keys | {"_state"})


@cache
def program() -> str:
    """A digest of the code, the templates, the labels and the versions of all packages."""
    found = hashlib.blake2b(digest_size=16)
    feed(found.update, sys.version)
    feed(found.update, sorted(path.name for path in packages().glob("*.dist-info")))
    for path in sources():
        feed(found.update, str(path.relative_to(ROOT)))
        found.update(path.read_bytes())
    return found.hexdigest()


def packages() -> Path:
    return Path(sysconfig.get_paths()["purelib"])


def sources() -> list[Path]:
    return sorted(
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.*")
        if path.is_file() and OF_NO_DOCUMENT.isdisjoint(path.parts) and path.suffix != ".pyc"
    )
