"""The freezes as tables and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.freezing import CASES, FULL, Figure, Growth, Result, compared
from benchmarks.tables import Table, megabytes, ratio, seconds

DISTURBED = "~"

SIZES = ("peak memory", "files", "size")


def tables(results: Sequence[Result], posts: int) -> list[Table]:
    """Wall time and processor time, each with the project over its peers; then sizes."""
    heads = ("", *CASES)
    return [
        Table(
            f"Freeze of {posts:,} posts: wall time to exit, median",
            heads,
            [*rows(results, Result.seconds)],
        ),
        Table(
            f"Freeze of {posts:,} posts: processor time of all processes, median",
            heads,
            [*rows(results, Result.cpu)],
        ),
        Table(f"Freeze of {posts:,} posts: memory and output", ("", *SIZES), [*sizes(results)]),
    ]


def rows(results: Sequence[Result], figure: Figure) -> Iterator[tuple[str, ...]]:
    ours, *peers = results
    for result in results:
        cells = (marked(seconds(figure(result, case)), case, result) for case in CASES)
        yield (named(result), *cells)
    for peer in peers:
        ratios = (ratio(compared(ours, peer, case, figure)) for case in CASES)
        pairs = zip(ratios, CASES, strict=True)
        yield (f"over {peer.name}", *(marked(text, case, ours, peer) for text, case in pairs))


def marked(text: str, case: str, *results: Result) -> str:
    """With a mark where a contestant was disturbed in every run."""
    return text if all(result.calm(case) for result in results) else f"{DISTURBED} {text}"


def sizes(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    for result in results:
        yield named(result), megabytes(result.peak), f"{result.files:,}", megabytes(result.bytes)


def named(result: Result) -> str:
    return f"{result.name} {result.version}"


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
    calm = sum(run.calm for run in runs)
    return (
        f"{calm} of {len(runs)} runs were calm, load before them {min(loads):.2f} to "
        f"{max(loads):.2f}, others used {others:.2f} of a core meanwhile"
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
            peer.name: {case: compared(ours, peer, case, Result.seconds) for case in CASES}
            for peer in peers
        },
        **({"growth": grown.members()} if grown else {}),
    }
