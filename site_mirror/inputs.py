"""What a document is made of, as a digest: while it stays, the document need not be rendered.

It covers the subject, what surrounds it (`Context`, but for the moment, which only decides what
is a subject), the program and the packages that it stands on. No framework is imported here.
"""

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("catalogue", "api", "site_mirror")
OF_NO_DOCUMENT = frozenset({"__pycache__", "migrations", "management", "admin", "static"})

KNOWN = "known_inputs"

LAYOUT = (
    orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_NON_STR_KEYS
)


def digest(*values: Any) -> str:
    """Hexadecimal, 128 bits, of values that are told apart by type and order."""
    told = orjson.dumps(values, default=plain, option=LAYOUT)
    return hashlib.blake2b(told, digest_size=16).hexdigest()


def plain(value: Any) -> Any:
    """A value as JSON can tell it, with the name of its type."""
    told: Any
    if (names := members(value.__class__)) is not None:
        told = [getattr(value, name) for name in names]
    elif hasattr(value, "_meta"):
        told = row(value)
    elif isinstance(value, str):
        told = str(value)
    elif isinstance(value, Mapping):
        told = list(value.items())
    elif isinstance(value, bytes):
        told = hashlib.blake2b(value, digest_size=16).hexdigest()
    elif isinstance(value, set | frozenset):
        told = sorted(value)
    elif isinstance(value, Iterable):
        told = list(value)
    else:
        told = repr(value)
    return type(value).__name__, told


@cache
def members(kind: Any) -> list[str] | None:
    """What a value of the program is compared by; none of another type."""
    if issubclass(kind, Struct):
        return [*kind.__struct_fields__]
    return [part.name for part in fields(kind) if part.compare] if is_dataclass(kind) else None


def know(found: Any, told: str) -> None:
    """Tell a row by a digest of all that has been read of it: it is not looked at again."""
    setattr(found, KNOWN, told)


def row(found: Any) -> str | dict[str, Any]:
    """Everything that has been read of a row, the rows that belong to it included.

    Keys are left out: they differ between databases that say the same. So is what a row brings
    along from another process.
    """
    if known := vars(found).get(KNOWN):
        return str(known)
    keys = keys_of(found._meta.model)
    return {name: value for name, value in vars(found).items() if name not in keys}


@cache
def keys_of(model: Any) -> frozenset[str]:
    fields = model._meta.concrete_fields
    keys = {field.attname for field in fields if field.primary_key or field.is_relation}
    return frozenset(keys | {"_state", "_django_version"})


@cache
def program() -> str:
    """A digest of the code, the templates, the labels and the versions of all packages."""
    found = hashlib.blake2b(digest(sys.version, packages()).encode(), digest_size=16)
    for path in sources():
        body = path.read_bytes()
        found.update(f"{path.relative_to(ROOT)} {len(body)} ".encode())
        found.update(body)
    return found.hexdigest()


def packages() -> list[str]:
    """The names and versions of what is installed, wherever Python looks for it."""
    folders = {Path(name) for name in sys.path if name}
    return sorted(path.name for folder in folders for path in folder.glob("*.dist-info"))


def sources() -> list[Path]:
    return sorted(path for package in PACKAGES for path in files(ROOT / package))


def files(folder: Path) -> Iterator[Path]:
    """Those that documents are made of."""
    for name, folders, inside in os.walk(folder):
        folders[:] = set(folders) - OF_NO_DOCUMENT
        paths = (Path(name, file) for file in inside if "." in file)
        yield from (path for path in paths if path.suffix != ".pyc" and path.is_file())
