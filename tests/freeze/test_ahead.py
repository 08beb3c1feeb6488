"""How much may wait to be collected: what costs memory, only a little of it."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from site_mirror.snapshot.batches import Made, Task
from site_mirror.snapshot.crews import AHEAD, ALONE, LIGHT, Crew, Planned
from site_mirror.snapshot.portions import Portion
from site_mirror.snapshot.staging import Place

JOBS = 2


def planned(inputs: str, made: "Future[Portion] | None") -> Planned:
    batch = Made((), portable=True, inputs=inputs)
    return Planned(Task(Place(Path(), None), batch, "", lambda document, stamp: None), made)


def waits(heavy: int, taken_over: int, light: int) -> bool:
    waiting = [
        *(planned("digest", Future()) for _ in range(heavy)),
        *(planned("digest", None) for _ in range(taken_over)),
        *(planned("", Future()) for _ in range(light)),
    ]
    with ThreadPoolExecutor() as executor:
        return Crew(executor, JOBS).waits(waiting)


@pytest.mark.parametrize(
    ("heavy", "taken_over", "light", "expected"),
    [
        (0, 0, 0, False),
        (JOBS * AHEAD, 0, 0, False),
        (JOBS * AHEAD + 1, 0, 0, True),
        (0, LIGHT, 0, False),
        (0, 0, LIGHT, False),
        (JOBS * AHEAD, LIGHT // 2, LIGHT // 4, False),
        (0, LIGHT // 2, LIGHT // 2 + 1, True),
    ],
)
def test_heavy_batches_are_few_and_all_together_many(
    heavy: int, taken_over: int, light: int, expected: bool
) -> None:
    assert waits(heavy, taken_over, light) is expected


def test_one_who_works_alone_makes_each_before_the_next() -> None:
    assert ALONE.waits([planned("", None)])
    assert not ALONE.waits([])
