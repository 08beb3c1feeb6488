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
INLINE = {
    *("a", "abbr", "b", "bdi", "cite", "code", "del", "em", "i", "kbd", "mark", "q", "s"),
    *("small", "span", "strong", "sub", "sup", "time"),
}
MARKS = {"em", "strong", "s", "link", "footnote"}
"""Elements, and marks of Markdown, that may begin or end inside a word."""
FORMULA = "\ue000{}\ue001"
WORD = re.compile(r"\ue000[^\ue001]*\ue001|\w+|[%°±×÷≈≠≤≥=+−→√∑∞]")
READER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(dollarmath_plugin, allow_labels=False)
)


def words(pieces: Iterable[str]) -> list[str]:
    """The words of a text in pieces; a formula is one of its pieces."""
    return WORD.findall("".join(pieces))


def formula(latex: str | None) -> str:
    return FORMULA.format("".join((latex or "").split()))


def of_page(html: str) -> list[str]:
    """The words of `<main>`, in their order."""
    (main,) = LexborHTMLParser(html).css("main")
    for node in main.css(CHROME):
        node.decompose()
    return words(of_node(main))


def of_node(node: LexborNode) -> Iterator[str]:
    apart = "" if node.tag in INLINE else " "
    yield apart
    if node.tag == "math":
        yield formula(node.attributes.get("alttext"))
    elif node.tag == "img":
        yield node.attributes.get("alt") or ""
    for child in () if node.tag == "math" else node.iter(include_text=True):
        yield from [child.text()] if child.tag == "-text" else of_node(child)
    yield apart


def of_mirror(markdown: str) -> list[str]:
    """The words of a mirror, in their order."""
    return words(of_tokens(without_pointers(READER.parse(markdown))))


def without_pointers(tokens: list[Token]) -> Iterator[Token]:
    """All but the paragraph that leads to the page and to the index."""
    return (t for t in tokens if not (t.type == "inline" and "/llms.txt>" in t.content))


def of_tokens(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type.startswith("math"):
            yield formula(token.content)
        elif token.type in {"text", "code_inline", "fence", "code_block"}:
            yield token.content
        elif token.children:
            yield from of_tokens(token.children)
        elif token.type.partition("_")[0] not in MARKS:
            yield " "


def unsaid(said: list[str], heard: list[str]) -> Counter[str]:
    """What is said in the one and not, or less often, in the other."""
    return Counter(said) - Counter(heard)


def in_order(one: list[str], other: list[str]) -> float:
    """Share of the words that both have in the same order."""
    matches = SequenceMatcher(a=one, b=other, autojunk=False).get_matching_blocks()
    return sum(match.size for match in matches) / max(len(one), len(other))
