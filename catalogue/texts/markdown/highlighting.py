"""Highlighting of code: tokens are in `<span class>`, with few classes for the stylesheet.

The time of a lexer's patterns grows with the square of the code, and they cannot be interrupted. So
only the languages below are highlighted, whose lexers were tested with hostile code of the greatest
length. Longer code is not highlighted.
"""

import html
from functools import cache, lru_cache
from itertools import groupby

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Literal,
    Name,
    Operator,
    _TokenType,
)
from pygments.util import ClassNotFound

from catalogue.texts import limits

# Other tokens get no class.
TOKEN_CLASSES = {
    Comment: "c",
    Generic.Prompt: "c",
    Keyword: "k",
    Operator.Word: "k",
    Literal.String: "s",
    Literal.Number: "m",
    Name.Class: "nf",
    Name.Decorator: "nf",
    Name.Function: "nf",
    Name.Attribute: "nt",
    Name.Tag: "nt",
    Generic.Deleted: "gd",
    Generic.Inserted: "gi",
}

LEXER_NAMES = {
    *("bash", "c", "cmake", "console", "cpp", "css", "dart", "diff", "docker", "glsl", "go"),
    *("graphql", "groovy", "haskell", "html", "http", "ini", "java", "javascript", "json", "jsx"),
    *("julia", "kotlin", "lua", "make", "markdown", "matlab", "nginx", "objective-c", "octave"),
    *("perl", "php", "powershell", "properties", "protobuf", "pycon", "python", "ruby", "rust"),
    *("scala", "scss", "splus", "sql", "swift", "tex", "text", "toml", "tsx", "typescript"),
    *("xml", "yaml"),
}
"""The first short names of the lexers; editors may write their other names, too."""

MAX_LANGUAGE_NAME_CHARACTERS = 50
"""A limit that no name of a lexer reaches."""


@lru_cache(maxsize=512)
def highlight_code(code: str, language: str) -> str:
    """Highlight escaped code; long code and code in an unknown language is returned unchanged."""
    source = html.unescape(code)
    is_allowed = len(source) <= limits.CODE_LENGTH and len(language) <= MAX_LANGUAGE_NAME_CHARACTERS
    lexer = _find_lexer(language) if is_allowed else None
    if lexer is None:
        return code
    tokens = [(token_class(kind), text) for _, kind, text in lexer.get_tokens_unprocessed(source)]
    # Lexers of terminal sessions drop lines that look like neither a prompt nor its output.
    if "".join(text for _, text in tokens) != source:
        return code
    runs = groupby(tokens, lambda token: token[0])
    return "".join(_token_html(name, "".join(text for _, text in run)) for name, run in runs)


@cache
def token_class(kind: _TokenType | None) -> str:
    if kind is None:
        return ""
    return TOKEN_CLASSES.get(kind) or token_class(kind.parent)


@lru_cache(maxsize=512)
def _find_lexer(language: str) -> Lexer | None:
    try:
        lexer: Lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return None
    return lexer if LEXER_NAMES.intersection(lexer.aliases[:1]) else None


def _token_html(name: str, text: str) -> str:
    escaped = html.escape(text, quote=False)
    return f'<span class="{name}">{escaped}</span>' if name else escaped
