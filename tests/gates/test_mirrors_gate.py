"""The mirror gate compares a page with its mirror and its translations."""

from pathlib import Path

import pytest

from tests.freeze import sites
from tests.gates.broken_families import (
    ROOT,
    change_headers,
    replace_text,
    rewrite_bodies,
    run_refused_freeze,
)

PAGE, MIRROR = "about-en", "about-en-mirror"
MARKDOWN_LINK = '<link rel="alternate" type="text/markdown"'
DIFFERENCES = {
    "/about and its mirror /about.md have different titles: About *us* and About the studio": (
        (MIRROR, "# About the studio\n", "# About \\*us\\*\n")
    ),
    "/privacy and its mirror /privacy.md have different titles: Privacy policy and Us & them": (
        ("privacy-en", "<h1>Privacy policy</h1>", "<h1>Us &amp; <em>them</em></h1>")
    ),
    "/science and its mirror /apps.md do not name each other": (
        ("science-en", 'href="/science.md" title', 'href="/apps.md" title')
    ),
    "/timeline names no Markdown mirror": (
        ("timeline-en", MARKDOWN_LINK, '<link rel="help" type="text/markdown"')
    ),
    "/docs/versioning names no Markdown mirror": (
        ("docs-versioning-en", MARKDOWN_LINK, '<link rel="alternate" type="text/plain"')
    ),
    "/docs/licence has 2 headings of the first level, not one": (
        ("docs-licence-en", "</footer>", '</footer><h1 id="x">Two</h1>')
    ),
    "/docs/problems names /apps as its canonical address": (
        ("docs-problems-en", f'canonical" href="{ROOT}/docs/problems"', 'canonical" href="/apps"')
    ),
    "/vi/about names no page as its canonical address": (
        ("about-vi", f'rel="canonical" href="{ROOT}/vi/about"', f'href="{ROOT}/vi/about"')
    ),
    "/vi/timeline.md does not link to its page": (
        ("timeline-vi-mirror", f"<{ROOT}/vi/timeline>", "<x>")
    ),
    "/blog and /vi/apps do not name the same alternates": (
        ("blog-en", f'hreflang="vi" href="{ROOT}/vi/blog"', f'hreflang="vi" href="{ROOT}/vi/apps"')
    ),
    "/docs/api is not among its own alternates": (
        ("docs-api-en", f'href="{ROOT}/docs/api"', f'href="{ROOT}/apps"')
    ),
}
"""What the gate says, with a family, a text of its document, and another text in its place."""


def test_a_page_that_differs_from_its_mirror_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for family, old, new in DIFFERENCES.values():
        rewrite_bodies(monkeypatch, family, replace_text(old, new))

    refused = run_refused_freeze(site)

    assert {*refused.failures("mirrors")} >= DIFFERENCES.keys()
    assert refused.code == 1


def test_a_mirror_without_its_canonical_page_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_headers(monkeypatch, MIRROR, lambda headers: headers | {"Link": None})
    monkeypatch.setattr("site_mirror.documents.digests.program_digest", lambda: "another program")

    assert run_refused_freeze(site).failures("mirrors") == (
        "/about and its mirror /about.md do not name each other",
    )


def test_a_rendered_page_is_compared_with_its_reused_mirror(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite_bodies(monkeypatch, PAGE, replace_text("</body>", "<!-- again --></body>"))

    verdicts = {verdict.gate: verdict for verdict in sites.freeze_into(site, sites.LATER).gates}

    assert (verdicts["mirrors"].passed, verdicts["mirrors"].checked > 0) == (True, True)
    assert verdicts["mirrors"].held > 100


def test_a_rendered_mirror_must_point_to_its_reused_page(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a header of the mirror changes, and none of its bytes."""
    elsewhere = {"Link": f'<{ROOT}/apps>; rel="canonical"'}
    change_headers(monkeypatch, MIRROR, lambda headers: headers | elsewhere)

    assert run_refused_freeze(site).failed >= {"mirrors"}


def test_a_text_that_hides_others_in_the_joined_file_is_found(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite_bodies(monkeypatch, "llms-full", replace_text("\n---\n\n# ", "\n<!--\n\n---\n\n# "))

    failures = run_refused_freeze(site).failures("mirrors")

    assert [words for words in failures if words.startswith("/llms-full.txt hides the link to ")]
    assert [words for words in failures if "has 1 headings of the first level" in words]
