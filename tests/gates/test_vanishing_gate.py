"""Published addresses vanish only if they are withdrawn or retired, and not many at once."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalogue.models import App, Post, State
from site_mirror.documents.assets import ASSETS
from site_mirror.gates import deletions
from site_mirror.hosts.http_client import HostResponse
from site_mirror.hosts.origin import release_of_origin
from site_mirror.hosts.release import read_release
from site_mirror.snapshot.target import Target
from tests import factories
from tests.freeze import sites, target_files
from tests.gates.broken_families import remove_family, run_freeze, run_refused_freeze

RENAMED, WITHDRAWN, DELETED, EMPTIED = "renamed", "withdrawn", "deleted", "emptied"


def post_addresses(slug: str) -> tuple[str, ...]:
    return f"/api/v1/posts/{slug}", f"/blog/{slug}", f"/vi/blog/{slug}"


@pytest.fixture
def published(db: None, tmp_path: Path) -> Path:
    """A release with translated posts, to which only lists link; one post was renamed."""
    sites.make_site()
    for slug in (RENAMED, WITHDRAWN, DELETED, EMPTIED):
        factories.make_translated_post(slug=slug)
    Post.objects.get(slug=EMPTIED).tags.add(factories.make_tag(slug="maps"))
    run_freeze(tmp_path / "site")
    sites.edit_post(RENAMED, slug="another-name")
    run_freeze(tmp_path / "site")
    return tmp_path / "site"


def test_addresses_of_a_row_that_is_gone_are_named(published: Path) -> None:
    """One row is deleted, one loses its translation, and a renamed one its former addresses."""
    Post.objects.get(slug=DELETED).delete()
    Post.objects.filter(slug=EMPTIED).update(title_vi="", excerpt_vi="", body_vi="")
    Post.objects.get(slug="another-name").former_slugs.all().delete()

    refused = run_refused_freeze(published)

    assert {words.partition(" ")[0] for words in refused.failures("vanished")} == {
        *(*post_addresses(DELETED), f"/blog/{DELETED}.md", f"/vi/blog/{DELETED}.md"),
        *(f"/vi/blog/{EMPTIED}", f"/vi/blog/{EMPTIED}.md"),
        *(*post_addresses(RENAMED), f"/blog/{RENAMED}.md", f"/vi/blog/{RENAMED}.md"),
        f"/api/v1/posts/{RENAMED}.json",
    }
    words = f"was published and is missing; if that is intended, use --retire /blog/{DELETED}"
    assert f"/blog/{DELETED} {words}" in refused.failures("vanished")
    assert (refused.code, refused.failed) == (1, {"vanished"})


def test_withdrawn_and_retired_rows_may_vanish(published: Path) -> None:
    """A renamed row redirects until it is withdrawn; a retired address stays retired."""
    moved = {redirect.address for redirect in target_files.read_manifest(published).redirects}
    Post.objects.filter(slug__in=(WITHDRAWN, "another-name")).update(state=State.DRAFT)
    Post.objects.get(slug=DELETED).delete()
    Post.objects.get(slug=EMPTIED).tags.clear()

    retired = post_addresses(DELETED)
    run_freeze(published, *(word for address in retired for word in ("--retire", address)))
    Post.objects.filter(slug=EMPTIED).update(excerpt_en="It echoes. Still.")
    run_freeze(published)

    public = Target(published).public
    gone = [f"blog/{slug}" for slug in (WITHDRAWN, "another-name", DELETED)]
    assert {*post_addresses(RENAMED)} <= moved
    assert list(target_files.read_manifest(published).redirects) == []
    for name in (*gone, "blog/tags/maps"):
        assert not (public / f"{name}.html").exists()
        assert not (public / f"{name}.md").exists()
    assert (public / f"blog/{EMPTIED}.html").exists()


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


def test_removing_too_many_documents_at_once_needs_an_option(site: Path) -> None:
    before = len(target_files.read_entries(site))
    Post.objects.update(state=State.DRAFT)
    App.objects.update(state=State.DRAFT)

    refused = run_refused_freeze(site)

    [failure] = refused.failures("deletions")
    assert failure.endswith(
        f"of {before} documents would be deleted, more than 20 %; "
        "if that is intended, use --allow-deletions"
    )
    assert "vanished" not in refused.failed
    for options in (["--allow-deletions"], ["--deletions", "90"]):
        assert "deletions" not in run_refused_freeze(site, *options).failed


@pytest.mark.parametrize(
    "words",
    [("--retire", "blog/x"), ("--retire", "https://elsewhere.example/x"), ("--deletions", "101")],
    ids=" ".join,
)
def test_a_wrong_option_is_a_usage_error(words: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="argument --"):
        call_command("freeze", str(tmp_path / "site"), *words)


@pytest.mark.parametrize(
    ("left", "count", "refused"),
    [(20, 100, False), (21, 100, True), (4, 20, False), (5, 20, True), (19, 19, False)],
)
def test_the_limit_of_removed_documents_is_inclusive(left: int, count: int, refused: bool) -> None:
    assert deletions.judge(left, count, 20).passed is not refused
