"""Code blocks are coloured, and their text does not change."""

import html
import re

import pytest

from catalogue.texts.markdown import to_html
from catalogue.texts.markdown.highlighting import LEXER_NAMES, TOKEN_CLASSES, highlight_code

PYTHON = "```python\ndef f(x):  # double\n    return x * 2 < 'y'\n```"
SPAN = re.compile(r'</?span(?: class="[a-z]+")?>')


def test_code_is_coloured_by_classes_in_a_block_that_scrolls() -> None:
    assert to_html(PYTHON) == (
        '<pre role="group" tabindex="0" aria-label="Code: python"><code class="language-python">'
        '<span class="k">def</span> <span class="nf">f</span>(x):  <span class="c"># double</span>'
        '\n    <span class="k">return</span> x * <span class="m">2</span> &lt; '
        "<span class=\"s\">'y'</span>\n</code></pre>\n"
    )


@pytest.mark.parametrize(
    ("markdown", "label"),
    [("```json\n{}\n```", "Đoạn mã: json"), ("```\na\n```", "Đoạn mã"), ("    a", "Đoạn mã")],
)
def test_a_block_is_named_in_the_language_of_its_page(markdown: str, label: str) -> None:
    assert f'<pre role="group" tabindex="0" aria-label="{label}">' in to_html(markdown, "vi")


@pytest.mark.parametrize(
    ("language", "code", "span"),
    [
        ("json", '{"a": true}', '<span class="nt">"a"</span>'),
        ("http", "GET / HTTP/1.1\nHost: a", '<span class="nt">Host</span>'),
        ("shell", "# a\ncurl 'b'", "<span class=\"s\">'b'</span>"),
        ("swift", "let a = 1", '<span class="k">let</span>'),
        ("kotlin", "fun a() = 1", '<span class="nf">a</span>'),
        ("html", "<b c='d'>", '<span class="nt">b</span>'),
        ("diff", "+a\n-b", '<span class="gi">+a</span>\n<span class="gd">-b</span>'),
    ],
)
def test_each_language_is_coloured_by_its_own_lexer(language: str, code: str, span: str) -> None:
    assert span in to_html(f"```{language}\n{code}\n```")


@pytest.mark.parametrize("language", ["nonesuch", "a&b", '"x"', "<b>", "text", "adl"])
def test_a_language_whose_lexer_was_not_tried_is_plain(language: str) -> None:
    page = to_html(f'```{language}\ndef f(): "x" & 1\n```')

    assert '>def f(): "x" & 1\n</code></pre>' in html.unescape(page)


NASTY = "<b a='c'>&amp;\t\"d\" \\ {e: [1.5, true]} /* f */ # g\n\n  -- h // đ 日 ${i} %j\n+k\n-l\r"


@pytest.mark.parametrize("language", sorted(LEXER_NAMES))
def test_colours_change_no_character_of_any_language(language: str) -> None:
    marked = highlight_code(html.escape(NASTY), language)

    assert html.unescape(SPAN.sub("", marked)) == NASTY
    assert set(re.findall(r'class="([^"]*)"', marked)) <= set(TOKEN_CLASSES.values())


def test_code_that_a_lexer_shortens_is_not_coloured() -> None:
    assert highlight_code("a\r", "console") == "a\r"
