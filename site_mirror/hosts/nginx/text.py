"""The syntax of nginx's configuration."""

from collections.abc import Iterable, Mapping, Sequence

INDENT = "    "
DOLLAR = "${dollar}"
"""A variable whose value is `$`: nginx has no other way to write it in a text."""


def quote(text: str, *, then: str = "") -> str:
    """Quote a text so that nginx takes it literally; `then` is a variable to append."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped.replace("$", DOLLAR)}{then}"'


def map_key(text: str) -> str:
    """Quote a source value of a map so that it is neither a pattern nor a keyword."""
    literal = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"\\{literal}"' if text in KEYWORDS else f'"{literal}"'


KEYWORDS = ("default", "hostnames", "volatile", "include")


def directive(*words: str) -> str:
    return f"{' '.join(words)};"


def block_lines(opening: str, lines: Iterable[str]) -> list[str]:
    """Return indented lines in braces."""
    return [f"{opening} {{", *(f"{INDENT}{line}" for line in lines), "}"]


def map_block(
    source: str, variable: str, values: Mapping[str, str], *, default: str = '""'
) -> list[str]:
    """Return a map from texts to texts; `default` is not quoted."""
    rows = [directive(map_key(text), quote(value)) for text, value in values.items()]
    return block_lines(f"map {source} ${variable}", [directive("default", default), *rows])


def header_lines(values: Mapping[str, str]) -> list[str]:
    """Return directives for headers of all responses of a location, errors included."""
    return [header_line(name, quote(value)) for name, value in values.items()]


def header_line(name: str, value: str) -> str:
    return directive("add_header", name, value, "always")


def media_type_lines(value: str) -> list[str]:
    """Return directives for a media type that does not depend on the name of the file."""
    return ["types {}", directive("default_type", quote(value))]


def join_blocks(*parts: Sequence[str]) -> bytes:
    """Return the bytes of a file, with an empty line between two parts."""
    return ("\n\n".join("\n".join(part) for part in parts) + "\n").encode()
