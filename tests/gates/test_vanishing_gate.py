"""Published addresses vanish only if they are withdrawn or retired, and not many at once."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from catalogue.models import (
    App,
    FormerAppSlug,
    FormerPostSlug,
    FormerTagSlug,
    Page,
    Post,
    State,
    Tag,
)
from site_mirror.documents.assets import ASSETS
from site_mirror.documents.family import Family
from site_mirror.gates import deletions
from site_mirror.hosts.http_client import HostResponse
from site_mirror.hosts.origin import release_of_origin
from site_mirror.hosts.release import read_release
from tests import factories
from tests.freeze import sites, target_files
from tests.freeze.frozen_copies import CopySite
from tests.gates.broken_families import change_family, remove_family, run_freeze, run_refused_freeze

ONE, TWO, RENAMED, FORMER = "one", "two", "renamed", "another-name"


def post_addresses(slug: str) -> set[str]:
    pages = f"/blog/{slug}", f"/vi/blog/{slug}"
    return {f"/api/v1/posts/{slug}", *pages, *(f"{page}.md" for page in pages)}


def tag_addresses(slug: str) -> set[str]:
    pages = f"/blog/tags/{slug}", f"/vi/blog/tags/{slug}"
    return {*pages, *(f"{page}.md" for page in pages)}


APP = {"/api/v1/apps/tool", "/apps/tool", "/apps/tool.md", "/vi/apps/tool", "/vi/apps/tool.md"}
ICON = {"/icons/tool.svg"}
OLD_YEAR = {"/blog/years/2019", "/blog/years/2019.md"}


def make_published_rows() -> None:
    """Create translated rows to which only lists link; one post was renamed."""
    sites.make_site()
    factories.make_translated_app(slug="tool")
    for slug in (ONE, TWO, FORMER):
        factories.make_translated_post(slug=slug)
    Post.objects.get(slug=ONE).tags.add(factories.make_tag(slug="maps"))
    Post.objects.get(slug=TWO).tags.add(factories.make_tag(slug="sound"))
    factories.make_post(slug="old", publish_at=datetime(2019, 5, 1, tzinfo=UTC))
    sites.edit_post(FORMER, slug=RENAMED)


def draft(row: Any) -> Any:
    """Set a row to draft, and return it."""
    row.state = State.DRAFT
    row.save()
    return row


def merge_tags() -> None:
    Post.objects.get(slug=ONE).tags.set([Tag.objects.get(slug="sound")])
    Tag.objects.get(slug="maps").delete()


EDITS: list[list[tuple[Callable[[], object], set[str]]]] = [
    [
        # Withdraw a post.
        (lambda: draft(Post.objects.get(slug=ONE)), post_addresses(ONE) | tag_addresses("maps")),
        # Withdraw a post, then delete it.
        (
            lambda: draft(Post.objects.get(slug=TWO)).delete(),
            post_addresses(TWO) | tag_addresses("sound"),
        ),
        # Delete an app.
        (lambda: App.objects.get(slug="tool").delete(), APP | ICON),
        # Empty a translation of a standing page.
        (
            lambda: Page.objects.filter(slug="privacy").update(title_vi="", body_vi=""),
            {"/vi/privacy", "/vi/privacy.md"},
        ),
        # Move the only post of a year.
        (lambda: Post.objects.filter(slug="old").update(publish_at=factories.PAST), OLD_YEAR),
    ],
    [
        # Delete a post.
        (lambda: Post.objects.get(slug=ONE).delete(), post_addresses(ONE) | tag_addresses("maps")),
        # Delete posts at once.
        (
            lambda: Post.objects.filter(slug__in=(TWO, RENAMED)).delete(),
            post_addresses(TWO)
            | post_addresses(RENAMED)
            | post_addresses(FORMER)
            | tag_addresses("sound"),
        ),
        # Withdraw an app, then delete it.
        (lambda: draft(App.objects.get(slug="tool")).delete(), APP | ICON),
    ],
    [
        # Remove an icon.
        (lambda: App.objects.filter(slug="tool").update(icon_svg=""), ICON),
        # Empty a translation of an app.
        (
            lambda: App.objects.filter(slug="tool").update(description_vi=""),
            {address for address in APP if address.startswith("/vi")},
        ),
        # Empty a translation of a renamed post.
        (
            lambda: Post.objects.filter(slug=RENAMED).update(
                title_vi="", excerpt_vi="", body_vi=""
            ),
            {each for slug in (RENAMED, FORMER) for each in post_addresses(slug) if "/vi" in each},
        ),
        # Rename a tag.
        (lambda: Tag.objects.filter(slug="maps").update(slug="atlas"), set()),
        # Take a tag off its last post.
        (lambda: Post.objects.get(slug=TWO).tags.set([]), tag_addresses("sound")),
    ],
    [
        # End a redirect.
        (
            lambda: Post.objects.get(slug=RENAMED).former_slugs.update(owner=None),
            post_addresses(FORMER),
        ),
        # Delete a tag.
        (lambda: Tag.objects.get(slug="maps").delete(), tag_addresses("maps")),
    ],
    [(merge_tags, tag_addresses("maps"))],
]
"""What editors click between two freezes, and the addresses that are gone by each click."""


@pytest.mark.parametrize("edits", EDITS)
def test_what_an_editor_takes_off_the_site_may_vanish(
    edits: list[tuple[Callable[[], object], set[str]]], copy_site: CopySite
) -> None:
    site = copy_site(make_published_rows)
    before = answering(site)
    for change, _ in edits:
        change()
    gone = set().union(*(addresses for _, addresses in edits))

    run_freeze(site, "--allow-deletions")

    assert gone <= before
    assert {each.removesuffix(".json") for each in before - answering(site)} == gone
    publish_another_edit(site)


def publish_another_edit(site: Path) -> None:
    Post.objects.filter(slug="older").update(excerpt_en="It echoes. Still.")
    run_freeze(site)


def answering(site: Path) -> set[str]:
    """Return the addresses of documents and redirects."""
    manifest = target_files.read_manifest(site)
    pages = {each for entry in manifest.documents for each in (entry.address, *entry.aliases)}
    return pages | {redirect.address for redirect in manifest.redirects}


def test_addresses_of_rows_that_are_lost_without_a_trace_are_named(copy_site: CopySite) -> None:
    """So it is after a restore of an earlier backup, whose rows nobody has deleted."""
    site = copy_site(make_published_rows)
    for lost in (Tag.objects.filter(slug="maps"), Post.objects.filter(slug=ONE)):
        lost.delete()
    for memory in (FormerAppSlug, FormerPostSlug, FormerTagSlug):
        memory.objects.all().delete()

    refused = run_refused_freeze(site)

    lost = post_addresses(ONE) | tag_addresses("maps") | post_addresses(FORMER)
    assert {words.partition(" ")[0] for words in refused.failures("vanished")} == {
        *lost,
        f"/api/v1/posts/{FORMER}.json",
    }
    words = f"was published and is missing; if that is intended, use --retire /blog/{ONE}"
    assert f"/blog/{ONE} {words}" in refused.failures("vanished")
    assert (refused.code, refused.failed) == (1, {"vanished"})
    retired = (word for address in lost for word in ("--retire", address))
    run_freeze(site, *retired)
    publish_another_edit(site)


def test_a_document_that_the_program_leaves_out_is_named(
    copy_site: CopySite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row is published, so no editor has taken it off the site."""
    site = copy_site(make_published_rows)

    def without(family: Family, slug: str) -> Family:
        def part(subject: Any) -> Any:
            found = family.part(subject)
            return None if found and family.address_of(found) == family.address(slug) else found

        return replace(family, part=part)

    for name, slug in {"post-vi": ONE, "post-vi-mirror": ONE, "tag-en": "maps"}.items():
        change_family(monkeypatch, name, partial(without, slug=slug))

    refused = run_refused_freeze(site)

    assert {words.partition(" ")[0] for words in refused.failures("vanished")} == {
        *(f"/vi/blog/{ONE}", f"/vi/blog/{ONE}.md", "/blog/tags/maps")
    }


