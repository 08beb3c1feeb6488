"""The link gate refuses dead links and links to hosts that are not public."""

from pathlib import Path
from typing import Any

import pytest

from catalogue.models import Page, Post, State, TimelineLink
from site_mirror.registry import table
from tests.gates.broken_families import (
    ROOT,
    change_headers,
    replace_text,
    rewrite_bodies,
    run_freeze,
    run_refused_freeze,
)

LINKING, LINKED = "why-our-apps-have-no-accounts", "breathing-at-six-per-minute"


def add_paragraph(text: str, slug: str = LINKING) -> None:
    """Add a paragraph to a post, past the validators of the admin."""
    post = Post.objects.get(slug=slug)
    post.body_en += f"\n\n{text}\n"
    post.save()


DEAD = {
    "finding-things-you-own": ("/blog/nowhere", "/blog/nowhere, where nothing is published"),
    "a-pendulum-in-your-pocket": (
        f"{ROOT}/blog/nowhere?x=1",
        "/blog/nowhere, where nothing is published",
    ),
    "dead-reckoning-without-a-signal": ("nowhere", "/blog/nowhere, where nothing is published"),
    LINKED: ("/science#nowhere", "/science#nowhere, and /science has no such place"),
    LINKING: ("/llms.txt#nowhere", "/llms.txt#nowhere, and /llms.txt has no such place"),
}
"""A dead link for a post, and what the gate says of it."""
UNREACHABLE = {
    "a-map-that-fits-in-fifty-megabytes": "http://localhost:8000/apps",
    "reading-a-pulse-from-a-fingertip": "https://staging.studio.example/apps",
    "testing-sensors-without-a-lab": "//127.0.0.1/apps",
}


def test_a_wrong_link_of_an_article_is_named_for_page_and_mirror(site: Path) -> None:
    """One article links to a place that it does not have itself."""
    own = "testing-sensors-without-a-lab"
    add_paragraph("See [below](#nowhere).", own)
    for slug, (link, _) in DEAD.items():
        add_paragraph(f"See [there]({link}).", slug)
    for slug, link in UNREACHABLE.items():
        add_paragraph(f"See [there]({link}).", slug)

    refused = run_refused_freeze(site)

    failures = refused.failures("links")
    place = f"/blog/{own}#nowhere, and /blog/{own} has no such place"
    assert sorted(words for words in failures if words.startswith("/blog/")) == sorted(
        [
            *(f"/blog/{slug} links to {said}" for slug, (_, said) in DEAD.items()),
            *(f"/blog/{slug}.md links to {said}" for slug, (_, said) in DEAD.items()),
            f"/blog/{own} links to #nowhere, which it does not have",
            f"/blog/{own}.md links to {place}",
        ]
    )
    assert f"/llms-full.txt links to {place}" in failures
    for slug, link in UNREACHABLE.items():
        fault = f"/blog/{slug} links to {link}, which "
        assert [words for words in refused.failures("hosts") if words.startswith(fault)]
    assert (refused.code, refused.failed) == (1, {"links", "hosts"})


BODIES: list[tuple[str, str, str]] = [
    ("sitemap", "<loc>{root}/apps</loc>", "<loc>{root}/gone</loc>"),
    ("atom-feed", 'href="{root}/blog/merging', 'href="{root}/blog/gone'),
    ("json-feed", '"url":"{root}/blog/merging', '"url":"{root}/blog/gone'),
    ("llms", "({root}/blog/merging", "({root}/blog/gone"),
    ("llms-full", "<{root}/llms.txt>", "<{root}/gone.txt>"),
    ("site-map", "({root}/blog/merging", "({root}/blog/gone"),
    ("api-catalog", "{root}/docs/api.md", "{root}/docs/gone.md"),
    ("robots", "{root}/sitemap.xml", "{root}/gone.xml"),
    ("security", "{root}/privacy", "{root}/gone"),
    ("agent-instructions", "<{root}/docs/versioning.md>", "<{root}/gone.md>"),
    ("home-en", 'content="{root}/assets/card', 'content="{root}/assets/gone'),
    ("home-en", '"url":"{root}/"', '"url":"{root}/gone"'),
    ("home-en", 'src="/', 'src="/gone/'),
    ("site.css", 'url("', 'url("/gone/'),
]


