"""Directives of Caddy, written down as a Caddyfile."""

from collections.abc import Iterable, Mapping, Sequence

INDENT = "\t"


def quoted(text: str) -> str:
    """A text that Caddy takes literally: braces would stand for a placeholder."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("{", "\\{")
    return f'"{escaped}"'


def directive(*words: str) -> str:
    return " ".join(words)


def block(opening: str, lines: Iterable[str]) -> list[str]:
    return [f"{opening} {{".lstrip(), *(f"{INDENT}{line}" for line in lines), "}"]


def headers(values: Mapping[str, str], where: str = "") -> list[str]:
    """Headers of every answer, or of those that a named condition meets."""
    rows = [directive(name, quoted(value)) for name, value in values.items()]
    return block(directive("header", where).strip(), rows)


def matcher(name: str, expression: str) -> str:
    """A named condition, in CEL."""
    return f"@{name} expression `{expression}`"


def text(*parts: Sequence[str]) -> bytes:
    return ("\n\n".join("\n".join(part) for part in parts) + "\n").encode()
