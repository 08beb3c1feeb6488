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
DIFFERENCES = [
    (
        MIRROR,
        "# About the studio\n",
        "# About \\*us\\*\n",
        "/about and its mirror /about.md have different titles: About *us* and About the studio",
    ),
    (
        "privacy-en",
        "<h1>Privacy policy</h1>",
        "<h1>About &amp; <em>us</em></h1>",
        "/privacy and its mirror /privacy.md have different titles: About & us and Privacy policy",
    ),
    (
        "science-en",
        'type="text/markdown" href="/science.md" title',
        'type="text/markdown" href="/apps.md" title',
        "/science and its mirror /apps.md do not name each other",
    ),
    (
        "timeline-en",
        MARKDOWN_LINK,
        '<link rel="alternate" type="text/plain"',
        "/timeline names no Markdown mirror",
    ),
    (
        "docs-licence-en",
        "</footer>",
        '</footer><h1 id="x">Two</h1>',
        "/docs/licence has 2 headings of the first level, not one",
    ),
    (
        "docs-problems-en",
        f'rel="canonical" href="{ROOT}/docs/problems"',
        f'rel="canonical" href="{ROOT}/apps"',
        "/docs/problems names /apps as its canonical address",
    ),
    (
        "about-vi",
        f'rel="canonical" href="{ROOT}/vi/about"',
        f'rel="help" href="{ROOT}/vi/about"',
        "/vi/about names no page as its canonical address",
    ),
    (
        "timeline-vi-mirror",
        f"<{ROOT}/vi/timeline>",
        "<x>",
        "/vi/timeline.md does not link to its page",
    ),
    (
        "blog-en",
        f'hreflang="vi" href="{ROOT}/vi/blog"',
        f'hreflang="vi" href="{ROOT}/vi/apps"',
        "/blog and /vi/apps do not name the same alternates",
    ),
    (
        "docs-api-en",
        f'href="{ROOT}/docs/api"',
        f'href="{ROOT}/apps"',
        "/docs/api is not among its own alternates",
    ),
]
"""A family, a text of its document, another text in its place, and what the gate says then."""


def test_a_page_that_differs_from_its_mirror_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for family, old, new, _ in DIFFERENCES:
        rewrite_bodies(monkeypatch, family, replace_text(old, new))

    refused = run_refused_freeze(site)

    assert {*refused.failures("mirrors")} >= {said for *_, said in DIFFERENCES}
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
