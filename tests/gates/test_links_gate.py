"""Every link leads to something that is published, and none to a host that readers do not reach."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from api.headers import Headers
from catalogue.models import Page, Post, State, TimelineLink
from site_mirror import registry
from site_mirror.documents import Family
from tests.gates.breaking import ROOT, changed_family, frozen, refused, replacing, rewritten

LINKING, LINKED = "why-our-apps-have-no-accounts", "breathing-at-six-per-minute"


def say(text: str, slug: str = LINKING) -> None:
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
def test_a_link_of_an_article_that_leads_nowhere_is_named_in_both_forms(
    link: str, said: str, site: Path
) -> None:
    say(f"See [there]({link}).")

    told = refused(site)

    failures = [words for words in told.failures("links") if words.startswith(f"/blog/{LINKING}")]
    assert failures == [
        f"/blog/{LINKING} links to {said}",
        f"/blog/{LINKING}.md links to {said}",
    ]
    assert (told.code, told.failed) == (1, {"links"})


def test_a_place_that_the_page_itself_does_not_have_is_named(site: Path) -> None:
    say("See [below](#nowhere).")

    failures = refused(site).failures("links")

    place = f"/blog/{LINKING}#nowhere, and /blog/{LINKING} has no such place"
    assert {*failures} == {
        f"/blog/{LINKING} links to #nowhere, which it does not have",
        f"/blog/{LINKING}.md links to {place}",
        f"/llms-full.txt links to {place}",
    }


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
def test_what_resolves_and_what_is_no_link_is_published(text: str, site: Path) -> None:
    say(text)

    frozen(site)

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


@pytest.mark.parametrize(("family", "old", "new"), LISTS)
def test_a_list_with_an_entry_that_leads_nowhere_is_named(
    family: str, old: str, new: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = replacing(old.format(root=ROOT), new.format(root=ROOT))
    rewritten(monkeypatch, family, change)

    failures = refused(site).failures("links")

    assert failures
    assert all("gone" in words and "where nothing is published" in words for words in failures)


def test_a_body_of_the_api_with_a_link_that_leads_nowhere_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def astray(body: Any) -> Any:
        body["meta"]["documentation"] = f"{ROOT}/docs/nowhere"
        return body

    rewritten(monkeypatch, "listTeam", astray)

    assert refused(site).failures("links") == (
        "/api/v1/team links to /docs/nowhere, where nothing is published",
    )


@pytest.mark.parametrize("name", ["about-en", "about-en-mirror", "listTeam", "llms"])
def test_a_header_that_leads_nowhere_is_named(
    name: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = registry.BY_NAME[name].template

    def astray(family: Family) -> Family:
        def headers(*asked: Any) -> Headers:
            made = family.headers(*asked)
            links = filter(None, (made.get("Link"), f'<{ROOT}/nowhere>; rel="help"'))
            return {**made, "Link": ", ".join(links)}

        return replace(family, headers=headers)

    changed_family(monkeypatch, name, astray)
    monkeypatch.setattr("site_mirror.inputs.program", lambda: "another program")

    assert refused(site).failures("links") == (
        f"the header Link of {address} leads to /nowhere, where nothing is published",
    )


@pytest.fixture
def alone(site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release in which one article alone links to a place on another.

    The document that repeats all articles is short: it is rendered with every edit, and would
    tell of any link.
    """
    rewritten(monkeypatch, "llms-full", lambda body: b"# Everything\n")
    for row in (*Post.objects.all(), *Page.objects.all()):
        for name in ("body_en", "body_vi"):
            setattr(row, name, getattr(row, name).replace(f"/blog/{LINKED}", "/blog"))
        row.save()
    TimelineLink.objects.filter(href__endswith=LINKED).delete()
    say("## A place\n\nHere.", LINKED)
    say(f"See [there](/blog/{LINKED}#a-place) and [it](/blog/{LINKED}).")
    frozen(site)
    return site


def test_a_document_that_is_taken_over_is_found_when_what_it_links_to_goes(alone: Path) -> None:
    Post.objects.filter(slug=LINKED).update(state=State.DRAFT)

    told = refused(alone)

    assert told.gates["links"].held > 100
    assert told.failures("links") == (
        f"/blog/{LINKING} links to /blog/{LINKED}, where nothing is published",
        f"/blog/{LINKING}.md links to /blog/{LINKED}, where nothing is published",
    )


def test_a_document_that_is_taken_over_is_found_when_a_place_goes(alone: Path) -> None:
    post = Post.objects.get(slug=LINKED)
    post.body_en = post.body_en.replace("## A place", "## Another place")
    post.save()

    told = refused(alone)

    place = f"/blog/{LINKED}#a-place, and /blog/{LINKED} has no such place"
    assert told.gates["links"].held > 100
    assert told.failures("links") == (
        f"/blog/{LINKING} links to {place}",
        f"/blog/{LINKING}.md links to {place}",
    )


def test_what_only_looks_like_a_link_is_read_once_more(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    comment = '<!-- <a href="#nowhere"> <a href="/nowhere"> <a href="http://localhost/"> -->'
    rewritten(monkeypatch, "about-en", replacing("</body>", f"{comment}</body>"))

    frozen(site)

    assert len([*(site / "releases").iterdir()]) == 2


def test_the_body_of_an_error_leads_somewhere_too(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "site_mirror.freezing.refusal_body", lambda site, status: b"# No\n\n[x](/nowhere)\n"
    )

    failures = refused(site).failures("links")

    assert "the body of a 404 below / links to /nowhere, where nothing is published" in failures


def test_a_redirect_that_leads_nowhere_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_mirror.registry.moves", lambda context: [("/old", "/nowhere")])

    assert refused(site).failures("links") == (
        f"/old leads to {ROOT}/nowhere, which is no document",
    )


@pytest.mark.parametrize(
    "link",
    ["http://localhost:8000/apps", "https://staging.studio.example/apps", "//127.0.0.1/apps"],
)
def test_a_link_to_a_host_that_readers_do_not_reach_is_named(link: str, site: Path) -> None:
    say(f"See [there]({link}).")

    told = refused(site)

    assert any(
        words.startswith(f"/blog/{LINKING} links to {link}, which ")
        for words in told.failures("hosts")
    )
    assert (told.code, told.failed) == (1, {"hosts"})
