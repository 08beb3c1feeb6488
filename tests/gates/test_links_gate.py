"""The link gate refuses dead links and links to hosts that are not public."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from api.headers import Headers
from catalogue.models import Page, Post, State, TimelineLink
from site_mirror.documents.family import Family
from site_mirror.registry import table
from tests.gates.broken_families import (
    ROOT,
    change_family,
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


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("/blog/nowhere", "/blog/nowhere, where nothing is published"),
        (f"{ROOT}/blog/nowhere?x=1", "/blog/nowhere, where nothing is published"),
        ("nowhere", "/blog/nowhere, where nothing is published"),
        ("/science#nowhere", "/science#nowhere, and /science has no such place"),
        ("/llms.txt#nowhere", "/llms.txt#nowhere, and /llms.txt has no such place"),
    ],
)
def test_a_dead_link_of_an_article_is_named_for_page_and_mirror(
    link: str, said: str, site: Path
) -> None:
    add_paragraph(f"See [there]({link}).")

    refused = run_refused_freeze(site)

    failures = [
        words for words in refused.failures("links") if words.startswith(f"/blog/{LINKING}")
    ]
    assert failures == [
        f"/blog/{LINKING} links to {said}",
        f"/blog/{LINKING}.md links to {said}",
    ]
    assert (refused.code, refused.failed) == (1, {"links"})


def test_a_link_to_a_missing_anchor_of_its_own_page_is_named(site: Path) -> None:
    add_paragraph("See [below](#nowhere).")

    failures = run_refused_freeze(site).failures("links")

    place = f"/blog/{LINKING}#nowhere, and /blog/{LINKING} has no such place"
    assert {*failures} == {
        f"/blog/{LINKING} links to #nowhere, which it does not have",
        f"/blog/{LINKING}.md links to {place}",
        f"/llms-full.txt links to {place}",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        (
            "See [it](/blog/breathing-at-six-per-minute?from=here), [data](/api/v1/apps.json), "
            "[the index](/api/v1), [a place](/docs/problems#rate-limit-exceeded), [the top](#top), "
            "[elsewhere](https://elsewhere.example/nowhere) and [mail](mailto:a@mail.example)."
        ),
        (
            f'Write `<a href="/nowhere">` or\n\n```html\n<a href="{ROOT}/nowhere" id="x">'
            '<a href="#nowhere">\n```\n'
        ),
        f"```md\n[nowhere](/nowhere), <{ROOT}/nowhere>, [place](/science#nowhere)\n```\n",
        "```sh\ncurl http://localhost:8000/nowhere\n```\nor `http://127.0.0.1/`, [a](tel:1)",
    ],
)
def test_valid_links_and_texts_without_links_are_published(text: str, site: Path) -> None:
    add_paragraph(text)

    run_freeze(site)

    assert "releases/" in str((site / "current").readlink())
    assert len([*(site / "releases").iterdir()]) == 2


LISTS: list[tuple[str, str, str]] = [
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


@pytest.mark.slow
@pytest.mark.parametrize(("family", "old", "new"), LISTS)
def test_a_list_with_a_dead_link_is_named(
    family: str, old: str, new: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = replace_text(old.format(root=ROOT), new.format(root=ROOT))
    rewrite_bodies(monkeypatch, family, change)

    failures = run_refused_freeze(site).failures("links")

    assert failures
    assert all("gone" in words and "where nothing is published" in words for words in failures)


def test_an_api_body_with_a_dead_link_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def astray(body: Any) -> Any:
        body["meta"]["documentation"] = f"{ROOT}/docs/nowhere"
        return body

    rewrite_bodies(monkeypatch, "listTeam", astray)

    assert run_refused_freeze(site).failures("links") == (
        "/api/v1/team links to /docs/nowhere, where nothing is published",
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["about-en", "about-en-mirror", "listTeam", "llms"])
def test_a_header_with_a_dead_link_is_named(
    name: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = table.FAMILIES_BY_NAME[name].template

    def astray(family: Family) -> Family:
        def headers(*asked: Any) -> Headers:
            made = family.headers(*asked)
            links = filter(None, (made.get("Link"), f'<{ROOT}/nowhere>; rel="help"'))
            return {**made, "Link": ", ".join(links)}

        return replace(family, headers=headers)

    change_family(monkeypatch, name, astray)
    monkeypatch.setattr("site_mirror.documents.digests.program_digest", lambda: "another program")

    assert run_refused_freeze(site).failures("links") == (
        f"the header Link of {address} leads to /nowhere, where nothing is published",
    )


@pytest.fixture
def single_link_site(site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release in which one article alone links to a place on another.

    The document that repeats all articles is short: it is rendered with every edit, and would
    tell of any link.
    """
    rewrite_bodies(monkeypatch, "llms-full", lambda body: b"# Everything\n")
    for row in (*Post.objects.all(), *Page.objects.all()):
        for name in ("body_en", "body_vi"):
            setattr(row, name, getattr(row, name).replace(f"/blog/{LINKED}", "/blog"))
        row.save()
    TimelineLink.objects.filter(href__endswith=LINKED).delete()
    add_paragraph("## A place\n\nHere.", LINKED)
    add_paragraph(f"See [there](/blog/{LINKED}#a-place) and [it](/blog/{LINKED}).")
    run_freeze(site)
    return site


