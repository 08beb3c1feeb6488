"""Stage batches of documents, in this process or in others, in the order in which they come.

What a batch makes is collected in order whoever made it, so a release has the same bytes
whichever way. The first error stops everything.
"""

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from site_mirror.snapshot.ahead import Ahead, unlink
from site_mirror.snapshot.batches import Batch, Carry, Check, Task, carry, perform
from site_mirror.snapshot.checksums import files_of
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.portions import Earlier, Portion, Remembered

WAITING = 8
"""Batches for each process that may wait to be collected: memory for speed."""
WEIGHT = 2
"""Batches that a long one counts for until it is made."""
LIGHT = 400
"""Batches of any kind that may wait to be collected."""


class Linked(Struct, frozen=True):
    """A portion that is linked ahead, or was to be."""

    ahead: Ahead
    inputs: str
    carry: Carry

    def done(self) -> str:
        return self.carry.seen if self.inputs in self.ahead.wait() else self.carry.done()


class Planned(Struct, frozen=True):
    """A batch on its way: it is made by another process, or there, or for this process to make.

    Where it was made of the same before, `before` is the portion that it made, and `stays` tells
    the record of its files if they could be taken over.
    """

    made: "Future[Portion] | Portion | Task"
    last: bool = False
    long: bool = False
    before: Remembered | None = None
    stays: "Future[str] | Carry | Linked | None" = None

    def portion(self) -> Portion:
        """What is made of it if it cannot be taken over."""
        if isinstance(self.made, Future):
            return self.made.result()
        return self.made.done() if isinstance(self.made, Task) else self.made

    @property
    def futures(self) -> list["Future[Any]"]:
        return [each for each in (self.made, self.stays) if isinstance(each, Future)]

    @property
    def own(self) -> bool:
        """Whether nobody else makes it."""
        return isinstance(self.made, Task) and self.before is None

    @property
    def ready(self) -> bool:
        """Whether nobody has to be waited for."""
        linked = not isinstance(self.stays, Linked) or self.stays.ahead.ended()
        return linked and all(future.done() for future in self.futures)

    @property
    def weight(self) -> int:
        """How much of memory it takes until it is collected: nothing if it is only linked, and
        nothing if it is long and made, since its documents are few.
        """
        if self.long:
            made = self.made.done() if isinstance(self.made, Future) else not self.own
            return 0 if made else WEIGHT
        return int(isinstance(self.made, Future))

    def carried(self) -> str:
        if isinstance(self.stays, Future):
            return self.stays.result()
        return self.stays.done() if self.stays else ""


def worked(waiting: deque[Planned]) -> bool:
    """Whether there was something that nobody else makes, and it is made now."""
    for number, planned in enumerate(waiting):
        if planned.own:
            waiting[number] = replace(planned, made=planned.portion())
            return True
    return False


def stay() -> None:
    """Nobody leaves: the executor is its owner's."""


class Crew(Struct, frozen=True):
    """Who renders: the processes of an executor, or without one this process.

    `leave` is called once only that is left which this process does alone.
    """

    executor: Executor | None = None
    jobs: int = 1
    leave: Callable[[], None] = stay

    def waits(self, waiting: Sequence[Planned]) -> bool:
        """Whether one has to be collected before another is planned."""
        if self.executor is None or len(waiting) > LIGHT:
            return bool(waiting)
        if not (waiting and waiting[-1].weight):
            return False
        return sum(planned.weight for planned in waiting) > self.jobs * WAITING


ALONE = Crew()


def stopped(futures: Iterable["Future[Any]"]) -> None:
    """Cancel what has not begun, and wait for the rest: a process may still write a file."""
    wait([future for future in futures if not future.cancel()])


class Stage(Struct, frozen=True):
    """Where batches are staged, and by whom.

    `kept` are portions that were taken over. Of what is linked `ahead`, that is removed in the end
    which is neither taken over nor `made`.
    """

    place: Place
    earlier: Earlier
    stamp: str
    check: Check
    crew: Crew = ALONE
    ahead: Ahead | None = None
    kept: list[Remembered] = field(default_factory=list)
    made: "array[int]" = field(default_factory=lambda: array("q"))

    def portions(self, batches: Iterable[Batch]) -> Iterator[Portion]:
        """What is staged, in order. Raises whatever a batch raises, once nobody is at work."""
        waiting: deque[Planned] = deque()
        try:
            for batch in batches:
                while batch.last and waiting and not waiting[0].last:
                    yield from self.next_of(waiting)
                waiting.append(self.planned(batch))
                while self.crew.waits(waiting):
                    yield from self.next_of(waiting)
            while waiting:
                yield from self.next_of(waiting)
            self.tidy()
        finally:
            stopped(future for planned in waiting for future in planned.futures)

    def next_of(self, waiting: deque[Planned]) -> Iterator[Portion]:
        """The next portion, unless there is something better to do than to wait for it."""
        if waiting[0].ready or not worked(waiting):
            yield self.collected(waiting.popleft())

    def collected(self, planned: Planned) -> Portion:
        if planned.before and (seen := planned.carried()):
            self.kept.append(planned.before)
            return replace(self.earlier.portion(planned.before), seen=seen)
        portion = planned.portion()
        if self.ahead:
            self.made.extend(map(hash, files_of(portion.checksums)))
        return portion

    def tidy(self) -> None:
        """Remove what was linked ahead and does not belong to the release."""
        if self.ahead is None:
            return
        self.ahead.wait()
        kept = {portion.lines for portion in self.kept}
        portions = self.earlier.portions.values()
        leaving = (portion for portion in portions if portion.lines not in kept)
        unlink(self.place, leaving, stays=frozenset(self.made).__contains__)

    def planned(self, batch: Batch) -> Planned:
        """What another process makes it takes along: nothing of it is kept here."""
        task = Task(self.place, batch, self.stamp, self.check)
        if found := self.earlier.find(batch.inputs):
            return Planned(task, batch.last, batch.long, found, self.carrying(task, found))
        return Planned(self.begun(task) or task, batch.last, batch.long)

    def begun(self, task: Task) -> "Future[Portion] | Portion | None":
        """What does not travel is made when it is its turn, or at once if it is of the last."""
        if self.crew.executor is None:
            return None
        if task.batch.alone:
            self.crew.leave()
        elif task.batch.portable:
            return self.crew.executor.submit(perform, task.ready())
        return task.done() if task.batch.last else None

    def carrying(self, task: Task, found: Remembered) -> "Future[str] | Carry | Linked":
        carried = Carry(self.place, found.checksums, found.seen)
        executor = self.crew.executor
        if self.ahead and self.ahead.may_have(task.batch.inputs):
            return Linked(self.ahead, task.batch.inputs, carried)
        if executor is None or task.batch.alone:
            return carried
        return executor.submit(carry, carried)
