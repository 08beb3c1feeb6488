"""The statements of docs/markdown.md are correct."""

import re
from pathlib import Path

import pytest

from catalogue.texts import limits
from catalogue.texts.markdown import formula_html, to_html
from catalogue.texts.markdown.highlighting import TOKEN_CLASSES
from catalogue.texts.markdown_rules import validate_markdown

GUIDE = (Path(__file__).parents[2] / "docs" / "markdown.md").read_text()


def section(title: str) -> str:
    return GUIDE.split(f"\n## {title}\n")[1].split("\n## ")[0]


NAMES = re.findall(r"^\| `(## [^`]*)`[^|]*\| `#([^`]*)` \|$", section("Sections"), re.MULTILINE)
EXAMPLES = re.findall(r"^(`{3,})markdown\n(.*?)\n\1$", GUIDE, re.MULTILINE | re.DOTALL)
FORMULAS = [
    latex
    for row in re.findall(r"^\| [a-z].* \| (`.*`) \|$", section("Formulas"), re.MULTILINE)
    for latex in re.findall("`([^`]*)`", row)
]


@pytest.mark.parametrize(("heading", "name"), NAMES)
def test_the_anchor_of_a_heading_is_the_documented_one(heading: str, name: str) -> None:
    assert f' id="{name}"' in to_html(heading)


@pytest.mark.parametrize("markdown", [example for _, example in EXAMPLES])
def test_a_documented_example_is_valid(markdown: str) -> None:
    validate_markdown(markdown)


@pytest.mark.parametrize("latex", FORMULAS)
def test_a_documented_formula_can_be_shown(latex: str) -> None:
    assert formula_html(latex.replace("…", "x"))


def test_the_guide_has_examples_of_each_kind() -> None:
    assert (len(NAMES), len(EXAMPLES)) == (3, 6)
    assert len(FORMULAS) > 15


def test_the_limits_are_the_documented_ones() -> None:
    documented = re.findall(r"^\| [^|]* \| ([0-9,]+) \|$", section("Limits"), re.MULTILINE)
    most = [value for name, value in vars(limits).items() if name.isupper()]

    assert sorted(int(number.replace(",", "")) for number in documented) == sorted(most)


def test_the_classes_of_code_are_the_documented_ones() -> None:
    documented = re.findall(r"^\| (`.*?`(?:, `.*?`)*) \|", section("Code"), re.MULTILINE)

    assert set(re.findall("`([^`]*)`", " ".join(documented))) == set(TOKEN_CLASSES.values())
