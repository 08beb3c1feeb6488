"""The text gate refuses a text beyond a limit, and names the page and the reason."""

from pathlib import Path

from django.db import connection

from catalogue.models import Post, ScienceTopic
from tests.gates.broken_families import run_refused_freeze
from tests.gates.test_links_gate import LINKING, add_paragraph


def make_table(count: int) -> str:
    return "|a" * count + "|\n" + "|-" * count + "|"


TOO_MUCH = {
    "breathing-at-six-per-minute": (
        f"{make_table(1000)}\n" + "|a|\n" * 5,
        r"has 1,000 columns; at most 50 are allowed.",
    ),
    "finding-things-you-own": (
        "> " * 21 + "a",
        "is nested 21 levels deep; at most 20 are allowed.",
    ),
    "a-pendulum-in-your-pocket": (
        "$" + r"\hat" * 400 + " a$",
        "has 400 commands, brackets and scripts; at most 300",
    ),
    LINKING: (r"$\nonesuch$", "The formula “\\nonesuch” cannot be read as LaTeX: Unknown command"),
}
"""A text for a post that cannot be shown, and the reason."""


def test_a_text_beyond_a_limit_is_named_with_the_reason(site: Path) -> None:
    """Two texts are stored by SQL; one of them is Vietnamese, and the other stands on two pages."""
    translated = "merging-two-lists-of-things"
    with connection.cursor() as cursor:
        body = "UPDATE catalogue_post SET body_vi = %s WHERE slug = %s"
        cursor.execute(body, ["- " * 30 + "a", translated])
        latex = "UPDATE catalogue_sciencetopic SET formula_latex = %s WHERE slug = 'acoustics'"
        cursor.execute(latex, [r"\frac"])
    for slug, (text, _) in TOO_MUCH.items():
        add_paragraph(text, slug)

    refused = run_refused_freeze(site)

    failures = {words.partition(":")[0]: words for words in refused.failures("texts")}
    page = f"/vi/blog/{translated}"
    assert Post.objects.filter(slug=translated).exists()
    assert ScienceTopic.objects.filter(slug="acoustics").exists()
    assert failures[page].startswith(f"{page}: Không thể hiển thị nội dung này.")
    assert {*failures} >= {"/science", "/vi/science"}
    assert len([words for words in refused.failures("texts") if words.startswith("/blog/")]) == 4
    for slug, (_, reason) in TOO_MUCH.items():
        page = f"/blog/{slug}"
        assert failures[page].startswith(f"{page}: This text cannot be shown. The ")
        assert reason in failures[page]
    assert (refused.code, refused.failed) == (1, {"texts"})
