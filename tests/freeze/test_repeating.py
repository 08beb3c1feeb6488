"""A freeze that would repeat the last one reads no content and says so."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone

from catalogue.models import Post, State
from site_mirror import freezing, inputs, repeating
from site_mirror.snapshot.layout import MADE
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests import rows
from tests.freeze import makers

Change = Callable[[Path], object]


def repeats(site: Path, at: datetime | None = None) -> bool:
    return repeating.repeated(Target(site), at or timezone.now()) is not None


def test_the_command_says_that_nothing_changed_and_reads_nothing(
    small_site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(freezing, "freeze_site", lambda *args, **options: 1 / 0)

    with pytest.raises(SystemExit) as stopped:
        call_command("freeze", str(small_site))

    documents = len(makers.entries(small_site))
    assert stopped.value.code == 3
    assert f"Nothing changed: {documents} documents, release" in capsys.readouterr().out


def test_the_report_is_that_of_a_freeze_that_changed_nothing(small_site: Path) -> None:
    told = repeating.repeated(Target(small_site), timezone.now())

    assert told is not None
    frozen = makers.freeze_into(small_site, makers.LATER)
    same = {"outcome", "release", "previous", "documents", "written", "kept", "removed", "nextDue"}
    assert {name: value for name, value in told.members().items() if name in same} == {
        name: value for name, value in frozen.members().items() if name in same
    }
    assert [verdict.passed for verdict in told.gates] == [True] * len(frozen.gates)


def edited(site: Path) -> None:
    makers.edit("older", title_en="Another title")


def edited_at_once(site: Path) -> None:
    Post.objects.filter(slug="older").update(body_en="Another body.")


def drafted(site: Path) -> None:
    rows.make_post(slug="nobody-sees-it", state=State.DRAFT)


def gone(site: Path) -> None:
    (Target(site).public / "index.html").unlink()


def written_over(site: Path) -> None:
    """Long after the freeze, as the file system tells."""
    file = Target(site).public / "index.html"
    file.write_bytes(file.read_bytes())
    os.utime(file, (2_000_000_000, 2_000_000_000))


def added(site: Path) -> None:
    (Target(site).public / "stray.html").write_text("Hello")


def without_memory(site: Path) -> None:
    (Target(site).current / MADE).unlink()


def with_a_damaged_memory(site: Path) -> None:
    (Target(site).current / MADE).write_text('{"made": {}}')


def with_another_manifest(site: Path) -> None:
    with (Target(site).current / "manifest.jsonl").open("ab") as file:
        file.write(b"\n")


@pytest.mark.parametrize(
    "change",
    [
        edited,
        edited_at_once,
        drafted,
        gone,
        written_over,
        added,
        without_memory,
        with_a_damaged_memory,
        with_another_manifest,
    ],
)
def test_after_a_change_only_a_freeze_can_tell(change: Change, small_site: Path) -> None:
    before = repeats(small_site)
    change(small_site)

    assert (before, repeats(small_site)) == (True, False)


@pytest.mark.parametrize(
    "setting", [{"SITE_ROOT": "https://other.example"}, {"TIME_ZONE": "America/St_Johns"}]
)
def test_another_setting_makes_another_release(setting: dict[str, str], small_site: Path) -> None:
    with override_settings(**setting):
        assert not repeats(small_site)


def test_another_program_makes_another_release(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "program", lambda: "another")

    assert not repeats(small_site)


def test_no_secret_is_written_down(small_site: Path) -> None:
    with override_settings(SECRET_KEY="told to nobody"):  # noqa: S106
        made = repeating.setting_values()

    assert "told to nobody" not in made.values()
    assert repeating.SECRET.isdisjoint(made)


def test_a_moment_counts_as_the_same_until_something_falls_due(tmp_path: Path, db: None) -> None:
    makers.make_site()
    due = timezone.now() + timedelta(hours=1)
    rows.make_post(slug="soon", publish_at=due)
    makers.freeze_into(tmp_path)

    assert repeats(tmp_path, due - timedelta(seconds=1))
    assert not repeats(tmp_path, due)


def test_an_earlier_moment_than_the_frozen_one_is_another(small_site: Path) -> None:
    assert not repeats(small_site, timezone.now() - timedelta(days=1))


@pytest.mark.parametrize(
    ("now", "same"),
    [("2027-01-31T23:59:59+00:00", True), ("2027-02-01T00:00:00+00:00", False)],
)
def test_a_file_that_is_renewed_by_the_clock_is_never_left_to_expire(now: str, same: bool) -> None:
    made = repeating.Made(
        "x", datetime(2027, 1, 1, tzinfo=UTC), None, datetime(2027, 2, 1, tzinfo=UTC)
    )

    assert made.shows(datetime(2027, 1, 2, tzinfo=UTC), datetime.fromisoformat(now)) is same


def test_after_a_rollback_the_content_is_published_again(small_site: Path) -> None:
    first = Target(small_site).release
    edited(small_site)
    makers.freeze_into(small_site, makers.LATER)
    assert first is not None
    roll_back(Target(small_site), first.name)

    assert not repeats(small_site)


def test_a_draft_that_nobody_sees_is_read_once(small_site: Path) -> None:
    drafted(small_site)
    makers.freeze_into(small_site, makers.LATER)

    assert repeats(small_site)
    assert len(makers.releases(small_site)) == 1


def test_a_large_release_is_looked_at_by_its_folders(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeating, "MANY", 10)
    makers.edit("older", title_en="Another title")
    makers.freeze_into(small_site, makers.LATER)

    before = repeats(small_site)
    added(small_site)

    assert (before, repeats(small_site)) == (True, False)


def test_a_release_that_is_one_too_many_is_removed_all_the_same(small_site: Path) -> None:
    edited(small_site)
    makers.freeze_into(small_site, makers.LATER)

    with pytest.raises(SystemExit):
        call_command("freeze", str(small_site), "--keep", "1")

    assert len(makers.releases(small_site)) == 1
