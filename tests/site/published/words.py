"""What a page and what a mirror say, as words: each read by a parser that the site does not use.

A formula is one word, its LaTeX. Left out is what only one of the two can have: permalinks and
the marks of footnotes, the trail of a page, and a mirror's line about where its page is.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from selectolax.lexbor import LexborHTMLParser, LexborNode

CHROME = ".anchor, .trail, .footnote-ref, .footnote-backref, [hidden]"
WORD = re.compile(r"\w+")
READER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(dollarmath_plugin, allow_labels=False)
)


def words(text: str) -> list[str]:
    return WORD.findall(text)


def formula(latex: str | None) -> str:
    return f"${''.join((latex or '').split())}$"


def of_page(html: str) -> list[str]:
    """The words of `<main>`, in their order."""
    (main,) = LexborHTMLParser(html).css("main")
    for node in main.css(CHROME):
        node.decompose()
    return list(of_node(main))


def of_node(node: LexborNode) -> Iterator[str]:
    if node.tag == "math":
        yield formula(node.attributes.get("alttext"))
    elif node.tag == "img":
        yield from words(node.attributes.get("alt") or "")
    elif node.tag == "-text":
        yield from words(node.text())
    else:
        for child in node.iter(include_text=True):
            yield from of_node(child)


def of_mirror(markdown: str) -> list[str]:
    """The words of a mirror, in their order."""
    return list(of_tokens(without_pointers(READER.parse(markdown))))


def without_pointers(tokens: list[Token]) -> Iterator[Token]:
    """All but the paragraph that leads to the page and to the index."""
    for token in tokens:
        if token.type == "inline" and "/llms.txt>" in token.content:
            continue
        yield token


def of_tokens(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type.startswith("math"):
            yield formula(token.content)
        elif token.type in {"text", "code_inline", "fence", "code_block"}:
            yield from words(token.content)
        elif token.children:
            yield from of_tokens(token.children)


def unsaid(said: list[str], heard: list[str]) -> Counter[str]:
    """What is said in the one and not, or less often, in the other."""
    return Counter(said) - Counter(heard)


def in_order(one: list[str], other: list[str]) -> float:
    """Share of the words that both have in the same order."""
    matches = SequenceMatcher(a=one, b=other, autojunk=False).get_matching_blocks()
    return sum(match.size for match in matches) / max(len(one), len(other))
