"""The live origin under load, beside servers of the same document."""

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
from benchmarks.running import run
from benchmarks.servers import Server, Site, needed, running
from benchmarks.tables import Table, ratio

CONNECTIONS = (1, 16, 64)
THREADS = 2
WARM_UP = 1
DOCUMENT = "/api/v1/apps/stashio"
RATE = re.compile(r"^Requests/sec:\s+([0-9.]+)$", re.MULTILINE)
REFUSED = re.compile(r"^\s*(Non-2xx or 3xx responses|Socket errors): .*$", re.MULTILINE)

Say = Callable[[str], None]


class Refused(RuntimeError):
    """A server answered with errors: its rate says nothing."""


@dataclass(frozen=True, slots=True)
class Load:
    """One way of asking."""

    connections: int
    conditional: bool

    def __str__(self) -> str:
        return f"{self.connections}{', 304' if self.conditional else ''}"


LOADS = tuple(
    Load(connections, conditional) for conditional in (False, True) for connections in CONNECTIONS
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Rates of every server, and what an edit costs behind the first."""

    rates: "Rates"
    edits: Edits


Rates = dict[str, dict[str, list[float]]]
"""Requests a second by server and load, one figure a round."""


def measure(folder: Path, port: int, seconds: int, rounds: int, say: Say) -> Measured:
    """Every server in turn, one running at a time. Raises `Refused` and `MissingPeer`."""
    project, site = prepared(folder, port)
    rates: Rates = {}
    for number in range(1, rounds + 1):
        for server in site.servers():
            say(f"{server.name}: round {number}")
            with running(server):
                for load, rate in rates_of(server, seconds):
                    rates.setdefault(server.name, {}).setdefault(str(load), []).append(rate)
    live, *_ = site.servers()
    say(f"{live.name}: edits")
    with running(live):
        return Measured(rates, edits.measure(live, project.database))


def prepared(folder: Path, port: int) -> tuple[Project, Site]:
    """The shipped content, in a database and as a snapshot of it."""
    project = Project()
    project.prepare(folder, Corpus(), 1)
    run(project.command(folder / "snapshot"))
    settings = {
        **project.python().environment,
        "SITE_ROOT": f"http://127.0.0.1:{port}",
        "ALLOWED_HOSTS": "127.0.0.1",
        "RATE_LIMIT": "0",
    }
    # `make serve` names the settings module itself.
    del settings["DJANGO_SETTINGS_MODULE"]
    return project, Site(folder, port, DOCUMENT, settings)


def rates_of(server: Server, seconds: int) -> Iterator[tuple[Load, float]]:
    tag = etag(server)
    pressed(server, WARM_UP, Load(16, conditional=False), tag)
    for load in LOADS:
        if not load.conditional or tag:
            yield load, pressed(server, seconds, load, tag)


def etag(server: Server) -> str:
    """The validator that a server gives the document; an ordinary view gives none."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", server.path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != http.HTTPStatus.OK:
        raise Refused(f"{server.name} answers {server.path} with {answer.status}.")
    return answer.getheader("ETag", "")


def pressed(server: Server, seconds: int, load: Load, tag: str) -> float:
    """Requests a second."""
    threads = str(min(THREADS, load.connections))
    words = [needed("wrk"), "-t", threads, "-c", str(load.connections), "-d", f"{seconds}s"]
    if load.conditional:
        words += ["-H", f"If-None-Match: {tag}"]
    words.append(server.address)
    limit = seconds + 30
    done = subprocess.run(  # noqa: S603  (the words are this package's own)
        words, capture_output=True, text=True, check=True, timeout=limit
    )
    if refused := REFUSED.search(done.stdout):
        raise Refused(f"{server.name} under {load}: {refused[0].strip()}.")
    found = RATE.search(done.stdout)
    if found is None:
        raise Refused(f"{server.name} under {load}: wrk says\n{done.stdout}")
    return float(found[1])


def table(rates: Rates, seconds: int) -> Table:
    """A row a server, then the first server over each other one."""
    ours, *others = rates
    rows = [
        *(
            (server, *(figure(by_load, load) for load in LOADS))
            for server, by_load in rates.items()
        ),
        *(
            (f"{ours} over {other}", *(over(rates[ours], rates[other], load) for load in LOADS))
            for other in others
        ),
    ]
    title = f"Requests a second by connections, {seconds} s each, median"
    return Table(title, ("", *map(str, LOADS)), rows)


def figure(by_load: dict[str, list[float]], load: Load) -> str:
    return f"{median(by_load[str(load)]):,.0f}" if str(load) in by_load else "–"


def over(ours: dict[str, list[float]], theirs: dict[str, list[float]], load: Load) -> str:
    if str(load) not in theirs or str(load) not in ours:
        return "–"
    return ratio(median(ours[str(load)]) / median(theirs[str(load)]))


def members(found: Measured, machine: dict[str, Any]) -> dict[str, Any]:
    return {
        "machine": machine,
        "document": DOCUMENT,
        "requestsPerSecond": found.rates,
        "edits": asdict(found.edits),
    }


def versions() -> str:
    """What the servers say of themselves."""
    asked = {"nginx": "-v", "caddy": "version", "wrk": "-v"}
    found = []
    for program, option in asked.items():
        if shutil.which(program):
            said = subprocess.run(  # noqa: S603
                [needed(program), option], capture_output=True, text=True, check=False
            )
            first = (said.stdout + said.stderr).strip().splitlines()[0]
            found.append(first if program in first else f"{program} {first}")
    return "; ".join(found)
