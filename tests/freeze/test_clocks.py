"""A clock that is ahead during one freeze leaves nothing behind, and one that is behind is told."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest
import time_machine

from tests.freeze import commands, processes, sites, target_files

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
AHEAD, LATER = NOW + timedelta(days=4000), NOW + timedelta(hours=1)


def freeze_at(moment: datetime, target: Path) -> tuple[int, str]:
    """Freeze by a clock; return the exit code and the messages."""
    with time_machine.travel(moment, tick=False):
        done = commands.freeze(str(target), "--jobs=1")
    return done.returncode, done.stderr


def latest_moments(target: Path) -> tuple[datetime, datetime]:
    """Return the latest `generatedAt` and the latest `Last-Modified` of the current release."""
    entries = target_files.read_entries(target).values()
    return (
        max(datetime.fromisoformat(entry.generated_at) for entry in entries),
        max(parsedate_to_datetime(entry.headers["Last-Modified"]) for entry in entries),
    )


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("between", [False, True])
def test_no_moment_of_a_clock_that_was_ahead_is_kept(
    db: None, tmp_path: Path, *, between: bool, edited: bool
) -> None:
    """Whether the first release was by that clock or not, and with an edit after it or without."""
    with time_machine.travel(NOW - timedelta(days=1)):
        sites.make_site()
    if between:
        assert freeze_at(NOW, tmp_path) == (processes.PUBLISHED, "")
        sites.edit_post("older", title_en="Another title")
    assert freeze_at(AHEAD, tmp_path) == (processes.PUBLISHED, "")
    assert latest_moments(tmp_path) == (AHEAD, AHEAD)
    if edited:
        sites.edit_post("older", title_en="A third title")

    code, told = freeze_at(LATER, tmp_path)

    assert code == processes.PUBLISHED
    assert "the published release is later: 20370514T120000Z-" in told
    assert latest_moments(tmp_path) == (LATER, LATER)
    assert target_files.list_discrepancies(tmp_path) == []
    unchanged = {LATER, NOW} if between else {LATER}
    moments = {entry.generated_at for entry in target_files.read_entries(tmp_path).values()}
    assert {datetime.fromisoformat(moment) for moment in moments} == unchanged
    assert freeze_at(LATER, tmp_path) == (processes.UNCHANGED, "")
