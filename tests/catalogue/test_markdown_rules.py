import re

import pytest
from django.core.exceptions import ValidationError

from catalogue.markdown import link_targets, to_html
from catalogue.markdown.source import read
from catalogue.markdown_rules import validate_markdown
from catalogue.models import Page, Post, ScienceTopic

REFUSED = {
    "javascript": [
        "[a](javascript:alert(1))",
        "[a](JavaScript:alert(1))",
        "[a](JAVASCRIPT:alert(1))",
        "[a]( javascript:alert(1) )",
        "[a](&#106;avascript:alert(1))",
        "[a](&#x6A;avascript:alert(1))",
        "[a](javascript&colon;alert(1))",
        "[a](javascript&#58;alert(1))",
        r"[a](javascript\:alert(1))",
        "[a](java&Tab;script:alert(1))",
        "[a](java&NewLine;script:alert(1))",
        "[a](<java\tscript:alert(1)>)",
        "[a](<\tjavascript:alert(1)>)",
        "[a](&#1;javascript:alert(1))",
        "[a](&#32;javascript:alert(1))",
        "[a](<javascript:alert(1)> 'title')",
        "[a][r]\n\n[r]: javascript:alert(1)",
        "[r]\n\n[r]: <javascript:alert(1)> 'title'",
        "<javascript:alert(1)>",
        "![a](javascript:alert(1))",
        "![a](&#106;avascript:alert(1))",
        "![a][r]\n\n[r]: javascript:alert(1)",
        "[![a](javascript:alert(1))](/)",
        "| [a](javascript:alert(1)) |\n| --- |",
        "## [a](javascript:alert(1))",
        "- > **[a](javascript:alert(1))**",
        "a[^1]\n\n[^1]: [a](javascript:alert(1))",
    ],
    "data": [
        "[a](data:text/html,x)",
        "[a](DATA:text/html;base64,eA==)",
        "![a](data:image/svg+xml,x)",
        "![a](data:image/png;base64,eA==)",
        "<data:text/html,x>",
        "[a][r]\n\n[r]: data:text/html,x",
    ],
    "vbscript": [
        "[a](vbscript:x)",
        "[a](VbScript:x)",
        "![a](vbscript:x)",
        "<vbscript:x>",
        "[a][r]\n\n[r]: vbscript:x",
    ],
    "file": ["[a](file:///etc/passwd)", "![a](file:///etc/passwd)"],
    "blob": ["[a](blob:https://a.example/1)"],
    "tel": ["[a](tel:+84)"],
}


LINKS = [(scheme, markdown) for scheme, texts in REFUSED.items() for markdown in texts]


@pytest.mark.parametrize(("scheme", "markdown"), LINKS)
def test_a_link_that_runs_a_script_is_refused_with_the_reason(scheme: str, markdown: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_markdown(markdown)
    (message,) = refused.value.messages

    assert f"uses “{scheme}:”" in message.lower()
    assert message.endswith("Links may be paths of this site, or use http, https, mailto.")
    assert refused.value.code == "scheme"


@pytest.mark.parametrize(("scheme", "markdown"), LINKS)
def test_a_script_link_stored_without_validation_is_not_rendered(
    scheme: str, markdown: str
) -> None:
    found = re.findall(r'(?:href|src)="([^"]*)"', to_html(markdown))

    assert not any(
        re.match(r"\s*(javascript|vbscript|file|data:text|data:image/svg)", target, re.IGNORECASE)
        for target in found
    )


@pytest.mark.parametrize(
    "markdown",
    [
        "[a](/apps/wheria)",
        "[a](/blog/a#b)",
        "[a](#section)",
        "[a](a/b:c)",
        "[a](?q=a:b)",
        "[a](https://studio.example/)",
        "[a](HTTPS://studio.example/)",
        "[a](http://studio.example/)",
        "[a](mailto:hello@studio.example)",
        "<https://studio.example>",
        "![a](/icons/wheria.svg)",
        "`[a](javascript:alert(1))`",
        "```\n[a](javascript:alert(1))\n```",
        r"\[a](javascript:alert(1))",
        "The scheme javascript: is only named here.",
        "$f: x$ and a: b",
        "",
    ],
)
def test_markdown_without_refused_links_is_allowed(markdown: str) -> None:
    validate_markdown(markdown)


@pytest.mark.parametrize(
    ("model", "field"),
    [(Post, "body_en"), (Post, "body_vi"), (Page, "body_en"), (Page, "body_vi")],
)
def test_every_markdown_column_refuses_a_script_link(model: type[Post | Page], field: str) -> None:
    row = model(**{field: "[a](javascript:alert(1))"})
    with pytest.raises(ValidationError) as refused:
        row.clean_fields()

    assert "uses “javascript:”" in refused.value.message_dict[field][0]


def test_links_come_in_the_order_of_the_text() -> None:
    markdown = "[a](/1) [b][r] <https://c.example> ![d](/4)\n\n[r]: /2"

    assert link_targets(markdown) == ["/1", "/2", "https://c.example", "/4"]


BROKEN = [r"\frac", r"x_", "^", r"\left(", r"\sqrt", r"x_1_2"]


@pytest.mark.parametrize("latex", BROKEN)
def test_a_formula_that_cannot_be_read_is_refused_in_a_text(latex: str) -> None:
    with pytest.raises(ValidationError, match="formula"):
        validate_markdown(f"Before ${latex}$ after.")


@pytest.mark.parametrize("latex", BROKEN)
def test_a_formula_that_cannot_be_read_is_refused_in_a_topic(latex: str) -> None:
    with pytest.raises(ValidationError) as refused:
        ScienceTopic(formula_latex=latex).clean_fields()

    assert "formula_latex" in refused.value.message_dict


@pytest.mark.parametrize(
    "markdown",
    ["![](/a.png)", "[![ ](/a.png)](/)", "![][r]\n\n[r]: /a.png", "| ![](/a.png) |\n| - |"],
)
def test_an_image_without_alternative_text_is_refused_with_the_reason(markdown: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_markdown(markdown)
    (message,) = refused.value.messages

    assert message.startswith("The image “/a.png” has no alternative text")
    assert message.endswith("between the brackets: ![what it shows](/a.png).")


def test_a_refused_image_is_named_as_it_was_typed() -> None:
    assert read("![](/a?b&c)").undescribed_images == ["/a?b&c"]


@pytest.mark.parametrize(
    "target", ["//host.example/a.png", "https://host.example/a.png", "a.png", "?a", "#a"]
)
def test_an_image_of_another_site_is_refused_with_the_reason(target: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_markdown(f"![a wave]({target})")

    assert refused.value.code == "foreign_image"
    assert refused.value.messages[0].startswith(f"The image “{target}” is not of this site")


@pytest.mark.parametrize("markdown", ["![a wave](/a.png)", "`![](/a.png)`", r"\![](/a.png)"])
def test_an_image_that_is_described_is_allowed(markdown: str) -> None:
    validate_markdown(markdown)
