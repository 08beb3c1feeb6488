"""What an edit costs the readers of the live origin: the first request after it, and the wait."""

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

WARM = 300
EDITS = 50
PATIENCE = 10.0
"""Seconds after which an edit counts as never served."""
EDIT = "UPDATE catalogue_app SET tagline_en = ? WHERE slug = 'stashio'"


class NeverServed(RuntimeError):
    """An edit was not served."""


@dataclass(frozen=True, slots=True)
class Edits:
    """Seconds: of a warm request, of the first request after each edit, until each was served."""

    warm: float
    first: list[float]
    waits: list[float]

    @property
    def worst(self) -> float:
        """99th percentile of the first requests over the warm one."""
        ordered = sorted(self.first)
        return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] - self.warm


def measure(server: Server, database: Path) -> Edits:
    """Edit the document's row from another process, as an admin elsewhere does."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as reader:
        warm = median(took(reader, server.path)[0] for _ in range(WARM))
        pairs = list(edited(reader, server.path, database))
    return Edits(warm, [first for first, _ in pairs], [wait for _, wait in pairs])


def edited(
    reader: http.client.HTTPConnection, path: str, database: Path
) -> Iterator[tuple[float, float]]:
    for number in range(EDITS):
        text = f"Edition {number} of a tagline."
        with closing(sqlite3.connect(database, timeout=10)) as writer, writer:
            writer.execute(EDIT, (text,))
        committed = time.perf_counter()
        first, body = took(reader, path)
        while text.encode() not in body:
            if time.perf_counter() - committed > PATIENCE:
                raise NeverServed(f"{path} does not show an edit after {PATIENCE:.0f} s.")
            _, body = took(reader, path)
        yield first, time.perf_counter() - committed


def took(reader: http.client.HTTPConnection, path: str) -> tuple[float, bytes]:
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
    rows = [(name, milliseconds(value)) for name, value in values.items()]
    return Table(f"{len(found.first)} edits under a live origin", ("", "ms"), rows)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