def test_a_mirror_may_not_vanish_and_an_asset_with_a_changed_address_may(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_family(monkeypatch, "swagger-ui-licence.txt")
    remove_family(monkeypatch, "privacy-en-mirror")

    refused = run_refused_freeze(site)

    assert refused.failed == {"links", "vanished"}
    assert {words.partition(" ")[0] for words in refused.failures("vanished")} == {"/privacy.md"}
    assert "/privacy links to /privacy.md, where nothing is published" in refused.failures("links")


def test_an_asset_of_an_earlier_release_is_carried_and_no_new_link_may_lead_to_it(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = ASSETS["swagger-ui-licence.txt"].address
    post = Post.objects.exclude(body_en="").first()
    assert post
    remove_family(monkeypatch, "swagger-ui-licence.txt")
    run_freeze(site)
    sites.edit_post(post.slug, body_en=f"See [an asset]({address}).")

    refused = run_refused_freeze(site)

    assert target_files.read_entries(site)[address].superseded
    assert refused.failed == {"links"}
    words = f"/blog/{post.slug} links to {address}, where nothing is published"
    assert words in refused.failures("links")
    # The live origin has no release before it.
    live, _ = release_of_origin(
        read_release(site / "current"), lambda request: HostResponse(404, {}, b"")
    )
    assert address not in live.by_address


def test_losing_too_many_documents_at_once_needs_an_option(site: Path) -> None:
    before = len(target_files.read_entries(site))
    for model in (Post, App):
        model.objects.update(state=State.DRAFT)
    assert run_refused_freeze(site).failed.isdisjoint({"deletions", "vanished"})

    for model in (Post, App, FormerAppSlug, FormerPostSlug, FormerTagSlug):
        model.objects.all().delete()
    [failure] = run_refused_freeze(site).failures("deletions")
    assert failure.endswith(
        f"of {before} documents would be lost, more than 20 %; "
        "if that is intended, use --allow-deletions"
    )
    for options in (["--allow-deletions"], ["--deletions", "90"]):
        assert "deletions" not in run_refused_freeze(site, *options).failed


@pytest.mark.parametrize(
    ("left", "count", "refused"),
    [(20, 100, False), (21, 100, True), (4, 20, False), (5, 20, True), (19, 19, False)],
)
def test_the_limit_of_removed_documents_is_inclusive(left: int, count: int, refused: bool) -> None:
    assert deletions.judge(left, count, 20).passed is not refused
