"""A page that is cached from a release of the last week finds its style sheets and scripts."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from site_mirror.documents.family import Document
from site_mirror.snapshot.report import Outcome, Report
from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import engine, file_damages, target_files

START = datetime(2026, 3, 1, tzinfo=UTC)
PAGE = engine.make_document("/")


def make_asset(name: str) -> Document:
    return Document(
        family=name[0],
        address=f"/assets/{name}.css",
        media_type="text/css; charset=utf-8",
        headers={"Cache-Control": "max-age=31536000, immutable"},
        content=name.encode() * 1000,
    )


def freeze(target: Path, day: float, assets: str) -> Report:
    """Freeze a page and the named assets, some days after the start."""
    moment = START + timedelta(days=day)
    with time_machine.travel(moment, tick=False):
        documents = [PAGE, *map(make_asset, assets.split())]
        return engine.publish(target, *documents, moment=moment, with_digests=True)


def carried(target: Path) -> dict[str, str]:
    """Return the day on which each asset was superseded; check all files of the release."""
    assert target_files.list_discrepancies(target) == []
    entries = target_files.read_entries(target)
    for address, entry in entries.items():
        assert target_files.read_body(target, entry)[:2].decode() in (address[8:10], "A ")
        assert len(entry.encodings) == (0 if address == "/" else 2)
    return {
        address[8:10]: entry.superseded[5:10]
        for address, entry in entries.items()
        if entry.superseded
    }


def test_a_release_carries_the_assets_of_its_predecessors_for_a_week(tmp_path: Path) -> None:
    freeze(tmp_path, 0, "a1 f1 k1")
    assert carried(tmp_path) == {}
    freeze(tmp_path, 1, "a2 f1 k1")
    assert carried(tmp_path) == {"a1": "03-02"}
    freeze(tmp_path, 2, "a3 f2 k1")
    assert carried(tmp_path) == {"a1": "03-02", "a2": "03-03", "f1": "03-03"}
    assert freeze(tmp_path, 7, "a3 f2 k1").outcome is Outcome.UNCHANGED
    freeze(tmp_path, 8.5, "a4 f2 k1")
    assert carried(tmp_path) == {"a2": "03-03", "f1": "03-03", "a3": "03-09"}
    freeze(tmp_path, 9, "a1 f2 k1")  # An asset comes back, as after the end of an experiment.
    assert carried(tmp_path) == {"a2": "03-03", "f1": "03-03", "a3": "03-09", "a4": "03-10"}
    freeze(tmp_path, 30, "a1 f2 k2")
    assert carried(tmp_path) == {"k1": "03-31"}
    assert {*target_files.read_entries(tmp_path)} == {
        "/",
        *(f"/assets/{name}.css" for name in ("a1", "f2", "k1", "k2")),
    }


def test_a_release_carries_the_assets_of_those_that_were_taken_back(tmp_path: Path) -> None:
    freeze(tmp_path, 0, "a1")
    first = (tmp_path / "current").readlink().name
    for day, asset in ((1, "a2"), (2, "a3")):
        freeze(tmp_path, day, asset)
        roll_back(Target(tmp_path), first)

    freeze(tmp_path, 3, "a4")

    assert carried(tmp_path) == {"a1": "03-04", "a2": "03-03", "a3": "03-04"}


@pytest.mark.parametrize("damage", ["flip_bit", "remove", "replace_by_symlink"])
def test_a_damaged_asset_is_not_carried(damage: str, tmp_path: Path) -> None:
    freeze(tmp_path, 0, "a1 f1")
    file_damages.DAMAGES[damage]((tmp_path / "current").resolve() / "public/assets/a1.css")

    freeze(tmp_path, 1, "a2 f2")

    assert carried(tmp_path) == {"f1": "03-02"}


def test_an_asset_that_a_clock_ahead_has_superseded_is_carried_for_a_week_of_today(
    tmp_path: Path,
) -> None:
    freeze(tmp_path, 0, "a1")
    freeze(tmp_path, 4000, "a2")
    freeze(tmp_path, 1, "a2 f1")
    assert carried(tmp_path) == {"a1": "03-02"}
