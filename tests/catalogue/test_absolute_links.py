"""Every relative link of a text becomes absolute, and nothing else changes."""

import re
from urllib.parse import urljoin

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from catalogue.texts.markdown import link_targets, with_absolute_links, with_targets
from catalogue.texts.markdown.source import read

S = "https://studio.example"
PAGE = f"{S}/blog/a-post"

LINKS = [
    ("[a](stashio)", f"[a]({S}/blog/stashio)"),
    ("[a](../about)", f"[a]({S}/about)"),
    ("[a](?x=1)", f"[a]({PAGE}?x=1)"),
    ("[a](#part)", f"[a]({PAGE}#text_part)"),
    ("[a](//other.example/b)", "[a](https://other.example/b)"),
    (r"[a](//other.example/b\)c)", r"[a](https://other.example/b\)c)"),
    ("[a](</a b>)", f"[a](<{S}/a b>)"),
    ("[a](/b 'title')", f"[a]({S}/b 'title')"),
    ("[a](\n/b)", f"[a](\n{S}/b)"),
    ("[a](/b(c)d)", f"[a]({S}/b(c)d)"),
    (r"[a](/b\)c)", rf"[a]({S}/b\)c)"),
    (r"[a](\/b)", rf"[a]({S}\/b)"),
    (r"[a](b\)c)", rf"[a]({S}/blog/b\)c)"),
    ("[a](/b?c&amp;d)", f"[a]({S}/b?c&amp;d)"),
    ("[![a](/b.svg)](/c)", f"[![a]({S}/b.svg)]({S}/c)"),
    ("[a][r]\n\n[r]:\n  /about 'title'", f"[a][r]\n\n[r]:\n  {S}/about 'title'"),
    ("> [r]\n>\n> [r]:\n> /about", f"> [r]\n>\n> [r]:\n> {S}/about"),
    ("- [r]\n\n[r]: <about>\n\nb", f"- [r]\n\n[r]: <{S}/blog/about>\n\nb"),
    ("[x]:\n```\n[a](/b)\n```\n[c](/d)", f"[x]:\n```\n[a](/b)\n```\n[c]({S}/d)"),
    ("[a](_b_ c) and [d](/e)", f"[a](_b_ c) and [d]({S}/e)"),
]
SAME = [
    "[a](https://other.example/b) [c](mailto:a@b.example) <https://other.example>",
    r"\[a](/b) [a]\(/b)",
    "[a] (/b)",
    "<a href='/b'>c</a>",
    "[a](javascript:b)",
    "[a]()",
    "[a](//[)",
    "[a](/b c)",
    "See [a]: /b in a sentence.",
]


@pytest.mark.parametrize(("typed", "expected"), LINKS)
def test_a_relative_link_becomes_absolute(typed: str, expected: str) -> None:
    assert with_absolute_links(typed, PAGE, "text_") == expected


@pytest.mark.parametrize("text", SAME)
def test_a_text_without_relative_links_is_unchanged(text: str) -> None:
    assert with_absolute_links(text, PAGE) == text


def make_absolute(target: str) -> str:
    if not target or re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", target):
        return target
    try:
        return urljoin(PAGE, target)
    except ValueError:
        return target


PIECES = [
    *("[a](/b)", "[a](b)", "[a](#c)", "![d](/e)", "[f](</g h>)", "[i](/j 'k')", "[r]", "[a][r]"),
    *("\n\n[r]: /l\n\n", "\n[s]:\n/m\n", "`", "``", "$", "$$", "\n```\n", "\n\n    ", "\\", "|"),
    *("\n|a|\n|-|\n|", "[^1]", "\n\n[^1]: ", "\n\n> ", "\n- ", "\n## ", "*", "_", "~~", "<", ">"),
    *("](", "[", "]", "(", ")", "]: ", " ", "\n", "a", "1", "<https://x.example>", "&amp;", '"'),
]


LONG = "words " * 300 + "\n\n"
"""The library expands references only while their addresses are shorter than the text."""


TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map(lambda pieces: LONG + "".join(pieces))


@given(TEXTS)
@example("[a](](/b)[a](_x")
@example("[a](\n- [b](/c)\n[s]:\n```\n[d](/e)")
@settings(max_examples=150)
def test_making_links_absolute_changes_only_their_targets(text: str) -> None:
    rewritten = with_absolute_links(text, PAGE)

    def without_targets(markdown: str) -> str:
        return re.sub(r'(href|src)="[^"]*"', "", read(markdown).html)

    assert link_targets(rewritten) == [make_absolute(target) for target in link_targets(text)]
    assert without_targets(rewritten) == without_targets(text)
    assert with_absolute_links(rewritten, PAGE) == rewritten


@pytest.mark.parametrize(
    "typed",
    [typed for typed, _ in LINKS if "/b" in typed and "\\" not in typed and "&" not in typed],
)
def test_a_target_is_replaced_wherever_it_is_written(typed: str) -> None:
    text = typed.replace("/b", f"{S}/b")
    absolute = [target for target in link_targets(text) if target.startswith(S)]
    new = {target: f"/new{number}" for number, target in enumerate(absolute)}

    assert link_targets(with_targets(text, new)) == [new.get(t, t) for t in link_targets(text)]
