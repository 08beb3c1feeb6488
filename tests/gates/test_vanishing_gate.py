"""Published addresses vanish only if they are withdrawn or retired, and not many at once."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalogue.models import App, Post, State, TimelineLink
from site_mirror.gates.vanishing import check_deletion_limit
from site_mirror.snapshot.target import Target
from tests.freeze import sites, target_files
from tests.gates.broken_families import remove_family, run_freeze, run_refused_freeze

SLUG = "breathing-at-six-per-minute"
ADDRESSES = (f"/api/v1/posts/{SLUG}", f"/blog/{SLUG}", f"/vi/blog/{SLUG}")


def replace_links_to(slug: str) -> None:
    """Replace links of articles and milestones to a post by links to the blog."""
    for post in Post.objects.all():
        for name in ("body_en", "body_vi"):
            text = getattr(post, name)
            setattr(post, name, text.replace(f"/blog/{slug}", "/blog"))
        post.save()
    for language in ("/vi", ""):
        TimelineLink.objects.filter(href=f"{language}/blog/{slug}").update(href=f"{language}/blog")


@pytest.fixture
def unlinked(site: Path) -> Path:
    """A release in which only lists link to one of the posts."""
    replace_links_to(SLUG)
    run_freeze(site)
    return site


def test_a_deleted_row_is_named_with_all_its_addresses(unlinked: Path) -> None:
    Post.objects.get(slug=SLUG).delete()

    refused = run_refused_freeze(unlinked)

    expected = (*ADDRESSES, f"/blog/{SLUG}.md", f"/vi/blog/{SLUG}.md")
    assert {words.partition(" ")[0] for words in refused.failures("vanished")} == {*expected}
    words = f"was published and is missing; if that is intended, use --retire /blog/{SLUG}"
    assert f"/blog/{SLUG} {words}" in refused.failures("vanished")
    assert (refused.code, refused.failed) == (1, {"vanished"})


@pytest.mark.slow
def test_an_explicitly_retired_address_may_vanish_and_stays_retired(unlinked: Path) -> None:
    Post.objects.get(slug=SLUG).delete()

    run_freeze(unlinked, *(word for address in ADDRESSES for word in ("--retire", address)))
    Post.objects.filter(slug="a-pendulum-in-your-pocket").update(excerpt_en="It swings. Still.")
    run_freeze(unlinked)

    assert not (Target(unlinked).public / f"blog/{SLUG}.html").exists()


@pytest.mark.slow
def test_a_withdrawn_row_may_vanish(unlinked: Path) -> None:
    Post.objects.filter(slug=SLUG).update(state=State.DRAFT)

    run_freeze(unlinked)

    assert not (Target(unlinked).public / f"blog/{SLUG}.html").exists()
    assert not (Target(unlinked).public / f"blog/{SLUG}.md").exists()


def test_a_renamed_row_redirects(unlinked: Path) -> None:
    sites.edit_post(SLUG, slug="six-breaths")

    run_freeze(unlinked)

    moved = {redirect.address for redirect in target_files.read_manifest(unlinked).redirects}
    assert {*ADDRESSES} <= moved


@pytest.mark.slow
def test_a_missing_redirect_is_named(unlinked: Path) -> None:
    sites.edit_post(SLUG, slug="six-breaths")
    run_freeze(unlinked)
    Post.objects.get(slug="six-breaths").former_slugs.all().delete()

    failures = run_refused_freeze(unlinked).failures("vanished")

    assert {words.partition(" ")[0] for words in failures} >= {*ADDRESSES}


@pytest.mark.slow
def test_former_addresses_of_a_withdrawn_row_may_vanish(unlinked: Path) -> None:
    sites.edit_post(SLUG, slug="six-breaths")
    run_freeze(unlinked)
    Post.objects.filter(slug="six-breaths").update(state=State.DRAFT)

    run_freeze(unlinked)

    assert list(target_files.read_manifest(unlinked).redirects) == []


@pytest.mark.slow
def test_a_translation_that_is_emptied_is_named(unlinked: Path) -> None:
    Post.objects.filter(slug=SLUG).update(title_vi="", excerpt_vi="", body_vi="")

    failures = run_refused_freeze(unlinked).failures("vanished")

    assert {words.partition(" ")[0] for words in failures} == {
        f"/vi/blog/{SLUG}",
        f"/vi/blog/{SLUG}.md",
    }


def test_a_list_may_vanish_with_its_last_item(site: Path) -> None:
    for post in Post.objects.filter(tags__slug="maps"):
        post.tags.remove(*post.tags.filter(slug="maps"))

    run_freeze(site)

    assert not (Target(site).public / "blog/tags/maps.html").exists()


def test_an_asset_whose_content_changed_has_another_address(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_family(monkeypatch, "swagger-ui-licence.txt")

    refused = run_refused_freeze(site)

    assert "vanished" not in refused.failed
    assert "links" in refused.failed


def withdraw_everything() -> None:
    Post.objects.update(state=State.DRAFT)
    App.objects.update(state=State.DRAFT)


def test_removing_too_many_documents_at_once_is_refused(site: Path) -> None:
    before = len(target_files.read_entries(site))
    withdraw_everything()

    refused = run_refused_freeze(site)

    [failure] = refused.failures("deletions")
    assert failure.endswith(
        f"of {before} documents would be deleted, more than 20 %; "
        "if that is intended, use --allow-deletions"
    )
    assert "vanished" not in refused.failed


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--allow-deletions",), ("--deletions", "90")], ids=" ".join)
def test_an_option_allows_removing_many_documents(options: tuple[str, ...], site: Path) -> None:
    withdraw_everything()

    refused = run_refused_freeze(site, *options)

    assert "deletions" not in refused.failed


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
    assert bool([*check_deletion_limit(left, count, 20)]) is refused