def test_a_dead_link_in_any_document_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each document gets a dead address of its own; so do headers, a redirect and a 404.

    One body of the API gets the self link of another document.
    """
    for number, (family, old, new) in enumerate(BODIES):
        own = new.format(root=ROOT).replace("gone", f"gone-{number}-")
        rewrite_bodies(monkeypatch, family, replace_text(old.format(root=ROOT), own))

    def astray(body: Any) -> Any:
        body["meta"]["documentation"] = f"{ROOT}/docs/nowhere"
        return body

    def another(body: Any) -> Any:
        return body | {"self": body["self"].replace("/stats", "/studio")}

    def add_link(headers: dict[str, str]) -> dict[str, str]:
        links = filter(None, (headers.get("Link"), f'<{ROOT}/nowhere>; rel="help"'))
        return headers | {"Link": ", ".join(links)}

    rewrite_bodies(monkeypatch, "listTeam", astray)
    rewrite_bodies(monkeypatch, "listStats", another)
    with_link = ["about-en", "about-en-mirror", "listApps", "llms"]
    for name in with_link:
        change_headers(monkeypatch, name, add_link)
    monkeypatch.setattr(
        "site_mirror.registry.table.former_addresses", lambda context: [("/old", "/nowhere")]
    )
    monkeypatch.setattr(
        "site_mirror.freeze.site.refusal_body",
        lambda site, status, language: b"# No\n\n[x](/nowhere)\n",
    )

    failures = {*run_refused_freeze(site).failures("links")}

    named = {words for words in failures if "gone-" in words}
    rest = {words for words in failures - named if not words.startswith("the body of a ")}
    for number, body in enumerate(BODIES):
        assert any(f"gone-{number}-" in words for words in named), body
    assert all("where nothing is published" in words for words in named)
    assert rest == {
        f"/api/v1/stats says that it is {ROOT}/api/v1/studio",
        "/api/v1/team links to /docs/nowhere, where nothing is published",
        f"/old leads to {ROOT}/nowhere, which is not a document",
        *(
            f"the header Link of {table.FAMILIES_BY_NAME[name].template} leads to /nowhere, "
            "where nothing is published"
            for name in with_link
        ),
    }
    assert "the body of a 404 below / links to /nowhere, where nothing is published" in failures


def test_what_vanished_is_noticed_through_a_reused_document_that_links_to_it(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One article alone links to a page that is removed, another to an anchor that is removed.

    The document that repeats all articles is short: it is rendered with every edit, and would
    tell of any link.
    """
    rewrite_bodies(monkeypatch, "llms-full", lambda body: b"# Everything\n")
    anchored, other = "a-pendulum-in-your-pocket", "a-map-that-fits-in-fifty-megabytes"
    for row in (*Post.objects.all(), *Page.objects.all()):
        for name in ("body_en", "body_vi"):
            text = getattr(row, name)
            for slug in (LINKED, anchored):
                text = text.replace(f"/blog/{slug}", "/blog")
            setattr(row, name, text)
        row.save()
    TimelineLink.objects.filter(href__endswith=LINKED).delete()
    add_paragraph("## A place\n\nHere.", anchored)
    add_paragraph(f"See [it](/blog/{LINKED}).")
    add_paragraph(f"See [there](/blog/{anchored}#a-place).", other)
    run_freeze(site)
    Post.objects.filter(slug=LINKED).update(state=State.DRAFT)
    post = Post.objects.get(slug=anchored)
    post.body_en = post.body_en.replace("## A place", "## Another place")
    post.save()

    refused = run_refused_freeze(site)

    place = f"/blog/{anchored}#a-place, and /blog/{anchored} has no such place"
    assert refused.gates["links"].held > 100
    assert {*refused.failures("links")} == {
        f"/blog/{LINKING} links to /blog/{LINKED}, where nothing is published",
        f"/blog/{LINKING}.md links to /blog/{LINKED}, where nothing is published",
        f"/blog/{other} links to {place}",
        f"/blog/{other}.md links to {place}",
    }
