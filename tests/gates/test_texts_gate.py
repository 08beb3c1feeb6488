"""The gate `texts` refuses a formula that cannot be shown, and names the page and the reason."""

from pathlib import Path

from django.db import connection

from tests.gates.broken_families import run_refused_freeze
from tests.gates.test_links_gate import LINKING, add_paragraph

TRANSLATED = "merging-two-lists-of-things"
NOT_SHOWN = {
    "a-pendulum-in-your-pocket": (
        "$" + r"\hat" * 400 + " a$",
        "has 400 commands, brackets and scripts; at most 300 are allowed.",
    ),
    LINKING: (r"$\nonesuch$", "“\\nonesuch” cannot be read as LaTeX: Unknown command"),
}
"""A formula for a post that cannot be shown, and the reason."""


def test_a_formula_that_cannot_be_shown_is_named_with_the_reason(site: Path) -> None:
    """Two are stored by SQL: one in a Vietnamese text, and one that stands on four pages."""
    with connection.cursor() as cursor:
        body = "UPDATE catalogue_post SET body_vi = %s WHERE slug = %s"
        cursor.execute(body, [r"$\frac$", TRANSLATED])
        latex = "UPDATE catalogue_sciencetopic SET formula_latex = %s WHERE slug = 'acoustics'"
        cursor.execute(latex, [r"\frac"])
    for slug, (text, _) in NOT_SHOWN.items():
        add_paragraph(text, slug)

    refused = run_refused_freeze(site)

    failures = {words.partition(":")[0]: words for words in refused.failures("texts")}
    assert failures.keys() == {
        *(f"/blog/{slug}" for slug in NOT_SHOWN),
        *(f"/vi/blog/{TRANSLATED}", "/", "/science", "/vi", "/vi/science"),
    }
    for slug, (_, reason) in NOT_SHOWN.items():
        assert reason in failures[f"/blog/{slug}"]
    assert (refused.code, refused.failed) == (1, {"texts"})
