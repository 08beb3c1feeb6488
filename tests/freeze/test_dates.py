"""A frozen document never has the `Last-Modified` of other bytes at its address."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from site_mirror.snapshot.rollback import roll_back
from site_mirror.snapshot.target import Target
from tests.freeze import engine, target_files

Step = Callable[[Path], object]


def publish(text: str, seconds: int, *, is_dated: bool = True) -> Step:
    """Return a step that freezes a page with a text some seconds after the first moment."""

    def step(target: Path) -> None:
        moment = engine.MOMENT + timedelta(seconds=seconds, milliseconds=7)
        documents = [engine.make_document("/", text.encode()), engine.make_document("/kept")]
        batches = map(engine.make_batch, documents)
        site = engine.make_site_content(batches, moment=moment, is_dated=is_dated)
        engine.publish(target, site=site)

    return step


def return_to_first(target: Path) -> None:
    roll_back(Target(target), min(target_files.list_releases(target)).rpartition("/")[2])


HISTORIES: dict[str, Sequence[Step]] = {
    "an edit": (publish("A", 0), publish("B", 60)),
    "two freezes in a second": (publish("A", 0), publish("B", 0), publish("C", 0)),
    "a clock that goes back": (publish("A", 60), publish("B", 0), publish("C", 60)),
    "a rollback": (publish("A", 0), publish("B", 60), return_to_first, publish("C", 60)),
    "an epoch": (publish("A", 0, is_dated=False), publish("B", 0, is_dated=False)),
    "an epoch for once": (publish("A", 0, is_dated=False), publish("A", 60), publish("B", 90)),
}


@pytest.mark.parametrize("history", HISTORIES)
def test_a_date_names_one_body(history: str, tmp_path: Path) -> None:
    bodies = dict[tuple[str, str], str]()
    for step in HISTORIES[history]:
        step(tmp_path)
        for address, entry in target_files.read_entries(tmp_path).items():
            date = entry.headers.get("Last-Modified")
            assert date is None or bodies.setdefault((address, date), entry.sha256) == entry.sha256


def test_a_document_keeps_its_date_until_its_bytes_change(tmp_path: Path) -> None:
    dates = list[dict[str, str | None]]()
    for step in (publish("A", 0), publish("B", 60), publish("C", 120, is_dated=False)):
        step(tmp_path)
        entries = target_files.read_entries(tmp_path)
        dates.append({each: entries[each].headers.get("Last-Modified") for each in ("/", "/kept")})

    first, minute_later = "Thu, 01 Jan 2026 00:00:00 GMT", "Thu, 01 Jan 2026 00:01:00 GMT"
    assert dates == [
        {"/": first, "/kept": first},
        {"/": minute_later, "/kept": first},
        {"/": None, "/kept": first},
    ]


def test_with_an_epoch_nothing_has_a_date(target: Path) -> None:
    entries = target_files.read_entries(target).values()

    assert [each.address for each in entries if "Last-Modified" in each.headers] == []
