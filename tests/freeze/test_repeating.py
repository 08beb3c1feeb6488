"""A freeze of an unchanged site reports that without reading content."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from django.test import override_settings
from django.utils import timezone

from catalogue.models import App, State
from site_mirror.freeze import site, up_to_date
from site_mirror.snapshot import published
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests import factories
from tests.freeze import commands, sites, target_files


def is_up_to_date(site: Path, at: datetime | None = None) -> bool:
    return up_to_date.unchanged_report(Target(site), at or timezone.now()) is not None


def test_an_unchanged_site_is_reported_without_reading_content(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    App.objects.update(state=State.DRAFT)
    published = sites.freeze_into(small_site, sites.LATER)
    after = json.loads(commands.freeze(str(small_site), "--json").stdout)
    frozen = sites.freeze_into(small_site, sites.LATER).members()
    monkeypatch.setattr(site, "freeze_site", lambda *args, **options: 1 / 0)

    done = commands.freeze(str(small_site), "--json")

    report = json.loads(done.stdout)
    assert done.returncode == 3
    for name in ("outcome", "release", "previous", "documents", "written", "kept", "nextDue"):
        assert (name, report[name]) == (name, frozen[name])
    assert report["documents"] == len(target_files.read_entries(small_site))
    assert (published.removed > 0, after["removed"]) == (True, 0)
    gates = [(gate["gate"], gate["passed"], gate["held"]) for gate in report["gates"]]
    assert gates == [(gate["gate"], True, report["documents"]) for gate in frozen["gates"]]


def rewrite_file(file: Path) -> None:
    """Write the same bytes with a modification time after the freeze."""
    file.write_bytes(file.read_bytes())
    os.utime(file, (2_000_000_000, 2_000_000_000))


CHANGES: dict[str, Callable[[Path], object]] = {
    "an edit": lambda public: sites.edit_post("older", title_en="Another title"),
    "a draft": lambda public: factories.make_post(slug="nobody-sees-it", state=State.DRAFT),
    "a removed file": lambda public: (public / "index.html").unlink(),
    "a rewritten file": lambda public: rewrite_file(public / "index.html"),
    "a rewritten error": lambda public: rewrite_file(public.parent / "errors/404.md"),
    "a rewritten manifest": lambda public: rewrite_file(public.parent / "manifest.jsonl"),
    "an added file": lambda public: (public / "stray.html").write_text("Hello"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_target_is_not_up_to_date_after_a_change_and_is_after_one_freeze(
    change: str, small_site: Path
) -> None:
    before = is_up_to_date(small_site)
    CHANGES[change](small_site / "current/public")

    changed = is_up_to_date(small_site)
    sites.freeze_into(small_site, sites.LATER)

    assert (before, changed, is_up_to_date(small_site)) == (True, False, True)


def test_an_added_file_in_a_large_release_is_noticed_by_its_folder(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "MAX_WATCHED_FILES", 10)
    sites.edit_post("older", title_en="Another title")
    sites.freeze_into(small_site, sites.LATER)

    rewrite_file(small_site / "current/public/index.html")
    before = is_up_to_date(small_site)
    (small_site / "current/public/stray.html").write_text("Hello")

    assert (before, is_up_to_date(small_site)) == (True, False)


def test_no_secret_is_in_the_state(small_site: Path) -> None:
    with override_settings(SECRET_KEY="told to nobody"):  # noqa: S106
        made = up_to_date.setting_values()

    assert "told to nobody" not in made.values()
    assert up_to_date.SECRET_SETTINGS.isdisjoint(made)


def test_a_release_is_up_to_date_until_content_falls_due(tmp_path: Path, db: None) -> None:
    sites.make_site()
    due = timezone.now() + timedelta(hours=1)
    factories.make_post(slug="soon", publish_at=due)
    sites.freeze_into(tmp_path)

    assert is_up_to_date(tmp_path, due - timedelta(seconds=1))
    assert not is_up_to_date(tmp_path, due)
    assert not is_up_to_date(tmp_path, due - timedelta(days=1))


@pytest.mark.parametrize(
    ("now", "same"),
    [("2027-01-31T23:59:59+00:00", True), ("2027-02-01T00:00:00+00:00", False)],
)
def test_a_file_with_an_expiry_is_renewed_before_it_expires(now: str, same: bool) -> None:
    until = "2027-02-01T00:00:00+00:00"
    inputs = {"since": "2027-01-01T00:00:00+00:00", "due": None, "until": until}

    with time_machine.travel(now, tick=False):
        assert up_to_date.shows_moment(inputs, datetime(2027, 1, 2, tzinfo=UTC)) is same


def test_after_a_rollback_the_content_is_published_again(small_site: Path) -> None:
    first = (small_site / "current").resolve().name
    sites.edit_post("older", title_en="Another title")
    sites.freeze_into(small_site, sites.LATER)
    roll_back(Target(small_site), first)

    assert not is_up_to_date(small_site)
    assert sites.freeze_into(small_site, sites.LATER).outcome == "published"
    assert is_up_to_date(small_site)
