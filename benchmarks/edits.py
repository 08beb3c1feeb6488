"""Times of the live origin after an edit: of the first request, and until the edit is served."""

import http.client
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.servers import Server
from benchmarks.tables import Table

WARM_REQUESTS = 300
EDIT_COUNT = 50
MAX_WAIT_SECONDS = 10.0
"""Time after which an edit counts as never served."""
UPDATE_APP = "UPDATE catalogue_app SET tagline_en = ? WHERE slug = 'stashio'"


class NeverServed(RuntimeError):
    """An edit was not served."""


@dataclass(frozen=True, slots=True)
class Edits:
    """Seconds: of a warm request, of the first request after each edit, until each is served."""

    warm: float
    first: list[float]
    waits: list[float]

    @property
    def worst(self) -> float:
        """99th percentile of the first requests, minus the warm request."""
        ordered = sorted(self.first)
        return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] - self.warm


def measure(server: Server, database: Path) -> Edits:
    """Edit the row of the document from another process and measure requests after each edit."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as reader:
        warm = median(time_request(reader, server.path)[0] for _ in range(WARM_REQUESTS))
        pairs = list(measure_edits(reader, server.path, database))
    return Edits(warm, [first for first, _ in pairs], [wait for _, wait in pairs])


def measure_edits(
    reader: http.client.HTTPConnection, path: str, database: Path
) -> Iterator[tuple[float, float]]:
    for number in range(EDIT_COUNT):
        text = f"Edition {number} of a tagline."
        with closing(sqlite3.connect(database, timeout=10)) as writer, writer:
            writer.execute(UPDATE_APP, (text,))
        committed = time.perf_counter()
        first, body = time_request(reader, path)
        while text.encode() not in body:
            if time.perf_counter() - committed > MAX_WAIT_SECONDS:
                raise NeverServed(f"{path} does not show an edit after {MAX_WAIT_SECONDS:.0f} s.")
            _, body = time_request(reader, path)
        yield first, time.perf_counter() - committed


def time_request(reader: http.client.HTTPConnection, path: str) -> tuple[float, bytes]:
    started = time.perf_counter()
    reader.request("GET", path)
    body = reader.getresponse().read()
    return time.perf_counter() - started, body


def table(found: Edits) -> Table:
    values = {
        "warm request, median": found.warm,
        "first request after an edit, 99th percentile over the warm one": found.worst,
        "until an edit from another process is served, median": median(found.waits),
        "until an edit from another process is served, longest": max(found.waits),
    }
    rows = [(name, format_milliseconds(value)) for name, value in values.items()]
    return Table(f"{len(found.first)} edits under a live origin", ("", "ms"), rows)


def format_milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
