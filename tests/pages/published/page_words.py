"""The words of a page and of its mirror, each read by a parser that the site does not use.

A formula is one word, its LaTeX. Excluded are permalinks, marks of footnotes, the trail of a page,
and the line of a mirror with the address of its page, because only one of the two has them.
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

EXCLUDED_SELECTOR = ".anchor, .trail, .footnote-ref, .footnote-backref, [hidden]"
INLINE_TAGS = {
    *("a", "abbr", "b", "bdi", "cite", "code", "del", "em", "i", "kbd", "mark", "q", "s"),
    *("small", "span", "strong", "sub", "sup", "time"),
}
INLINE_MARKS = {"em", "strong", "s", "link", "footnote"}
"""Marks of Markdown that may begin or end inside a word, as `INLINE_TAGS` may in HTML."""
FORMULA = "\ue000{}\ue001"
WORD = re.compile(r"\ue000[^\ue001]*\ue001|\w+|[%°±×÷≈≠≤≥=+−→√∑∞]")
READER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(dollarmath_plugin, allow_labels=False)
)


def split_words(pieces: Iterable[str]) -> list[str]:
    """Return the words of a text in pieces; a formula is one piece."""
    return WORD.findall("".join(pieces))


def formula_word(latex: str | None) -> str:
    return FORMULA.format("".join((latex or "").split()))


def words_of_page(html: str) -> list[str]:
    """Return the words of `<main>` in their order."""
    (main,) = LexborHTMLParser(html).css("main")
    for node in main.css(EXCLUDED_SELECTOR):
        node.decompose()
    return split_words(pieces_of_node(main))


def pieces_of_node(node: LexborNode) -> Iterator[str]:
    separator = "" if node.tag in INLINE_TAGS else " "
    yield separator
    if node.tag == "math":
        yield formula_word(node.attributes.get("alttext"))
    elif node.tag == "img":
        yield f"{node.attributes.get('alt') or ''} {node.attributes.get('title') or ''}"
    for child in () if node.tag == "math" else node.iter(include_text=True):
        yield from [child.text()] if child.tag == "-text" else pieces_of_node(child)
    yield separator


def words_of_mirror(markdown: str) -> list[str]:
    """Return the words of a mirror in their order."""
    return split_words(pieces_of_tokens(drop_pointers(READER.parse(markdown))))


def drop_pointers(tokens: list[Token]) -> Iterator[Token]:
    """Yield all tokens except the paragraph with links to the page and to the index."""
    return (t for t in tokens if not (t.type == "inline" and "/llms.txt>" in t.content))


def pieces_of_tokens(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type.startswith("math"):
            yield formula_word(token.content)
        elif token.type in {"text", "code_inline", "fence", "code_block"}:
            yield token.content
        elif token.children:
            yield from pieces_of_tokens(token.children)
            yield f" {token.attrs['title']}" if "title" in token.attrs else ""  # a caption
        elif token.type.partition("_")[0] not in INLINE_MARKS:
            yield " "


def missing_words(words: list[str], other_words: list[str]) -> Counter[str]:
    """Return the words that the other text lacks, or has less often."""
    return Counter(words) - Counter(other_words)


def share_in_order(words: list[str], other_words: list[str]) -> float:
    """Return the share of the words that both texts have in the same order."""
    matches = SequenceMatcher(a=words, b=other_words, autojunk=False).get_matching_blocks()
    return sum(match.size for match in matches) / max(len(words), len(other_words))
