"""A freeze of an unchanged site reports that without reading content."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone

from catalogue.models import State
from site_mirror.freeze import site, up_to_date
from site_mirror.snapshot import published
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests import factories
from tests.freeze import sites, target_files

Change = Callable[[Path], object]


def is_up_to_date(site: Path, at: datetime | None = None) -> bool:
    return up_to_date.unchanged_report(Target(site), at or timezone.now()) is not None


def test_an_unchanged_site_is_reported_without_reading_content(
    small_site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site, "freeze_site", lambda *args, **options: 1 / 0)

    with pytest.raises(SystemExit) as stopped:
        call_command("freeze", str(small_site))

    documents = len(target_files.read_entries(small_site))
    assert stopped.value.code == 3
    assert f"Nothing changed: {documents} documents, release" in capsys.readouterr().out


def test_the_report_without_reading_equals_that_of_an_unchanged_freeze(small_site: Path) -> None:
    report = up_to_date.unchanged_report(Target(small_site), timezone.now())

    assert report is not None
    frozen = sites.freeze_into(small_site, sites.LATER)
    same = {"outcome", "release", "previous", "documents", "written", "kept", "removed", "nextDue"}
    assert {name: value for name, value in report.members().items() if name in same} == {
        name: value for name, value in frozen.members().items() if name in same
    }
    assert [verdict.passed for verdict in report.gates] == [True] * len(frozen.gates)


def edit_title(site: Path) -> None:
    sites.edit_post("older", title_en="Another title")


def remove_file(site: Path) -> None:
    (Target(site).public / "index.html").unlink()


def rewrite_file(site: Path) -> None:
    """Write the same bytes with a modification time after the freeze."""
    file = Target(site).public / "index.html"
    file.write_bytes(file.read_bytes())
    os.utime(file, (2_000_000_000, 2_000_000_000))


def add_file(site: Path) -> None:
    (Target(site).public / "stray.html").write_text("Hello")


@pytest.mark.parametrize(
    "change",
    [edit_title, remove_file, rewrite_file, add_file],
)
def test_a_target_is_not_up_to_date_after_a_change(change: Change, small_site: Path) -> None:
    before = is_up_to_date(small_site)
    change(small_site)

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


def test_an_added_file_in_a_large_release_is_noticed_by_its_folder(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "MAX_WATCHED_FILES", 10)
    sites.edit_post("older", title_en="Another title")
    sites.freeze_into(small_site, sites.LATER)

    before = is_up_to_date(small_site)
    add_file(small_site)

    assert (before, is_up_to_date(small_site)) == (True, False)


def test_after_a_rollback_the_content_is_published_again(small_site: Path) -> None:
    first = (small_site / "current").resolve().name
    edit_title(small_site)
    sites.freeze_into(small_site, sites.LATER)
    roll_back(Target(small_site), first)

    assert not is_up_to_date(small_site)
    assert sites.freeze_into(small_site, sites.LATER, keep=1).outcome == "published"
    assert is_up_to_date(small_site)


def test_a_new_draft_is_read_by_one_freeze_only(small_site: Path) -> None:
    factories.make_post(slug="nobody-sees-it", state=State.DRAFT)

    before = is_up_to_date(small_site)
    sites.freeze_into(small_site, sites.LATER)

    assert (before, is_up_to_date(small_site)) == (False, True)


def test_an_unchanged_freeze_still_prunes_releases(small_site: Path) -> None:
    edit_title(small_site)
    sites.freeze_into(small_site, sites.LATER)

    with pytest.raises(SystemExit):
        call_command("freeze", str(small_site), "--keep", "1")

    assert len(target_files.list_releases(small_site)) == 1
