"""The live origin over many edits: its memory stays flat, and no request fails."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from threading import Event, Thread
from typing import Any

from django.db.backends.sqlite3._functions import register

from benchmarks.contestants import Project
from benchmarks.corpus import Corpus
from benchmarks.running import family, proportional_size
from benchmarks.servers import Server, running
from benchmarks.tables import Table, megabytes

CLIENTS = 4
WARM_UP = 60
"""Seconds for which documents are read at most before the first edit."""
CODINGS = ("br", "gzip", "")
FLAT = 0.1
"""Share by which the memory may grow from the second to the last fifth of the edits."""
EDIT = "UPDATE catalogue_post SET title_en = ? WHERE id = ?"
LISTS = (
    *("/", "/blog", "/blog/feed.xml", "/llms.txt", "/sitemap.md"),
    *("/api/v1/posts", "/openapi.json"),
)
PAGES = ("/blog/{}", "/blog/{}.md", "/api/v1/posts/{}", "/api/v1/posts/{}.json", "/blog/{}-nope")
EXPECTED = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED, HTTPStatus.NOT_FOUND)

Say = Callable[[str], None]


class NotFlat(RuntimeError):
    """The memory of the origin grew, or a request failed."""


@dataclass
class Soak:
    """Bytes of the origin after each edit, the requests that were answered, and the failures."""

    posts: int
    seconds: float
    memory: list[int] = field(default_factory=list)
    answered: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def fifths(self) -> list[float]:
        """Median bytes of each fifth of the edits; the first one is the warm-up."""
        step = max(1, len(self.memory) // 5)
        return [median(self.memory[part * step : (part + 1) * step] or [0]) for part in range(5)]

    @property
    def drift(self) -> float:
        """The growth of memory from the second fifth to the last one, as a share."""
        return self.fifths[-1] / self.fifths[1] - 1

    def refuse(self, flat: float) -> None:
        """Raise `NotFlat` if a request failed, or the memory grew by more than a share."""
        if self.failures:
            raise NotFlat(f"{len(self.failures)} requests failed; the first: {self.failures[0]}")
        if self.drift > flat:
            raise NotFlat(f"The memory of the origin grew by {self.drift:.1%} after the warm-up.")


def measure(folder: Path, port: int, posts: int, edits: int, seconds: int, say: Say) -> Soak:
    """Edit posts at equal intervals while clients read, and look at the memory after each edit."""
    project = Project()
    say(f"filling a database with {posts} posts")
    project.prepare(folder, Corpus(), posts)
    environment = {
        **project.python().environment,
        "SITE_ROOT": f"http://127.0.0.1:{port}",
        "RATE_LIMIT": "0",
        "ACCESS_LOG": "0",
    }
    command = project.python("manage.py", "serve", "--port", str(port))
    command = type(command)(command.words, command.folder, environment)
    found, ended = Soak(posts, seconds), Event()
    with running(Server("live origin", command, port, "/")) as process:
        slugs = slugs_of(project.database)
        say(f"reading every document, for at most {WARM_UP} s")
        warm(port, slugs)
        clients = [
            Thread(target=ask, args=(port, number, slugs, found, ended))
            for number in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        try:
            for number in paced(edits, seconds):
                edit(project.database, number)
                found.memory.append(sum(map(proportional_size, family(process.pid))))
                if number % 50 == 0:
                    say(f"edit {number}: {megabytes(found.memory[-1])}, {found.answered} requests")
        finally:
            ended.set()
            for client in clients:
                client.join()
    return found


def warm(port: int, slugs: Sequence[str]) -> None:
    """Read every document in every coding, so that caches have what reading alone puts there."""
    paths = [*LISTS, *(page.format(slug) for slug in slugs for page in PAGES)]
    asked = iter([(path, coding) for path in paths for coding in CODINGS])
    end = time.monotonic() + WARM_UP

    def read_some() -> None:
        for path, coding in asked:
            if time.monotonic() > end:
                return
            read(port, path, {"Accept-Encoding": coding})

    with ThreadPoolExecutor(CLIENTS) as clients:
        for reading in [clients.submit(read_some) for _ in range(CLIENTS)]:
            reading.result()


def read(port: int, path: str, headers: Mapping[str, str]) -> HTTPResponse:
    """The response to a request with a connection of its own, after its body was read."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=120)) as connection:
        connection.request("GET", path, headers=dict(headers))
        response = connection.getresponse()
        response.read()
        return response


def paced(number: int, seconds: float) -> Iterator[int]:
    """Numbers from 1, at equal intervals over so many seconds."""
    begun = time.monotonic()
    for each in range(1, number + 1):
        time.sleep(max(0.0, begun + each * seconds / number - time.monotonic()))
        yield each


def slugs_of(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as reader:
        return [slug for (slug,) in reader.execute("SELECT slug FROM catalogue_post")]


def edit(database: Path, number: int) -> None:
    """Give a post a new title, which every list of posts shows."""
    with closing(sqlite3.connect(database, timeout=20)) as writer, writer:
        register(writer)
        keys = [key for (key,) in writer.execute("SELECT id FROM catalogue_post")]
        writer.execute(EDIT, (f"Edition {number} of a title", keys[number % len(keys)]))


def ask(port: int, seed: int, slugs: Sequence[str], found: Soak, ended: Event) -> None:
    """Read lists and posts in turn, as clients do that accept other codings, until the end."""
    random = Random(seed)  # noqa: S311  (no secret)
    tags: dict[str, str] = {}
    for number in count():
        if ended.is_set():
            return
        path = LISTS[number // 4 % len(LISTS)] if number % 4 == 0 else page(random, slugs)
        headers = {"Accept-Encoding": CODINGS[random.randrange(len(CODINGS))]}
        if path in tags and random.random() < 0.5:  # noqa: PLR2004
            headers["If-None-Match"] = tags[path]
        try:
            answer = read(port, path, headers)
        except OSError as error:
            found.failures.append(f"{path}: {error!r}")
            continue
        found.answered += 1
        if path in LISTS:
            tags[path] = answer.getheader("ETag", "")
        if answer.status not in EXPECTED:
            found.failures.append(f"{path}: {answer.status}")


def page(random: Random, slugs: Sequence[str]) -> str:
    return random.choice(PAGES).format(random.choice(slugs))


def table(found: Soak) -> Table:
    names = ("warm-up", "second fifth", "third fifth", "fourth fifth", "last fifth")
    rows = [
        *((name, megabytes(value)) for name, value in zip(names, found.fifths, strict=True)),
        ("last fifth over second", f"{found.drift:+.1%}"),
        ("requests answered", f"{found.answered:,}"),
        ("requests failed", f"{len(found.failures):,}"),
    ]
    title = f"{len(found.memory)} edits in {found.seconds:.0f} s, {found.posts:,} posts"
    return Table(title, ("Memory of the live origin", ""), rows)


def members(found: Soak, machine: dict[str, Any]) -> dict[str, Any]:
    return {"machine": machine, **asdict(found), "drift": found.drift}
