"""A text that a page cannot show to every reader is refused with the reason."""

import re

import pytest
from django.core.exceptions import ValidationError

from catalogue.models import Page, Post, ScienceTopic
from catalogue.texts.markdown import to_html
from catalogue.texts.markdown_rules import validate_markdown

UNSAFE_LINKS = {
    "javascript": [
        "[a](javascript:alert(1))",
        "[a]( JavaScript:alert(1) )",
        "[a](&#106;avascript:alert(1))",
        "[a](javascript&colon;alert(1))",
        r"[a](javascript\:alert(1))",
        "[a](java&NewLine;script:alert(1))",
        "[a](<java\tscript:alert(1)>)",
        "[a](&#1;javascript:alert(1))",
        "[r]\n\n[r]: <javascript:alert(1)> 'title'",
        "<javascript:alert(1)>",
        "![a](&#106;avascript:alert(1))",
        "[![a](javascript:alert(1))](/)",
        "| [a](javascript:alert(1)) |\n| --- |",
        "## [a](javascript:alert(1))",
        "a[^1]\n\n[^1]: [a](javascript:alert(1))",
    ],
    "data": ["[a](DATA:text/html;base64,eA==)", "![a](data:image/png;base64,eA==)"],
    "vbscript": ["![a](VbScript:x)", "<vbscript:x>"],
    "file": ["[a](file:///etc/passwd)"],
    "blob": ["[a](blob:https://a.example/1)"],
    "tel": ["[a](tel:+84)", "[a][r]\n\n[r]: tel:1"],
}


@pytest.mark.parametrize(
    ("scheme", "markdown"),
    [(scheme, markdown) for scheme, texts in UNSAFE_LINKS.items() for markdown in texts],
)
def test_an_unsafe_link_is_refused_and_has_no_target_without_validation(
    scheme: str, markdown: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_markdown(markdown)
    (message,) = refused.value.messages
    found = re.findall(r'(?:href|src)="([^"]*)"', to_html(markdown))

    assert f"uses “{scheme}:”" in message.lower()
    assert message.endswith("Links may be paths of this site, or use http, https, mailto.")
    assert [target for target in found if target.lower().strip().startswith(scheme)] == []


FIRST_HEADING = "begin sections with ##"
NO_DESCRIPTION = (
    r"The image “/a\.png” has no alternative text, .* between the brackets: "
    r"!\[what it shows\]\(/a\.png\)\.$"
)


@pytest.mark.parametrize(
    ("markdown", "reason"),
    [
        ("# Title", FIRST_HEADING),
        ("Title\n=====", FIRST_HEADING),
        ("Text.\n\n # Title #", FIRST_HEADING),
        ("> # Title", FIRST_HEADING),
        ("![](/a.png)", NO_DESCRIPTION),
        ("[![ ](/a.png)](/)", NO_DESCRIPTION),
        ("![][r]\n\n[r]: /a.png", NO_DESCRIPTION),
        ("![](/a?b&c)", r"^The image “/a\?b&c” has no alternative text"),
        ("![a wave](//host.example/a.png)", r"“//host\.example/a\.png” is not of this site"),
        ("![a wave](https://host.example/a)", r"“https://host\.example/a” is not of this site"),
        ("![a wave](a.png)", r"^The image “a\.png” is not of this site"),
        ("![a wave](#a)", r"^The image “#a” is not of this site"),
        (r"Before $\frac$ after.", "formula"),
    ],
)
def test_a_text_that_a_page_cannot_show_is_refused_with_the_reason(
    markdown: str, reason: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_markdown(markdown)
    (message,) = refused.value.messages

    assert re.search(reason, message)


@pytest.mark.parametrize(
    "markdown",
    [
        "[a](/blog/a#b) [c](#section) [d](a/b:c) [e](?q=a:b) ![f](/icons/wheria.svg)",
        "[a](https://studio.example/) [b](HTTPS://studio.example/) [c](http://studio.example/)",
        "[a](mailto:hello@studio.example) <https://studio.example>",
        "`[a](javascript:alert(1)) ![](/a.png)`",
        "```\n[a](javascript:alert(1))\n# comment\n```",
        r"\[a](javascript:alert(1)) \![](/a.png)",
        "The scheme javascript: is only named here.",
        "$f: x$ and a: b",
        "## Section\n\n#hash and `# code`",
        "",
    ],
)
def test_a_text_that_every_page_can_show_is_allowed(markdown: str) -> None:
    validate_markdown(markdown)


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        (Post(body_en="[a](javascript:b)"), "body_en", "uses “javascript:”"),
        (Post(body_vi="[a](javascript:b)"), "body_vi", "uses “javascript:”"),
        (Page(body_en="[a](javascript:b)"), "body_en", "uses “javascript:”"),
        (Page(body_vi="[a](javascript:b)"), "body_vi", "uses “javascript:”"),
        (ScienceTopic(formula_latex=r"x_1_2"), "formula_latex", "Duplicate subscript"),
    ],
)
def test_every_markdown_column_is_validated(
    row: Post | Page | ScienceTopic, field: str, reason: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        row.clean_fields()

    assert reason in refused.value.message_dict[field][0]
