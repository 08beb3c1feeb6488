"""Digests of the inputs of documents: a document with an equal digest need not be rendered again.

A digest covers the subject, the `Context` except its moment, which only selects subjects, the
program and the installed packages. No framework is imported here.
"""

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent.parent
HASHED_PACKAGES = ("catalogue", "api", "site_mirror")
FOLDERS_OF_NO_DOCUMENT = frozenset({"__pycache__", "migrations", "management", "admin", "static"})

DIGEST_ATTRIBUTE = "known_digest"
"""Attribute of a row on which its digest is stored."""

ORJSON_OPTIONS = orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_NON_STR_KEYS


def digest(*values: Any) -> str:
    """Return 128 bits in hexadecimal, which depend on the types and the order of values."""
    encoded = orjson.dumps(values, default=jsonable, option=ORJSON_OPTIONS)
    return hashlib.blake2b(encoded, digest_size=16).hexdigest()


def jsonable(value: Any) -> Any:
    """Convert a value to types of JSON, with the name of its own type."""
    content: Any
    if isinstance(value, tuple):  # First, because most values are the titles of posts.
        content = [*value]
    elif isinstance(value, Struct):
        content = [getattr(value, name) for name in value.__struct_fields__]
    elif hasattr(value, "_meta"):
        content = row_values(value)
    elif isinstance(value, str):
        content = str(value)
    elif isinstance(value, Mapping):
        content = list(value.items())
    elif isinstance(value, bytes):
        content = hashlib.blake2b(value, digest_size=16).hexdigest()
    elif isinstance(value, set | frozenset):
        content = sorted(value)
    elif isinstance(value, Iterable):
        content = list(value)
    else:
        content = repr(value)
    return type(value).__name__, content


def set_digest(row: Any, known: str) -> None:
    """Store the digest of a row on it, so that it is computed once."""
    setattr(row, DIGEST_ATTRIBUTE, known)


def row_values(row: Any) -> str | dict[str, Any]:
    """Return all values that were read of a row, including prefetched rows, or its known digest.

    Keys are left out, because they differ between databases with the same content. So is the state
    that Django adds, also when a row is pickled for another process.
    """
    if known := vars(row).get(DIGEST_ATTRIBUTE):
        return str(known)
    keys = key_fields_of(row._meta.model)
    return {name: value for name, value in vars(row).items() if name not in keys}


@cache
def key_fields_of(model: Any) -> frozenset[str]:
    fields = model._meta.concrete_fields
    keys = {field.attname for field in fields if field.primary_key or field.is_relation}
    return frozenset(keys | {"_state", "_django_version"})


@cache
def program_digest() -> str:
    """Return a digest of the code, the templates, the labels and the versions of all packages."""
    program = hashlib.blake2b(digest(sys.version, installed_packages()).encode(), digest_size=16)
    for path in source_files():
        body = path.read_bytes()
        program.update(f"{path.relative_to(ROOT)} {len(body)} ".encode())
        program.update(body)
    return program.hexdigest()


def installed_packages() -> list[str]:
    """Return the names and versions of the packages in all folders of Python's path."""
    folders = {Path(name) for name in sys.path if name}
    return sorted(path.name for folder in folders for path in folder.glob("*.dist-info"))


def source_files() -> list[Path]:
    return sorted(
        path for package in HASHED_PACKAGES for path in source_files_below(ROOT / package)
    )


def source_files_below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that documents may depend on."""
    for name, folders, inside in os.walk(folder):
        folders[:] = set(folders) - FOLDERS_OF_NO_DOCUMENT
        paths = (Path(name, file) for file in inside if "." in file)
        yield from (path for path in paths if path.suffix != ".pyc" and path.is_file())
