"""How much may wait to be collected: what costs memory, only a little of it."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from site_mirror.snapshot.batches import Made, Task
from site_mirror.snapshot.crews import ALONE, LIGHT, WAITING, Crew, Planned
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.portions import Portion, Remembered

JOBS = 2


HANDED_OVER = Planned(Future[Portion]())
TASK = Task(Place(Path(), None), Made((), portable=True), "", lambda document, stamp: None)
TAKEN_OVER = Planned(TASK, before=Remembered({}))


def waits(handed_over: int, taken_over: int) -> bool:
    waiting = [HANDED_OVER] * handed_over + [TAKEN_OVER] * taken_over
    with ThreadPoolExecutor() as executor:
        return Crew(executor, JOBS).waits(waiting)


@pytest.mark.parametrize(
    ("handed_over", "taken_over", "expected"),
    [
        (0, 0, False),
        (JOBS * WAITING, 0, False),
        (JOBS * WAITING + 1, 0, True),
        (0, LIGHT, False),
        (JOBS * WAITING, LIGHT // 2, False),
        (JOBS * WAITING + 1, 1, False),
        (0, LIGHT + 1, True),
    ],
)
def test_few_batches_wait_that_were_handed_over_and_many_that_are_only_linked(
    handed_over: int, taken_over: int, expected: bool
) -> None:
    assert waits(handed_over, taken_over) is expected


def test_one_who_works_alone_makes_each_before_the_next() -> None:
    assert ALONE.waits([TAKEN_OVER])
    assert not ALONE.waits([])
