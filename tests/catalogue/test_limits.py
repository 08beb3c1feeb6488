"""A text beyond a limit is refused by forms, and its page has the reason instead of it."""

import re
from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError

from catalogue import limits
from catalogue.icons import validate_icon
from catalogue.limits import Limit, LimitExceeded
from catalogue.markdown import to_html
from catalogue.markdown.anchors import Anchors
from catalogue.markdown.highlighting import LEXER_NAMES, highlight_code
from catalogue.markdown_rules import validate_formula, validate_markdown
from catalogue.models import App, Page, Post

# For each limit a function of a size, and a text of that size in its first or second line.
TEXTS: dict[Limit, Callable[[int], str]] = {
    limits.MARKDOWN_LENGTH: lambda n: "a" * n,
    limits.NESTED_BLOCKS: lambda n: "a\n\n" + "> " * n + "b",
    limits.NESTED_SPANS: lambda n: "a\n" + "*a **a " * (n // 2) + "b** b*" * (n // 2),
    limits.HEADINGS: lambda n: "## a\n" * n,
    limits.TABLE_COLUMNS: lambda n: "a\n\n" + "|a" * n + "|\n" + "|-" * n + "|\n",
    limits.TABLE_CELLS: lambda n: "|a|b|\n|-|-|\n" + "|a|\n" * (n // 2 - 1),
    limits.FORMULAS: lambda n: "$a$ " * n,
    limits.FOOTNOTES: lambda n: "[^a] " * n + "\n\n[^a]: b",
    limits.CODE_LENGTH: lambda n: "a\n\n```python\n" + "b" * (n - 1) + "\n```",
    limits.TOTAL_CODE_LENGTH: lambda n: ("```python\n" + "b" * 1999 + "\n```\n\n") * (n // 2000),
}
STEP = {limits.NESTED_SPANS: 2, limits.TABLE_CELLS: 2, limits.TOTAL_CODE_LENGTH: 2000}
SENTENCES = {
    limits.MARKDOWN_LENGTH: "The text has 100,001 characters; at most 100,000 are allowed.",
    limits.NESTED_BLOCKS: "The quote or list in line 3 is nested 21 levels deep; "
    "at most 20 are allowed.",
    limits.NESTED_SPANS: "The emphasis in line 2 is nested 52 levels deep; at most 50 are allowed.",
    limits.HEADINGS: "The text has 201 headings; at most 200 are allowed.",
    limits.TABLE_COLUMNS: "The table in line 3 has 51 columns; at most 50 are allowed.",
    limits.TABLE_CELLS: "The tables of the text have 10,002 cells; at most 10,000 are allowed.",
    limits.FORMULAS: "The text has 501 formulas; at most 500 are allowed.",
    limits.FOOTNOTES: "The text refers to footnotes 501 times; at most 500 are allowed.",
    limits.CODE_LENGTH: "The code in line 3 has 4,001 characters and names a language; "
    "at most 4,000 are allowed.",
    limits.TOTAL_CODE_LENGTH: "The code blocks of the text that name a language have 22,000 "
    "characters; at most 20,000 are allowed.",
}
COLOURED = (limits.CODE_LENGTH, limits.TOTAL_CODE_LENGTH)
"""Code beyond these limits is shown without colours."""

LIMITS = pytest.mark.parametrize("limit", TEXTS, ids=lambda limit: limit.english[:30])


def make_text_beyond(limit: Limit) -> str:
    return TEXTS[limit](limit.maximum + STEP.get(limit, 1))


@LIMITS
def test_a_text_at_a_limit_is_accepted(limit: Limit) -> None:
    text = TEXTS[limit](limit.maximum)
    validate_markdown(text)

    assert "not-shown" not in to_html(text)


@LIMITS
def test_a_text_beyond_the_limit_is_refused_with_what_was_found_and_what_is_allowed(
    limit: Limit,
) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_markdown(make_text_beyond(limit))

    assert refused.value.messages == [SENTENCES[limit]]


@pytest.mark.parametrize(
    "limit",
    [limit for limit in TEXTS if limit not in COLOURED],
    ids=lambda limit: limit.english[:30],
)
def test_a_page_has_the_reason_why_a_text_is_not_shown(limit: Limit) -> None:
    english, vietnamese = to_html(make_text_beyond(limit)), to_html(make_text_beyond(limit), "vi")

    assert english == f'<p class="not-shown">This text cannot be shown. {SENTENCES[limit]}</p>\n'
    assert re.fullmatch(
        r'<p class="not-shown">Không thể hiển thị nội dung này\. .+; '
        rf"giới hạn cho phép là {limit.maximum:,}\.</p>\n".replace(",", r"\."),
        vietnamese,
    )


@pytest.mark.parametrize("limit", COLOURED, ids=lambda limit: limit.english[:30])
def test_code_that_is_too_long_is_shown_without_colours(limit: Limit) -> None:
    code = 'x = "a"  # b\n'
    block = f"```python\n{code * (limit.maximum // len(code) + 1)}```\n\n"

    assert "<span" in to_html(f"```python\n{code}```")
    assert "<span" not in to_html(block)
    assert "x = " in to_html(block)


SIGNS = limits.FORMULA_SIGNS.maximum


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        ("a" * 2001, "The formula “aaaa"),
        (r"\sqrt" * 301 + " a", "has 301 commands, brackets and scripts; at most 300 are allowed"),
        ("a^{" * 151 + "a" + "}" * 151, "has 302 commands, brackets and scripts"),
        (r"\left[" * 151 + "a" + r"\right]" * 151, "has 453 commands, brackets and scripts"),
        (r"\newcommand{\x}{a}\x", "it defines a command"),
        (r"\gdef\x{a}\x", "it defines a command"),
    ],
)
def test_a_formula_that_may_nest_too_deep_is_refused_and_named_on_its_page(
    latex: str, reason: str
) -> None:
    with pytest.raises(ValidationError, match=reason):
        validate_formula(latex)
    html = to_html(f"Before ${latex}$ after.")

    assert re.fullmatch(
        rf'<p>Before <span class="not-shown">This text cannot be shown\. .*{reason}.*</span>'
        r" after\.</p>\n",
        html,
    )


@pytest.mark.parametrize("latex", [r"\sqrt" * SIGNS + " a", "a" * limits.FORMULA_LENGTH.maximum])
def test_a_formula_at_the_limit_is_shown(latex: str) -> None:
    assert "<math" in to_html(f"${latex}$")


@pytest.mark.parametrize("latex", [r"\frac", r"x_1_2", r"\nonesuch"])
def test_a_formula_that_cannot_be_read_leaves_the_rest_of_its_text(latex: str) -> None:
    english, vietnamese = to_html(f"A ${latex}$ b."), to_html(f"A $$\n{latex}\n$$ b.", "vi")

    assert english.startswith('<p>A <span class="not-shown">This text cannot be shown. The formula')
    assert english.endswith("</span> b.</p>\n")
    assert "Không đọc được công thức" in vietnamese


@pytest.mark.parametrize(
    ("model", "field", "most"),
    [
        (Post, "body_en", 100_000),
        (Post, "body_vi", 100_000),
        (Post, "excerpt_en", 20_000),
        (Page, "body_en", 100_000),
        (App, "description_vi", 20_000),
        (App, "icon_svg", 20_000),
        (App, "stack", 20_000),
    ],
)
def test_a_column_states_its_length(model: type[App | Page | Post], field: str, most: int) -> None:
    text = "a" * (most + 1)
    with pytest.raises(ValidationError) as refused:
        model(**{field: [text] if field == "stack" else text}).clean_fields()
    (message,) = refused.value.message_dict[field]

    assert message.endswith(f"has {most + 1:,} characters; at most {most:,} are allowed.")


def test_every_text_column_has_a_greatest_length() -> None:
    for model in (App, Page, Post):
        for field in model._meta.concrete_fields:
            if field.get_internal_type() in ("TextField", "CharField"):
                assert field.max_length or field.limit.maximum, field


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ("<g/>" * 500, "The icon has 501 elements; at most 500 are allowed."),
        (f"<desc>{'a' * 20_000}</desc>", r"The icon has 20,\d+ characters; at most 20,000"),
        ("<g>" * 64 + "</g>" * 64, "The icon nests its elements more than 64 deep."),
    ],
)
def test_an_icon_beyond_a_limit_is_refused(inside: str, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        validate_icon(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>')


def test_only_languages_whose_lexers_were_tried_have_colours() -> None:
    code = '"a" 1'

    assert highlight_code(code, "adl") == code
    assert all(highlight_code("a" * 4001, language) == "a" * 4001 for language in LEXER_NAMES)


def test_equal_headings_get_their_anchors_in_linear_time() -> None:
    """A search for a free anchor from the first number would take 50,000² steps."""
    anchors = Anchors()
    names = [anchors.name("A heading") for _ in range(50_000)]

    assert names[:3] == ["a-heading", "a-heading-1", "a-heading-2"]
    assert len(set(names)) == len(names)


def test_a_sentence_repeats_the_beginning_of_a_long_formula() -> None:
    error = LimitExceeded(limits.FORMULA_LENGTH, 2001, limits.shorten_formula("a" * 2001))

    assert str(error) == (
        f"The formula “{'a' * 40}…” has 2,001 characters; at most 2,000 are allowed."
    )