def test_a_removed_page_is_noticed_through_a_reused_document_that_links_to_it(
    single_link_site: Path,
) -> None:
    Post.objects.filter(slug=LINKED).update(state=State.DRAFT)

    refused = run_refused_freeze(single_link_site)

    assert refused.gates["links"].held > 100
    assert refused.failures("links") == (
        f"/blog/{LINKING} links to /blog/{LINKED}, where nothing is published",
        f"/blog/{LINKING}.md links to /blog/{LINKED}, where nothing is published",
    )


def test_a_removed_anchor_is_noticed_through_a_reused_document_that_links_to_it(
    single_link_site: Path,
) -> None:
    post = Post.objects.get(slug=LINKED)
    post.body_en = post.body_en.replace("## A place", "## Another place")
    post.save()

    refused = run_refused_freeze(single_link_site)

    place = f"/blog/{LINKED}#a-place, and /blog/{LINKED} has no such place"
    assert refused.gates["links"].held > 100
    assert refused.failures("links") == (
        f"/blog/{LINKING} links to {place}",
        f"/blog/{LINKING}.md links to {place}",
    )


def test_a_text_that_looks_like_a_link_is_parsed_again(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    comment = '<!-- <a href="#nowhere"> <a href="/nowhere"> <a href="http://localhost/"> -->'
    rewrite_bodies(monkeypatch, "about-en", replace_text("</body>", f"{comment}</body>"))

    run_freeze(site)

    assert len([*(site / "releases").iterdir()]) == 2


@pytest.mark.slow
def test_an_error_body_with_a_dead_link_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "site_mirror.freeze.site.refusal_body", lambda site, status: b"# No\n\n[x](/nowhere)\n"
    )

    failures = run_refused_freeze(site).failures("links")

    assert "the body of a 404 below / links to /nowhere, where nothing is published" in failures


def test_a_redirect_to_a_missing_page_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "site_mirror.registry.table.former_addresses", lambda context: [("/old", "/nowhere")]
    )

    assert run_refused_freeze(site).failures("links") == (
        f"/old leads to {ROOT}/nowhere, which is not a document",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "link",
    ["http://localhost:8000/apps", "https://staging.studio.example/apps", "//127.0.0.1/apps"],
)
def test_a_link_to_an_unreachable_host_is_named(link: str, site: Path) -> None:
    add_paragraph(f"See [there]({link}).")

    refused = run_refused_freeze(site)

    assert any(
        words.startswith(f"/blog/{LINKING} links to {link}, which ")
        for words in refused.failures("hosts")
    )
    assert (refused.code, refused.failed) == (1, {"hosts"})
