"""The text gate refuses a text beyond a limit, and names the page and the reason."""

from pathlib import Path

import pytest
from django.db import connection

from catalogue.models import Post, ScienceTopic
from tests.gates.broken_families import run_refused_freeze
from tests.gates.test_links_gate import LINKING, add_paragraph


def make_table(count: int) -> str:
    return "|a" * count + "|\n" + "|-" * count + "|"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{make_table(1000)}\n" + "|a|\n" * 5, r"has 1,000 columns; at most 50 are allowed."),
        ("> " * 21 + "a", "is nested 21 levels deep; at most 20 are allowed."),
        ("$" + r"\hat" * 400 + " a$", "has 400 commands, brackets and scripts; at most 300"),
        (r"$\nonesuch$", "The formula “\\nonesuch” cannot be read as LaTeX: Unknown command"),
    ],
)
def test_a_text_beyond_a_limit_is_named_with_the_reason(text: str, reason: str, site: Path) -> None:
    add_paragraph(text)

    refused = run_refused_freeze(site)

    (failure,) = refused.failures("texts")
    assert failure.startswith(f"/blog/{LINKING}: This text cannot be shown. The ")
    assert reason in failure
    assert (refused.code, refused.failed) == (1, {"texts"})


def test_a_text_beyond_a_limit_stored_by_sql_is_named_with_its_language(site: Path) -> None:
    with connection.cursor() as cursor:
        body = "UPDATE catalogue_post SET body_vi = %s WHERE slug = %s"
        cursor.execute(body, ["- " * 30 + "a", LINKING])
        latex = "UPDATE catalogue_sciencetopic SET formula_latex = %s WHERE slug = 'acoustics'"
        cursor.execute(latex, [r"\frac"])

    refused = run_refused_freeze(site)

    assert Post.objects.filter(slug=LINKING).exists()
    assert ScienceTopic.objects.filter(slug="acoustics").exists()
    failures = refused.failures("texts")
    assert any(
        words.startswith(f"/vi/blog/{LINKING}: Không thể hiển thị nội dung này.")
        for words in failures
    )
    assert {words.partition(":")[0] for words in failures} >= {"/science", "/vi/science"}
