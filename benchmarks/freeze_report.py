"""The freezes as tables and as JSON."""

from collections.abc import Sequence
from typing import Any

from benchmarks.freezing import CASES, FULL, Growth, Result
from benchmarks.tables import Table, megabytes, ratio, seconds

HEADS = ("", *CASES, "processor, full", "peak memory", "files", "size")


def table(results: Sequence[Result], posts: int) -> Table:
    """A row a contestant, then the project over each peer."""
    ours, *peers = results
    title = f"Freeze of {posts:,} posts, median wall time to exit"
    return Table(title, HEADS, [*map(row, results), *(over(ours, peer) for peer in peers)])


def over(ours: Result, peer: Result) -> tuple[str, ...]:
    return (
        f"over {peer.name}",
        *(ratio(ours.seconds(case) / peer.seconds(case)) for case in CASES),
        ratio(ours.cpu(FULL) / peer.cpu(FULL)),
        ratio(ours.peak / peer.peak),
        ratio(ours.files / peer.files),
        ratio(ours.bytes / peer.bytes),
    )


def row(result: Result) -> tuple[str, ...]:
    return (
        f"{result.name} {result.version}",
        *(seconds(result.seconds(case)) for case in CASES),
        seconds(result.cpu(FULL)),
        megabytes(result.peak),
        f"{result.files:,}",
        megabytes(result.bytes),
    )


def growth_table(small: Result, posts: int, large: Growth) -> Table:
    return Table(
        "Growth of a full freeze",
        ("posts", "wall time", "peak memory", "over"),
        [
            (f"{posts:,}", seconds(small.seconds(FULL)), megabytes(small.peak), ""),
            (f"{large.posts:,}", seconds(large.seconds), megabytes(large.peak), ratio(large.over)),
        ],
    )


def disturbance(results: Sequence[Result]) -> str:
    """How busy others kept the machine, before the runs and meanwhile."""
    runs = [run for result in results for runs in result.runs.values() for run in runs]
    loads = [run.load for run in runs]
    others = sum(run.others for run in runs) / sum(run.seconds for run in runs)
    return (
        f"load before the runs {min(loads):.2f} to {max(loads):.2f}, "
        f"others used {others:.2f} of a core meanwhile"
    )


def members(
    results: Sequence[Result], posts: int, machine: dict[str, Any], grown: Growth | None
) -> dict[str, Any]:
    ours, *peers = results
    return {
        "machine": machine,
        "posts": posts,
        "contestants": [result.members() for result in results],
        "ratios": {
            peer.name: {case: ours.seconds(case) / peer.seconds(case) for case in CASES}
            for peer in peers
        },
        **({"growth": grown.members()} if grown else {}),
    }
