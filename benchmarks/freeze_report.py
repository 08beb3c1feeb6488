"""Results of freezes as tables and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.freezing import CASES, FULL, Figure, Growth, Result, result_ratio
from benchmarks.tables import Table, format_megabytes, format_quotient, format_seconds

DISTURBED_MARK = "~"

SIZE_COLUMNS = ("peak memory", "files", "size")


def tables(results: Sequence[Result], posts: int) -> list[Table]:
    """Return tables of wall time and processor time, with ratios to the peers, and of sizes."""
    heads = ("", *CASES)
    return [
        Table(
            f"Freeze of {posts:,} posts: wall time to exit, median",
            heads,
            [*result_rows(results, Result.seconds)],
        ),
        Table(
            f"Freeze of {posts:,} posts: processor time of all processes, median",
            heads,
            [*result_rows(results, Result.cpu)],
        ),
        Table(
            f"Freeze of {posts:,} posts: memory and output",
            ("", *SIZE_COLUMNS),
            [*size_rows(results)],
        ),
    ]


def result_rows(results: Sequence[Result], figure: Figure) -> Iterator[tuple[str, ...]]:
    ours, *peers = results
    for result in results:
        cells = (
            mark_disturbed(format_seconds(figure(result, case)), case, result) for case in CASES
        )
        yield (contestant_label(result), *cells)
    for peer in peers:
        ratios = (format_quotient(result_ratio(ours, peer, case, figure)) for case in CASES)
        pairs = zip(ratios, CASES, strict=True)
        yield (
            f"over {peer.name}",
            *(mark_disturbed(text, case, ours, peer) for text, case in pairs),
        )


def mark_disturbed(text: str, case: str, *results: Result) -> str:
    """Mark a text if one of the contestants was disturbed in every run."""
    return text if all(result.calm(case) for result in results) else f"{DISTURBED_MARK} {text}"


def size_rows(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    for result in results:
        yield (
            contestant_label(result),
            format_megabytes(result.peak),
            f"{result.files:,}",
            format_megabytes(result.bytes),
        )


def contestant_label(result: Result) -> str:
    return f"{result.name} {result.version}"


def growth_table(small: Result, posts: int, large: Growth) -> Table:
    return Table(
        "Growth of a full freeze",
        ("posts", "wall time", "peak memory", "over"),
        [
            (f"{posts:,}", format_seconds(small.seconds(FULL)), format_megabytes(small.peak), ""),
            (
                f"{large.posts:,}",
                format_seconds(large.seconds),
                format_megabytes(large.peak),
                format_quotient(large.over),
            ),
        ],
    )


def disturbance_sentence(results: Sequence[Result]) -> str:
    """Return a sentence about the load of other processes, before and during the runs."""
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
            peer.name: {case: result_ratio(ours, peer, case, Result.seconds) for case in CASES}
            for peer in peers
        },
        **({"growth": grown.members()} if grown else {}),
    }
