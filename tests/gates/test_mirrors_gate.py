"""The mirror gate compares a page with its mirror and its translations."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from site_mirror.registry import table
from site_mirror.snapshot import freeze
from tests.freeze import sites
from tests.gates.broken_families import (
    ROOT,
    change_bodies_of,
    change_family,
    remove_family,
    replace_text,
    rewrite_bodies,
    run_refused_freeze,
    set_families,
)

PAGE, MIRROR = "about-en", "about-en-mirror"
HEADINGS = "/about has 2 headings of the first level"
TITLES = "/about and its mirror /about.md have different titles"


@pytest.mark.parametrize(
    ("family", "old", "new", "said"),
    [
        (
            MIRROR,
            "# About the studio\n",
            "# About \\*us\\*\n",
            f"{TITLES}: About *us* and About the studio",
        ),
        (
            PAGE,
            "<h1>About the studio</h1>",
            "<h1>About &amp; <em>us</em></h1>",
            f"{TITLES}: About & us and About the studio",
        ),
        (
            PAGE,
            'type="text/markdown" href="/about.md" title',
            'type="text/markdown" href="/apps.md" title',
            "/about and its mirror /apps.md do not name each other",
        ),
        (
            PAGE,
            '<link rel="alternate" type="text/markdown"',
            '<link rel="alternate" type="text/plain"',
            "/about names no Markdown mirror",
        ),
        (
            PAGE,
            '<link rel="alternate" type="text/markdown"',
            '<link rel="help" type="text/markdown"',
            "/about names no Markdown mirror",
        ),
        (PAGE, "</footer>", '</footer><h1 id="x">Two</h1>', f"{HEADINGS}, not one"),
        (
            PAGE,
            f'rel="canonical" href="{ROOT}/about"',
            f'rel="canonical" href="{ROOT}/apps"',
            "/about names /apps as its canonical address",
        ),
        (
            PAGE,
            f'rel="canonical" href="{ROOT}/about"',
            f'rel="help" href="{ROOT}/about"',
            "/about names no page as its canonical address",
        ),
        (PAGE, "</h1>", "</h1><h1>Two</h1>", "/about has 2 headings of the first level, not one"),
        (MIRROR, f"<{ROOT}/about>", "<x>", "/about.md does not link to its page"),
        (
            PAGE,
            f'hreflang="vi" href="{ROOT}/vi/about"',
            f'hreflang="vi" href="{ROOT}/vi/apps"',
            "/about and /vi/apps do not name the same alternates",
        ),
        (
            PAGE,
            f'hreflang="en" href="{ROOT}/about"',
            f'hreflang="en" href="{ROOT}/apps"',
            "/about and /vi/about do not name the same alternates",
        ),
    ],
)
def test_a_page_that_differs_from_its_mirror_is_named(
    family: str, old: str, new: str, said: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite_bodies(monkeypatch, family, replace_text(old, new))

    refused = run_refused_freeze(site)

    assert said in refused.failures("mirrors")
    assert refused.code == 1


@pytest.mark.slow
def test_a_page_without_its_mirror_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove_family(monkeypatch, "privacy-en-mirror")

    refused = run_refused_freeze(site)

    assert "/privacy was published and is missing" not in refused.message
    assert refused.failed == {"links", "vanished"}
    assert "/privacy links to /privacy.md, where nothing is published" in refused.failures("links")


def test_a_mirror_without_its_canonical_page_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def headless(family: Any) -> Any:
        made = family.headers
        return replace(
            family,
            headers=lambda *asked: {k: v for k, v in made(*asked).items() if k != "Link"},
        )

    change_family(monkeypatch, MIRROR, headless)
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


def points_elsewhere(family: Any) -> Any:
    """Change the header of a mirror to another page, and not its bytes."""
    made = family.headers
    other = {"Link": f'<{ROOT}/apps>; rel="canonical"'}
    return replace(family, headers=lambda *asked: {**made(*asked), **other})


def test_a_rendered_mirror_must_point_to_its_reused_page(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_family(monkeypatch, MIRROR, points_elsewhere)

    assert run_refused_freeze(site).failed >= {"mirrors"}


@pytest.mark.slow
def test_a_rendered_page_is_compared_with_a_mirror_without_evidence_of_the_gate(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The published mirror has no evidence, as if a program without this gate had built it."""
    pointless = replace_text(f"<{ROOT}/about>", "<x>")
    with monkeypatch.context() as changed:
        families = table.FAMILIES
        broken = [change_bodies_of(it, pointless) if it.name == MIRROR else it for it in families]
        set_families(changed, tuple(broken))
        changed.setattr(freeze, "require_passed", lambda *verdicts: verdicts)
        sites.freeze_into(tmp_path / "broken")
    rewrite_bodies(monkeypatch, PAGE, replace_text("</body>", "<!-- again --></body>"))

    refused = run_refused_freeze(tmp_path / "broken")

    assert "/about and its mirror /about.md do not name each other" in refused.failures("mirrors")
