"""A text beyond a limit is refused by its form, with what was found and what is allowed."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from catalogue.models import App, Page, Post
from catalogue.texts import limits
from catalogue.texts.markdown import to_html
from catalogue.texts.markdown_rules import validate_formula, validate_markdown

SIGNS = limits.FORMULA_SIGNS


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

    assert message == f"Ensure this value has at most {most} characters (it has {most + 1})."


def test_a_text_may_have_500_formulas() -> None:
    validate_markdown("$a$ " * 500)

    with pytest.raises(ValidationError, match="has 501 formulas; at most 500 are allowed"):
        validate_markdown("$a$ " * 501)


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        ("a" * 2001, f"“{'a' * 40}…” .* it has 2,001 characters; at most 2,000 are allowed"),
        (r"\sqrt" * 301 + " a", "has 301 commands, brackets and scripts; at most 300 are allowed"),
        ("a^{" * 151 + "a" + "}" * 151, "has 302 commands, brackets and scripts"),
        (r"\left[" * 151 + "a" + r"\right]" * 151, "has 453 commands, brackets and scripts"),
        (r"\newcommand{\x}{a}\x", "it defines a command"),
        (r"\gdef\x{a}\x", "it defines a command"),
        (r"\frac", "cannot be read as LaTeX"),
        (r"\nonesuch", "nonesuch"),
        (r"x_1_2", "Duplicate subscript"),
        ("a & b", "table-like environment"),
        (r"\color{red}{x}", r"a page cannot show what it asks for \(color"),
        (r"\cancel{x}", r"a page cannot show what it asks for \(menclose"),
        (r"\begin{align} a &= b \end{align}", r"a page cannot show what it asks for \(width"),
        (r"\href{javascript:alert(1)}{x}", "Unknown command"),
        (r"\style{color:red}{x}", "Unknown command"),
    ],
)
def test_a_refused_formula_is_named_on_its_page_and_leaves_the_rest_of_its_text(
    latex: str, reason: str
) -> None:
    with pytest.raises(ValidationError, match=reason):
        validate_formula(latex)
    english, vietnamese = to_html(f"Before ${latex}$ after."), to_html(f"${latex}$ sau.", "vi")

    assert re.fullmatch(
        rf'<p>Before <span class="not-shown">This text cannot be shown\. .*{reason}.*</span>'
        r" after\.</p>\n",
        english,
    )
    assert "Không đọc được công thức" in vietnamese
    assert vietnamese.endswith("</span> sau.</p>\n")


def test_a_limit_is_told_in_the_language_of_the_desk() -> None:
    with override("vi"), pytest.raises(ValidationError, match=r"2\.001 ký tự.*2\.000"):
        validate_formula("a" * 2001)


@pytest.mark.parametrize("latex", [r"\sqrt" * SIGNS + " a", "a" * limits.FORMULA_LENGTH])
def test_a_formula_at_the_limit_is_shown(latex: str) -> None:
    assert "<math" in to_html(f"${latex}$")


def test_code_that_is_too_long_is_shown_without_colours() -> None:
    line = 'x = "a"  # b\n'
    block = f"```python\n{line * (limits.CODE_LENGTH // len(line))}```\n\n"
    longer = f"```python\n{line * (limits.CODE_LENGTH // len(line) + 1)}```\n\n"
    blocks = limits.TOTAL_CODE_LENGTH // limits.CODE_LENGTH

    assert "<span" in to_html(block)
    assert "<span" not in to_html(longer)
    assert "x = " in to_html(longer)
    assert to_html(block * (blocks + 3)).count("<pre") == blocks + 3
    assert to_html(block * (blocks + 3)).count('<span class="c">') == (
        to_html(block * blocks).count('<span class="c">')
    )
