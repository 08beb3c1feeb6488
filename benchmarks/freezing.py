"""Runs of the project and its peers in turn: full, after an edit, and without a change."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.contestants import Contestant, Project
from benchmarks.corpus import Corpus
from benchmarks.running import Run, run_command, wait_until_quiet

FULL, EDITED, UNCHANGED = "full", "one post edited", "nothing changed"
CASES = (FULL, EDITED, UNCHANGED)
BYTES_PER_MEGABYTE = 1e6

Say = Callable[[str], None]


@dataclass(slots=True)
class Result:
    """The results of one contestant: its runs by case, its peak memory, and its output."""

    name: str
    version: str
    runs: dict[str, list[Run]] = field(default_factory=dict)
    peak: int = 0
    files: int = 0
    bytes: int = 0

    def seconds(self, case: str, *, calm: bool = True) -> float:
        return median(run.seconds for run in self.chosen_runs(case, calm=calm))

    def cpu(self, case: str, *, calm: bool = True) -> float:
        return median(run.cpu for run in self.chosen_runs(case, calm=calm))

    def calm(self, case: str) -> bool:
        return any(run.calm for run in self.runs[case])

    def chosen_runs(self, case: str, *, calm: bool) -> list[Run]:
        """Return the calm runs, or all runs if none was calm.

        A run is calm by the load of other processes and not by its own time.
        """
        runs = [run for run in self.runs[case] if run.calm] if calm else []
        return runs or self.runs[case]

    def members(self) -> dict[str, Any]:
        """Return all results for `--json`."""
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


def result_ratio(ours: Result, peer: Result, case: str, figure: Figure) -> float:
    """Return our figure divided by the peer's, of calm runs if both have some, else of all runs."""
    calm = ours.calm(case) and peer.calm(case)
    return figure(ours, case, calm=calm) / figure(peer, case, calm=calm)


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest on one corpus; `inputs` and `outputs` are its folders."""

    corpus: Corpus
    posts: int
    rounds: int
    patience: float
    inputs: Path
    outputs: Path
    say: Say

    def run(self, contestants: Sequence[Contestant]) -> list[Result]:
        """Run every case in rounds of all contestants, so that other load disturbs all of them."""
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
            self.measure_size(contestant, result)
        return results

    def measure(self, case: str, number: int, contestant: Contestant, result: Result) -> None:
        target = self.outputs / contestant.name
        if case == FULL:
            shutil.rmtree(target, ignore_errors=True)
        elif case == EDITED:
            contestant.edit(self.corpus, self.posts // 2, number)
        wait_until_quiet(self.patience)
        done = run_command(contestant.command(target))
        result.runs.setdefault(case, []).append(done)
        self.say(
            f"{contestant.name}: {case}, {done.seconds:.2f} s (processor {done.cpu:.2f} s, "
            f"others {done.others:.2f} s, load {done.load:.2f})"
        )

    def measure_size(self, contestant: Contestant, result: Result) -> None:
        """Measure the memory in one more run, because the measurement changes the time of a run."""
        target = self.outputs / contestant.name
        shutil.rmtree(target, ignore_errors=True)
        result.peak = run_command(contestant.command(target), memory=True).peak
        files = [path for path in contestant.output(target).rglob("*") if path.is_file()]
        result.files = len(files)
        result.bytes = sum(path.stat().st_size for path in files)
        shutil.rmtree(target)
        self.say(f"{contestant.name}: {result.peak / BYTES_PER_MEGABYTE:.0f} MB at most")


@dataclass(frozen=True, slots=True)
class Growth:
    """The results of a full freeze of a large corpus, with its time `over` that of a small one."""

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


def measure_growth(contest: Contest, small: Result) -> Growth:
    """Measure two full freezes of a large corpus: one for the time, and one for the memory."""
    project = Project(name="growth")
    contest.say(f"growth: {contest.posts} posts are written")
    project.prepare(contest.inputs, contest.corpus, contest.posts)
    large = Result(project.name, project.version)
    contest.measure(FULL, 1, project, large)
    contest.measure_size(project, large)
    times = large.seconds(FULL), small.seconds(FULL)
    return Growth(contest.posts, times[0], large.peak, times[0] / times[1])
