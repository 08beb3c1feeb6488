"""Who renders leaves when only lists of what is rendered are left."""

import gc
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import Pipe
from pathlib import Path
from threading import Event

import pytest
from msgspec import field

from site_mirror.crew import crew
from site_mirror.documents import Document
from site_mirror.snapshot.ahead import Ahead
from site_mirror.snapshot.batches import Batch, Carry, Given, Made, Task
from site_mirror.snapshot.crews import WAITING, WEIGHT, Crew, Linked, Planned, Stage
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.portions import Earlier, Portion

STAMP = "2026-01-01T00:00:00Z"


class Told(Made, frozen=True):
    """A batch of one text that tells when it is made."""

    events: list[str] = field(default_factory=list)

    def pieces(self) -> list[Given]:
        self.events.extend(given.address for given in self.given)
        return [*self.given]


class Waited(Made, frozen=True):
    """A batch that tells when it is `here`, and is not made until another is `there`."""

    here: Event = field(default_factory=Event)
    there: Event | None = None

    def pieces(self) -> list[Given]:
        self.here.set()
        assert self.there is None or self.there.wait(20)
        return [*self.given]


def text(address: str) -> Document:
    return Document("text", address, "text/plain", {}, b"A text.")


def batch(address: str, events: list[str], *, last: bool = False, alone: bool = False) -> Told:
    return Told([Given(text(address))], portable=not alone, last=last, alone=alone, events=events)


def test_the_crew_leaves_before_what_is_made_alone(tmp_path: Path) -> None:
    events: list[str] = []
    batches = [batch(f"/{number}", events) for number in range(9)]
    batches += [batch("/list", events, last=True, alone=True)]

    with ThreadPoolExecutor(1) as executor:
        own = Crew(executor, 1, leave=lambda: events.append("leaves"))
        stage = Stage(Place(tmp_path, None), Earlier({}), STAMP, lambda *_: None, own)
        made = list(stage.portions(batches))

    assert len(made) == 10
    assert events == [*(f"/{number}" for number in range(9)), "leaves", "/list"]


def test_what_is_last_is_made_once_all_others_are_collected(tmp_path: Path) -> None:
    events: list[str] = []
    batches = [batch(f"/{number}", events) for number in range(3)]
    batches += [batch(f"/list/{number}", events, last=True) for number in range(2)]

    with ThreadPoolExecutor(2) as executor:
        own = Crew(executor, 2, leave=lambda: events.append("leaves"))
        stage = Stage(Place(tmp_path, None), Earlier({}), STAMP, lambda *_: None, own)
        for number, _ in enumerate(stage.portions(batches)):
            events.append(f"collected {number}")

    lists = min(events.index("/list/0"), events.index("/list/1"))
    assert lists > events.index("collected 2")
    assert sorted(events[:lists]) == ["/0", "/1", "/2", *(f"collected {n}" for n in range(3))]
    assert "leaves" not in events


def test_what_stays_at_home_is_made_while_others_are_at_work(tmp_path: Path) -> None:
    begun = Event()
    travels = Waited([Given(text("/travels"))], portable=True, here=begun)
    stays = Waited([Given(text("/stays"))], portable=False, there=begun)

    with ThreadPoolExecutor(1) as executor:
        own = Crew(executor, 1)
        stage = Stage(Place(tmp_path, None), Earlier({}), STAMP, lambda *_: None, own)
        made = [portion.lines for portion in stage.portions([stays, travels])]

    assert [b"/stays" in lines for lines in made] == [True, False]


def test_who_would_have_to_wait_makes_what_is_its_own(tmp_path: Path) -> None:
    made_here = Event()
    travels = Waited([Given(text("/travels"))], portable=True, there=made_here)
    stays = Waited([Given(text("/stays"))], portable=False, here=made_here)

    with ThreadPoolExecutor(1) as executor:
        stage = Stage(Place(tmp_path, None), Earlier({}), STAMP, lambda *_: None, Crew(executor, 1))
        made = [portion.lines for portion in stage.portions([travels, stays])]

    assert [b"/stays" in lines for lines in made] == [False, True]


def test_processes_of_a_crew_have_ended_when_it_has_left() -> None:
    with crew(2) as own:
        assert own.executor
        own.executor.submit(abs, -1).result()

        own.leave()

        with pytest.raises(RuntimeError, match="after shutdown"):
            own.executor.submit(abs, -1)


def test_an_executor_of_the_caller_stays() -> None:
    with ThreadPoolExecutor(1) as executor, crew(1, executor) as own:
        own.leave()

        assert executor.submit(abs, -1).result() == 1


def task_of(batch: Batch, folder: Path = Path()) -> Task:
    return Task(Place(folder, None), batch, STAMP, lambda *_: None)


@pytest.mark.parametrize(
    ("long", "ahead"), [(False, 2 * WAITING), (True, 2 * WAITING // WEIGHT)], ids=["short", "long"]
)
def test_of_long_batches_fewer_wait_than_of_others(long: bool, ahead: int) -> None:
    waiting = [Planned(Future(), long=long)] * ahead

    with ThreadPoolExecutor(1) as executor:
        own = Crew(executor, 2)

        assert not own.waits(waiting)
        assert own.waits([*waiting, waiting[0]])


def test_long_batches_count_that_nobody_has_begun() -> None:
    long = Planned(task_of(batch("/", [])), last=True, long=True)

    with ThreadPoolExecutor(1) as executor:
        assert Crew(executor, 2).waits([long] * (2 * WAITING // WEIGHT + 1))


def test_long_batches_that_are_made_count_no_more(tmp_path: Path) -> None:
    there = task_of(batch("/", []), tmp_path).done()
    made: Future[Portion] = Future()
    made.set_result(there)

    with ThreadPoolExecutor(1) as executor:
        for each in made, there:
            assert not Crew(executor, 2).waits([Planned(each, long=True)] * (2 * WAITING + 1))


def test_of_what_another_process_makes_nothing_is_kept(tmp_path: Path) -> None:
    travels = batch("/", [])

    with ThreadPoolExecutor(1) as executor:
        stage = Stage(Place(tmp_path, None), Earlier({}), STAMP, lambda *_: None, Crew(executor, 1))
        planned = stage.planned(travels)
        planned.portion()

    assert not [each for each in gc.get_referrers(travels) if isinstance(each, Task | Planned)]


def test_until_the_links_are_told_nobody_waits_for_them(tmp_path: Path) -> None:
    here, there = Pipe(duplex=False)
    links, unknown = Ahead(here), Carry(Place(tmp_path, None), (0, 0), "a record")

    assert links.may_have("linked")
    assert links.may_have("left")
    there.send(frozenset({"linked"}))

    assert [links.may_have("linked"), links.may_have("left")] == [True, False]
    assert Linked(links, "linked", unknown).done() == "a record"
    assert not Linked(links, "left", unknown).done()
