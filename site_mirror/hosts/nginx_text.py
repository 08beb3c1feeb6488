"""Directives of nginx, written down."""

from collections.abc import Iterable, Mapping, Sequence

INDENT = "    "
DOLLAR = "${dollar}"
"""A variable whose value is `$`, which nginx's texts cannot have otherwise."""


def quoted(text: str, *, then: str = "") -> str:
    """A text that nginx takes literally, and a variable that it puts after it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped.replace("$", DOLLAR)}{then}"'


def key(text: str) -> str:
    """A source value of a map, which never stands for a pattern or a keyword."""
    literal = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"\\{literal}"' if text in KEYWORDS else f'"{literal}"'


KEYWORDS = ("default", "hostnames", "volatile", "include")


def directive(*words: str) -> str:
    return f"{' '.join(words)};"


def block(opening: str, lines: Iterable[str]) -> list[str]:
    """Lines in braces, indented."""
    return [f"{opening} {{", *(f"{INDENT}{line}" for line in lines), "}"]


def mapping(
    source: str, variable: str, values: Mapping[str, str], *, default: str = '""'
) -> list[str]:
    """A map from texts to texts; `default` is written as it stands."""
    rows = [directive(key(text), quoted(value)) for text, value in values.items()]
    return block(f"map {source} ${variable}", [directive("default", default), *rows])


def headers(values: Mapping[str, str]) -> list[str]:
    """Headers of every answer of a location, errors included."""
    return [header(name, quoted(value)) for name, value in values.items()]


def header(name: str, value: str) -> str:
    return directive("add_header", name, value, "always")


def media_type(value: str) -> list[str]:
    """What a location answers with is of this type, whatever its file is called."""
    return ["types {}", directive("default_type", quoted(value))]


def text(*parts: Sequence[str]) -> bytes:
    """A file of several parts, an empty line between two."""
    return ("\n\n".join("\n".join(part) for part in parts) + "\n").encode()
