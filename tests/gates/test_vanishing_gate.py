"""What was published goes only if somebody said so, and never a lot of it by accident."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalogue.models import App, Post, State, TimelineLink
from site_mirror.gates.vanishing import too_many
from site_mirror.snapshot.target import Target
from tests.freeze import makers
from tests.gates.breaking import frozen, refused, without_family

SLUG = "breathing-at-six-per-minute"
ADDRESSES = (f"/api/v1/posts/{SLUG}", f"/blog/{SLUG}", f"/vi/blog/{SLUG}")


def forget_links_to(slug: str) -> None:
    """Links of articles and milestones to a post lead to the blog from now on."""
    for post in Post.objects.all():
        for name in ("body_en", "body_vi"):
            text = getattr(post, name)
            setattr(post, name, text.replace(f"/blog/{slug}", "/blog"))
        post.save()
    for language in ("/vi", ""):
        TimelineLink.objects.filter(href=f"{language}/blog/{slug}").update(href=f"{language}/blog")


@pytest.fixture
def unlinked(site: Path) -> Path:
    """A release in which nothing but lists links to one of the posts."""
    forget_links_to(SLUG)
    frozen(site)
    return site


def test_a_row_that_is_deleted_is_named_with_all_its_addresses(unlinked: Path) -> None:
    Post.objects.get(slug=SLUG).delete()

    told = refused(unlinked)

    expected = (*ADDRESSES, f"/blog/{SLUG}.md", f"/vi/blog/{SLUG}.md")
    assert {words.partition(" ")[0] for words in told.failures("vanished")} == {*expected}
    assert f"/blog/{SLUG} was published and is gone; --retire /blog/{SLUG} if it should" in (
        told.failures("vanished")
    )
    assert (told.code, told.failed) == (1, {"vanished"})


def test_what_is_retired_explicitly_may_go_and_stays_away(unlinked: Path) -> None:
    Post.objects.get(slug=SLUG).delete()

    frozen(unlinked, *(word for address in ADDRESSES for word in ("--retire", address)))
    Post.objects.filter(slug="a-pendulum-in-your-pocket").update(excerpt_en="It swings. Still.")
    frozen(unlinked)

    assert not (Target(unlinked).public / f"blog/{SLUG}.html").exists()


def test_what_an_editor_withdraws_may_go(unlinked: Path) -> None:
    Post.objects.filter(slug=SLUG).update(state=State.DRAFT)

    frozen(unlinked)

    assert not (Target(unlinked).public / f"blog/{SLUG}.html").exists()
    assert not (Target(unlinked).public / f"blog/{SLUG}.md").exists()


def test_what_is_renamed_leads_on(unlinked: Path) -> None:
    makers.edit(SLUG, slug="six-breaths")

    frozen(unlinked)

    moved = {redirect.address for redirect in makers.frozen_manifest(unlinked).redirects}
    assert {*ADDRESSES} <= moved


def test_a_redirect_that_is_forgotten_is_named(unlinked: Path) -> None:
    makers.edit(SLUG, slug="six-breaths")
    frozen(unlinked)
    Post.objects.get(slug="six-breaths").former_slugs.all().delete()

    failures = refused(unlinked).failures("vanished")

    assert {words.partition(" ")[0] for words in failures} >= {*ADDRESSES}


def test_former_addresses_of_what_is_withdrawn_may_go(unlinked: Path) -> None:
    makers.edit(SLUG, slug="six-breaths")
    frozen(unlinked)
    Post.objects.filter(slug="six-breaths").update(state=State.DRAFT)

    frozen(unlinked)

    assert list(makers.frozen_manifest(unlinked).redirects) == []


def test_a_translation_that_is_emptied_is_named(unlinked: Path) -> None:
    Post.objects.filter(slug=SLUG).update(title_vi="", excerpt_vi="", body_vi="")

    failures = refused(unlinked).failures("vanished")

    assert {words.partition(" ")[0] for words in failures} == {
        f"/vi/blog/{SLUG}",
        f"/vi/blog/{SLUG}.md",
    }


def test_a_list_goes_with_the_last_that_it_lists(site: Path) -> None:
    for post in Post.objects.filter(tags__slug="maps"):
        post.tags.remove(*post.tags.filter(slug="maps"))

    frozen(site)

    assert not (Target(site).public / "blog/tags/maps.html").exists()


def test_an_asset_whose_content_changed_has_another_address(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_family(monkeypatch, "swagger-ui-licence.txt")

    told = refused(site)

    assert "vanished" not in told.failed
    assert "links" in told.failed


def withdraw_everything() -> None:
    Post.objects.update(state=State.DRAFT)
    App.objects.update(state=State.DRAFT)


def test_more_than_a_share_of_the_documents_does_not_go_at_once(site: Path) -> None:
    before = len(makers.entries(site))
    withdraw_everything()

    told = refused(site)

    [failure] = told.failures("deletions")
    assert failure.endswith(
        f"of {before} documents would go, more than 20 %; --allow-deletions if they should"
    )
    assert "vanished" not in told.failed


@pytest.mark.parametrize("options", [("--allow-deletions",), ("--deletions", "90")], ids=" ".join)
def test_an_explicit_word_lets_them_go(options: tuple[str, ...], site: Path) -> None:
    withdraw_everything()

    told = refused(site, *options)

    assert "deletions" not in told.failed


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
def test_the_share_itself_may_go_and_one_more_may_not(left: int, count: int, refused: bool) -> None:
    assert bool([*too_many(left, count, 20)]) is refused
