"""A page, its mirror and its translations say the same of one another."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from site_mirror import registry
from site_mirror.snapshot import engine
from tests.freeze import makers
from tests.gates.breaking import (
    ROOT,
    changed_family,
    refused,
    replacing,
    rewritten,
    with_bodies,
    with_families,
    without_family,
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
        (MIRROR, f"<{ROOT}/about>", "<x>", "/about.md does not tell where its page is"),
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
def test_a_side_that_says_something_else_is_named(
    family: str, old: str, new: str, said: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewritten(monkeypatch, family, replacing(old, new))

    told = refused(site)

    assert said in told.failures("mirrors")
    assert told.code == 1


def test_a_page_without_its_mirror_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_family(monkeypatch, "privacy-en-mirror")

    told = refused(site)

    assert "/privacy was published and is gone" not in told.message
    assert told.failed == {"links", "vanished"}
    assert "/privacy links to /privacy.md, where nothing is published" in told.failures("links")


def test_a_mirror_without_its_canonical_page_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def headless(family: Any) -> Any:
        made = family.headers
        return replace(
            family,
            headers=lambda *asked: {k: v for k, v in made(*asked).items() if k != "Link"},
        )

    changed_family(monkeypatch, MIRROR, headless)
    monkeypatch.setattr("site_mirror.inputs.program", lambda: "another program")

    assert refused(site).failures("mirrors") == (
        "/about and its mirror /about.md do not name each other",
    )


def test_one_side_that_is_rendered_again_agrees_with_the_other_that_is_taken_over(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewritten(monkeypatch, PAGE, replacing("</body>", "<!-- again --></body>"))

    verdicts = {verdict.gate: verdict for verdict in makers.freeze_into(site, makers.LATER).gates}

    assert (verdicts["mirrors"].passed, verdicts["mirrors"].checked > 0) == (True, True)
    assert verdicts["mirrors"].held > 100


def points_elsewhere(family: Any) -> Any:
    """A mirror whose header names another page, with the same bytes as before."""
    made = family.headers
    other = {"Link": f'<{ROOT}/apps>; rel="canonical"'}
    return replace(family, headers=lambda *asked: {**made(*asked), **other})


def test_a_mirror_that_is_made_again_alone_points_back_to_its_page(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed_family(monkeypatch, MIRROR, points_elsewhere)

    assert refused(site).failed >= {"mirrors"}


def test_a_page_that_is_made_again_alone_is_held_to_the_mirror_that_was_taken_over(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The published mirror does not say where its page is, as if the gate had not been there."""
    pointless = replacing(f"<{ROOT}/about>", "<x>")
    with monkeypatch.context() as changed:
        families = registry.FAMILIES
        broken = [with_bodies(it, pointless) if it.name == MIRROR else it for it in families]
        with_families(changed, tuple(broken))
        changed.setattr(engine, "passed", lambda *verdicts: verdicts)
        makers.freeze_into(tmp_path / "broken")
    rewritten(monkeypatch, PAGE, replacing("</body>", "<!-- again --></body>"))

    told = refused(tmp_path / "broken")

    assert "/about and its mirror /about.md do not name each other" in told.failures("mirrors")
