"""The live origin under load, compared with other servers of the same document."""

import http.client
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import edits
from benchmarks.contestants import Project
from benchmarks.corpus import Corpus
from benchmarks.edits import Edits
from benchmarks.running import run_command
from benchmarks.servers import Server, Site, find_program, run_server
from benchmarks.tables import Table, format_quotient

CONNECTIONS = (1, 16, 64)
THREADS = 2
WARM_UP_SECONDS = 1
DOCUMENT = "/api/v1/apps/stashio"
RATE = re.compile(r"^Requests/sec:\s+([0-9.]+)$", re.MULTILINE)
REFUSALS = re.compile(r"^\s*(Non-2xx or 3xx responses|Socket errors): .*$", re.MULTILINE)

Say = Callable[[str], None]


class ServerRefused(RuntimeError):
    """A server answered with errors, so its rate cannot be compared."""


@dataclass(frozen=True, slots=True)
class Load:
    """A load: number of connections, and whether requests are conditional."""

    connections: int
    conditional: bool

    def __str__(self) -> str:
        return f"{self.connections}{', 304' if self.conditional else ''}"


LOADS = tuple(
    Load(connections, conditional) for conditional in (False, True) for connections in CONNECTIONS
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Rates of every server, and the times of edits of the live origin."""

    rates: "Rates"
    edits: Edits


Rates = dict[str, dict[str, list[float]]]
"""Requests per second by server and load, one figure for each round."""


def measure(folder: Path, port: int, seconds: int, rounds: int, say: Say) -> Measured:
    """Measure every server in turn. Raises `ServerRefused` and `MissingPeer`."""
    project, site = prepare_servers(folder, port)
    rates: Rates = {}
    for number in range(1, rounds + 1):
        for server in site.servers():
            say(f"{server.name}: round {number}")
            with run_server(server):
                for load, rate in measure_rates(server, seconds):
                    rates.setdefault(server.name, {}).setdefault(str(load), []).append(rate)
    live, *_ = site.servers()
    say(f"{live.name}: edits")
    with run_server(live):
        return Measured(rates, edits.measure(live, project.database))


def prepare_servers(folder: Path, port: int) -> tuple[Project, Site]:
    """Create a database with the shipped content, and a snapshot of it."""
    project = Project()
    project.prepare(folder, Corpus(), 1)
    run_command(project.command(folder / "snapshot"))
    settings = {
        **project.python().environment,
        "SITE_ROOT": f"http://127.0.0.1:{port}",
        "ALLOWED_HOSTS": "127.0.0.1",
        "RATE_LIMIT": "0",
    }
    # `make serve` sets the settings module itself.
    del settings["DJANGO_SETTINGS_MODULE"]
    return project, Site(folder, port, DOCUMENT, settings)


def measure_rates(server: Server, seconds: int) -> Iterator[tuple[Load, float]]:
    tag = read_etag(server)
    measure_rate(server, WARM_UP_SECONDS, Load(16, conditional=False), tag)
    for load in LOADS:
        if not load.conditional or tag:
            yield load, measure_rate(server, seconds, load, tag)


def read_etag(server: Server) -> str:
    """Return the ETag of the document; it is empty for an ordinary view."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", server.path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != http.HTTPStatus.OK:
        raise ServerRefused(f"{server.name} answers {server.path} with {answer.status}.")
    return answer.getheader("ETag", "")


def measure_rate(server: Server, seconds: int, load: Load, tag: str) -> float:
    """Return the requests per second."""
    threads = str(min(THREADS, load.connections))
    words = [find_program("wrk"), "-t", threads, "-c", str(load.connections), "-d", f"{seconds}s"]
    if load.conditional:
        words += ["-H", f"If-None-Match: {tag}"]
    words.append(server.address)
    limit = seconds + 30
    done = subprocess.run(  # noqa: S603  (the words are this package's own)
        words, capture_output=True, text=True, check=True, timeout=limit
    )
    if refused := REFUSALS.search(done.stdout):
        raise ServerRefused(f"{server.name} under {load}: {refused[0].strip()}.")
    found = RATE.search(done.stdout)
    if found is None:
        raise ServerRefused(f"{server.name} under {load}: wrk says\n{done.stdout}")
    return float(found[1])


def table(rates: Rates, seconds: int) -> Table:
    """Return a table with a row for each server, then ratios of the first server to the others."""
    ours, *others = rates
    rows = [
        *(
            (server, *(format_rate(by_load, load) for load in LOADS))
            for server, by_load in rates.items()
        ),
        *(
            (
                f"{ours} over {other}",
                *(format_ratio(rates[ours], rates[other], load) for load in LOADS),
            )
            for other in others
        ),
    ]
    title = f"Requests a second by connections, {seconds} s each, median"
    return Table(title, ("", *map(str, LOADS)), rows)


def format_rate(by_load: dict[str, list[float]], load: Load) -> str:
    return f"{median(by_load[str(load)]):,.0f}" if str(load) in by_load else "–"


def format_ratio(ours: dict[str, list[float]], theirs: dict[str, list[float]], load: Load) -> str:
    if str(load) not in theirs or str(load) not in ours:
        return "–"
    return format_quotient(median(ours[str(load)]) / median(theirs[str(load)]))


def members(found: Measured, machine: dict[str, Any]) -> dict[str, Any]:
    return {
        "machine": machine,
        "document": DOCUMENT,
        "requestsPerSecond": found.rates,
        "edits": asdict(found.edits),
    }


def server_versions() -> str:
    """Return the versions of the servers and of wrk."""
    options = {"nginx": "-v", "caddy": "version", "wrk": "-v"}
    found = []
    for program, option in options.items():
        if shutil.which(program):
            said = subprocess.run(  # noqa: S603
                [find_program(program), option], capture_output=True, text=True, check=False
            )
            first = (said.stdout + said.stderr).strip().splitlines()[0]
            found.append(first if program in first else f"{program} {first}")
    return "; ".join(found)
