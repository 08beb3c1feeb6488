"""Code with its tokens in `<span class>`: few classes, so that a stylesheet can colour each.

Patterns of lexers take time that grows with the square of the code, and cannot be interrupted. So
only the languages below are coloured, whose lexers were tried with hostile code of the greatest
length, and longer code is not.
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

from catalogue import limits
from catalogue.budgets import MEGABYTE, remembered

# Every other token is as plain as the code around it.
CLASSES = {
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

LANGUAGES = {
    *("bash", "c", "cmake", "console", "cpp", "css", "dart", "diff", "docker", "glsl", "go"),
    *("graphql", "groovy", "haskell", "html", "http", "ini", "java", "javascript", "json", "jsx"),
    *("julia", "kotlin", "lua", "make", "markdown", "matlab", "nginx", "objective-c", "octave"),
    *("perl", "php", "powershell", "properties", "protobuf", "pycon", "python", "ruby", "rust"),
    *("scala", "scss", "splus", "sql", "swift", "tex", "text", "toml", "tsx", "typescript"),
    *("xml", "yaml"),
}
"""First short names of the lexers that are used; their other names may be used as well."""

LONGEST_NAME = 50
"""Characters of the name of a programming language; lexers have shorter ones."""


@remembered(8 * MEGABYTE)
def highlighted(code: str, language: str) -> str:
    """Escaped code with its tokens marked; as it was if it is long or the language is unknown."""
    source = html.unescape(code)
    may_be_marked = len(source) <= limits.CODE_LENGTH.most and len(language) <= LONGEST_NAME
    lexer = _lexer(language) if may_be_marked else None
    if lexer is None:
        return code
    tokens = [(token_class(kind), text) for _, kind, text in lexer.get_tokens_unprocessed(source)]
    # Lexers of terminal sessions leave out what looks like neither a prompt nor its output.
    if "".join(text for _, text in tokens) != source:
        return code
    runs = groupby(tokens, lambda token: token[0])
    return "".join(_span(name, "".join(text for _, text in run)) for name, run in runs)


@cache
def token_class(kind: _TokenType | None) -> str:
    if kind is None:
        return ""
    return CLASSES.get(kind) or token_class(kind.parent)


@lru_cache(maxsize=512)
def _lexer(language: str) -> Lexer | None:
    try:
        lexer: Lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return None
    return lexer if LANGUAGES.intersection(lexer.aliases[:1]) else None


def _span(name: str, text: str) -> str:
    escaped = html.escape(text, quote=False)
    return f'<span class="{name}">{escaped}</span>' if name else escaped
