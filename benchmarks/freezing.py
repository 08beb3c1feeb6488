"""Full, edited and unchanged freezes of the project and its peers, in turn."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.contestants import Contestant, Project
from benchmarks.corpus import Corpus
from benchmarks.running import Run, run, settle

FULL, EDITED, UNCHANGED = "full", "one post edited", "nothing changed"
CASES = (FULL, EDITED, UNCHANGED)
MEGA = 1e6

Say = Callable[[str], None]


@dataclass(slots=True)
class Result:
    """What one contestant did: its runs by case, its memory, and what it left behind."""

    name: str
    version: str
    runs: dict[str, list[Run]] = field(default_factory=dict)
    peak: int = 0
    files: int = 0
    bytes: int = 0

    def seconds(self, case: str, *, calm: bool = True) -> float:
        return median(run.seconds for run in self.counted(case, calm=calm))

    def cpu(self, case: str, *, calm: bool = True) -> float:
        return median(run.cpu for run in self.counted(case, calm=calm))

    def calm(self, case: str) -> bool:
        return any(run.calm for run in self.runs[case])

    def counted(self, case: str, *, calm: bool) -> list[Run]:
        """The calm runs, chosen by what others did and not by their own time; or else all."""
        found = [run for run in self.runs[case] if run.calm] if calm else []
        return found or self.runs[case]

    def members(self) -> dict[str, Any]:
        """Everything that was measured, for `--json`."""
        return {
            "name": self.name,
            "version": self.version,
            "peakBytes": self.peak,
            "files": self.files,
            "bytes": self.bytes,
            "cases": {
                case: {
                    "medianSeconds": self.seconds(case),
                    "medianCpuSeconds": self.cpu(case),
                    "runs": [
                        {
                            "seconds": run.seconds,
                            "cpuSeconds": run.cpu,
                            "othersCpuSeconds": run.others,
                            "loadBefore": run.load,
                            "calm": run.calm,
                        }
                        for run in runs
                    ],
                }
                for case, runs in self.runs.items()
            },
        }


Figure = Callable[..., float]
"""`Result.seconds` or `Result.cpu`."""


def compared(ours: Result, peer: Result, case: str, figure: Figure) -> float:
    """Ours over theirs, of calm runs where both have some: never a calm one with a disturbed."""
    calm = ours.calm(case) and peer.calm(case)
    return figure(ours, case, calm=calm) / figure(peer, case, calm=calm)


@dataclass(frozen=True, slots=True)
class Contest:
    """Contestants on one corpus; `inputs` and `outputs` are folders of the contest's own."""

    corpus: Corpus
    posts: int
    rounds: int
    patience: float
    inputs: Path
    outputs: Path
    say: Say

    def hold(self, contestants: Sequence[Contestant]) -> list[Result]:
        """Every case in rounds of all contestants: A B A B, so that a busy minute hits all."""
        results = [Result(contestant.name, contestant.version) for contestant in contestants]
        pairs = list(zip(contestants, results, strict=True))
        for contestant in contestants:
            self.say(f"{contestant.name}: {self.posts} posts are written")
            contestant.prepare(self.inputs, self.corpus, self.posts)
        for case in CASES:
            for number in range(1, self.rounds + 1):
                for contestant, result in pairs:
                    self.measure(case, number, contestant, result)
        for contestant, result in pairs:
            self.weigh(contestant, result)
        return results

    def measure(self, case: str, number: int, contestant: Contestant, result: Result) -> None:
        target = self.outputs / contestant.name
        if case == FULL:
            shutil.rmtree(target, ignore_errors=True)
        elif case == EDITED:
            contestant.edit(self.corpus, self.posts // 2, number)
        settle(self.patience)
        done = run(contestant.command(target))
        result.runs.setdefault(case, []).append(done)
        self.say(
            f"{contestant.name}: {case}, {done.seconds:.2f} s (processor {done.cpu:.2f} s, "
            f"others {done.others:.2f} s, load {done.load:.2f})"
        )

    def weigh(self, contestant: Contestant, result: Result) -> None:
        """One more full run for the memory, which is looked at where no time is taken."""
        target = self.outputs / contestant.name
        shutil.rmtree(target, ignore_errors=True)
        result.peak = run(contestant.command(target), memory=True).peak
        found = [path for path in contestant.output(target).rglob("*") if path.is_file()]
        result.files = len(found)
        result.bytes = sum(path.stat().st_size for path in found)
        shutil.rmtree(target)
        self.say(f"{contestant.name}: {result.peak / MEGA:.0f} MB at most")


@dataclass(frozen=True, slots=True)
class Growth:
    """Full freezes of a small and a large corpus, by the project alone."""

    posts: int
    seconds: float
    peak: int
    over: float

    def members(self) -> dict[str, Any]:
        return {
            "posts": self.posts,
            "seconds": self.seconds,
            "peakBytes": self.peak,
            "over": self.over,
        }


def growth(contest: Contest, small: Result) -> Growth:
    """A full freeze of a large corpus over one of the small; once for time, once for memory."""
    project = Project(name="growth")
    contest.say(f"growth: {contest.posts} posts are written")
    project.prepare(contest.inputs, contest.corpus, contest.posts)
    large = Result(project.name, project.version)
    contest.measure(FULL, 1, project, large)
    contest.weigh(project, large)
    times = large.seconds(FULL), small.seconds(FULL)
    return Growth(contest.posts, times[0], large.peak, times[0] / times[1])
