"""The syntax of a Caddyfile."""

from collections.abc import Iterable, Mapping, Sequence

INDENT = "\t"


def quote(text: str) -> str:
    """Quote a text so that Caddy takes it literally: a brace would begin a placeholder."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("{", "\\{")
    return f'"{escaped}"'


def directive(*words: str) -> str:
    return " ".join(words)


def block_lines(opening: str, lines: Iterable[str]) -> list[str]:
    return [f"{opening} {{".lstrip(), *(f"{INDENT}{line}" for line in lines), "}"]


def header_lines(values: Mapping[str, str], where: str = "") -> list[str]:
    """Return headers of all responses, or of those for which a named condition holds."""
    rows = [directive(name, quote(value)) for name, value in values.items()]
    return block_lines(directive("header", where).strip(), rows)


def matcher_line(name: str, expression: str) -> str:
    """Return a named condition in CEL."""
    return f"@{name} expression `{expression}`"


def join_blocks(*parts: Sequence[str]) -> bytes:
    return ("\n\n".join("\n".join(part) for part in parts) + "\n").encode()
