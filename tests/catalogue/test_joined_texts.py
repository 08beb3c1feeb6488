"""Texts that are joined in one file of Markdown say what each of them says by itself."""

from itertools import product

import pytest
from comrak import ExtensionOptions, RenderOptions, render_markdown
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.texts.markdown import to_html, with_unique_labels, without_html
from catalogue.texts.markdown.source import read
from site_mirror.gates import joined
from site_mirror.machine import llms
from tests.pages.page_reader import SITE, STUDIO, make_page_summary

OPEN_HTML = (
    *(
        "<!--",
        "a <!-- b",
        "<script>",
        "<pre>",
        "<style>",
        "<textarea>",
        "<?php",
        "<!DOCTYPE",
        "<![CDATA[",
    ),
    *(
        "<div>",
        "- <!--",
        "> <script>",
        "1. <!--\n\n   b",
        "</div",
        "<a href='",
        "a\n<!--",
        "[a]:\n<!--",
    ),
    *(
        "```\n<!--\n```\n<!--",
        "`<!--` <!--",
        "$a<!--b$ <!--",
        r"\<!--",
        r"\\<!--",
        "| a |\n|-|\n| <!-- |",
    ),
)
LABELLED = (
    *(
        "[1]\n\n[1]: /{0}",
        "[Note]\n\n[note]: /{0}",
        "[a][1]\n\n[1]: /{0} 'T'",
        "[1][]\n\n[1]: </{0}>",
    ),
    *(
        "![1]\n\n[1]: /{0}.png",
        "a[^1]\n\n[^1]: note [b](/{0})",
        "a[^n] [n]\n\n[^n]: /{0}\n\n[n]: /{0}",
    ),
    *(
        "`[1]` [1]\n\n[1]: /{0}\n\n    [1]: /x",
        "> [1]\n>\n> [1]: /{0}",
        r"\[1] [1]" + "\n\n[1]: /{0}",
    ),
    *("[1](/{0}) [1]\n\n[1]: /{0}", "[x [1] y](/{0})\n\n[1]: /{0}", "[a\n b]\n\n[A b]: /{0}"),
)


def join(*bodies: str) -> str:
    summaries = [make_page_summary(f"/blog/{number}") for number, _ in enumerate(bodies)]
    mirrors = [
        f"# A post\n\nPage: <{SITE.url(page.address)}>\n\n{without_html(body)}\n".encode()
        for page, body in zip(summaries, bodies, strict=True)
    ]
    return llms.llms_full_txt(SITE, STUDIO, summaries, mirrors).decode()


def render_as_others_do(markdown: str) -> str:
    """Render a text with HTML as HTML, by plain CommonMark."""
    options = RenderOptions()
    options.unsafe_ = True
    return render_markdown(markdown, ExtensionOptions(), render_options=options)


@pytest.mark.parametrize("text", OPEN_HTML)
def test_an_open_element_hides_nothing(text: str) -> None:
    after = "## After\n\n[a link](/after)"
    whole = render_as_others_do(join(text, after, after))

    assert whole.count("<h2>After</h2>") == 2
    assert whole.count('<a href="/after">') == 2
    assert whole.count("<h1>") == 4
    assert [*joined.find_joining_faults("/llms-full.txt", join(text, after).encode())] == []
    assert without_html(without_html(text)) == without_html(text)
    assert to_html(without_html(text)) == to_html(text)


def test_code_formulas_and_addresses_keep_their_brackets() -> None:
    for text in (
        "`<b>`",
        "    <b>",
        "```\n<b>\n```",
        "$a<b$",
        "<https://a.example>",
        "<a@b.example>",
        "[a](<b c>)",
        "a < b",
    ):
        assert without_html(text) == text


@pytest.mark.parametrize(("one", "two"), [*product(LABELLED, repeat=2)])
def test_labels_of_two_texts_stay_their_own(one: str, two: str) -> None:
    texts = [one.format("one"), two.format("two"), "[1] [note] [n] a[^1]"]
    whole = read(join(*texts), with_html=True)
    alone = [target for text in texts for target in read(text).targets]

    assert sorted(each for each in whole.targets if each.startswith("/")) == sorted(alone)
    assert [*joined.find_joining_faults("/llms-full.txt", join(*texts).encode())] == []


PIECES = st.sampled_from(
    [
        *"[]()<>`!^:$*-\\\n a1",
        "[1]",
        "[^1]",
        "[1]: /x\n",
        "\n\n",
        "<!--",
        "<b>",
        "```\n",
        "![1]",
        "[a][1]",
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
@settings(max_examples=300)
def test_a_changed_text_means_the_same(text: str) -> None:
    plain = without_html(text)

    assert to_html(plain) == to_html(text)
    assert without_html(plain) == plain
    made = with_unique_labels(plain, "-p7")
    assert made is None or read(made).targets == read(plain).targets


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("<!--", "has 2 headings of the first level, its texts have 3"),
        ("<!--", "hides the link to /two of the text “Two”"),
        ("[1]: /one", "hides the link to /two of the text “Two”"),
        ("a[^1]\n\n[^1]: b", "has 1 footnotes, its texts have 2"),
    ],
)
def test_the_gate_finds_a_text_that_another_one_changes(fault: str, words: str) -> None:
    file = (
        f"# All\n\n---\n\n# One\n\n{fault}\n\n---\n\n# Two\n\n[1] a[^1]\n\n[1]: /two\n\n[^1]: c\n"
    )
    assert f"/llms-full.txt {words}" in [
        *joined.find_joining_faults("/llms-full.txt", file.encode())
    ]
