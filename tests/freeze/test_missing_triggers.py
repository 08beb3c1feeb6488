"""A freeze that cannot know what was edited reads everything, and says why."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from catalogue.models import Post
from site_mirror import repeating
from site_mirror.snapshot.target import Target
from tests.catalogue import missing
from tests.freeze import makers

FAULT = pytest.mark.parametrize("fault", missing.FAULTS.values(), ids=missing.FAULTS)


def freeze(target: Path, *options: str) -> int:
    """The exit code."""
    try:
        call_command("freeze", str(target), *options)
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0


def text_of(site: Path, slug: str) -> str:
    return (Target(site).public / f"blog/{slug}.html").read_text()


@FAULT
def test_an_edit_that_no_trigger_saw_is_published(
    fault: Callable[[], None], small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fault()
    Post.objects.filter(slug="older").update(body_en="Another body.")

    assert freeze(small_site) == 0
    assert "Another body." in text_of(small_site, "older")
    assert "so this freeze reads all content. Run “manage.py migrate”." in capsys.readouterr().err


@FAULT
def test_the_next_edit_is_published_too(fault: Callable[[], None], small_site: Path) -> None:
    fault()
    for body in ("One body.", "Another body."):
        Post.objects.filter(slug="older").update(body_en=body)

        assert freeze(small_site) == 0
        assert body in text_of(small_site, "older")


def test_what_is_edited_meanwhile_is_published_after_a_migrate(small_site: Path) -> None:
    missing.all_dropped()
    Post.objects.filter(slug="older").update(body_en="Another body.", slug="renamed")
    missing.migrated()

    assert freeze(small_site) == 0
    assert "Another body." in text_of(small_site, "renamed")
    assert "/blog/older" in (Target(small_site).current / "manifest.jsonl").read_text()


def test_nothing_is_taken_for_the_same_by_its_stamp(small_site: Path) -> None:
    missing.all_dropped()
    freeze(small_site)
    Post.objects.filter(slug="older").update(body_en="Another body.")
    freeze(small_site)

    assert repeating.digests(Target(small_site)) == {}


def test_only_a_freeze_can_tell_that_nothing_changed(
    small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing.all_dropped()

    assert repeating.repeated(Target(small_site), makers.LATER) is None
    assert freeze(small_site, "--json") == 3
    assert "Run “manage.py migrate”" in json.loads(capsys.readouterr().out)["doubt"]


def test_a_freeze_with_all_triggers_has_no_doubt(
    small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    makers.edit("older", title_en="Another title")

    assert freeze(small_site, "--json") == 0
    told = capsys.readouterr()
    assert "doubt" not in json.loads(told.out)
    assert told.err == ""
