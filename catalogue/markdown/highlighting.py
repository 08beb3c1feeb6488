"""Code with its tokens in `<span class>`: few classes, so that a stylesheet can colour each."""

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

LONGEST_NAME = 50
"""Characters of the name of a programming language; lexers have shorter ones."""


@remembered(8 * MEGABYTE)
def highlighted(code: str, language: str) -> str:
    """Escaped code with its tokens marked; as it was if the language is unknown."""
    lexer = _lexer(language) if len(language) <= LONGEST_NAME else None
    if lexer is None:
        return code
    source = html.unescape(code)
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
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None


def _span(name: str, text: str) -> str:
    escaped = html.escape(text, quote=False)
    return f'<span class="{name}">{escaped}</span>' if name else escaped
