"""A test of the live origin over many edits: its memory must not grow, and no request may fail."""

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
from benchmarks.running import process_tree, proportional_size
from benchmarks.servers import Server, run_server
from benchmarks.tables import Table, format_megabytes

CLIENTS = 4
MAX_WARM_UP_SECONDS = 60
"""Limit of the time for reading documents before the first edit."""
CONTENT_CODINGS = ("br", "gzip", "")
MAX_GROWTH = 0.1
"""Share by which the memory may grow from the second to the last fifth of the edits."""
UPDATE_POST = "UPDATE catalogue_post SET title_en = ? WHERE id = ?"
LIST_ADDRESSES = (
    *("/", "/blog", "/blog/feed.xml", "/llms.txt", "/sitemap.md"),
    *("/api/v1/posts", "/openapi.json"),
)
PAGE_TEMPLATES = (
    "/blog/{}",
    "/blog/{}.md",
    "/api/v1/posts/{}",
    "/api/v1/posts/{}.json",
    "/blog/{}-nope",
)
EXPECTED_STATUSES = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED, HTTPStatus.NOT_FOUND)

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
        """Median bytes of each fifth of the edits; the first fifth is the warm-up."""
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
    """Edit posts at equal intervals while clients read, and measure the memory after each edit."""
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
    with run_server(Server("live origin", command, port, "/")) as process:
        slugs = read_slugs(project.database)
        say(f"reading every document, for at most {MAX_WARM_UP_SECONDS} s")
        warm_caches(port, slugs)
        clients = [
            Thread(target=read_until_end, args=(port, number, slugs, found, ended))
            for number in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        try:
            for number in count_at_intervals(edits, seconds):
                edit_title(project.database, number)
                found.memory.append(sum(map(proportional_size, process_tree(process.pid))))
                if number % 50 == 0:
                    say(
                        f"edit {number}: {format_megabytes(found.memory[-1])}, "
                        f"{found.answered} requests"
                    )
        finally:
            ended.set()
            for client in clients:
                client.join()
    return found


def warm_caches(port: int, slugs: Sequence[str]) -> None:
    """Read every document in every coding, so that the caches are filled before the first edit."""
    paths = [*LIST_ADDRESSES, *(page.format(slug) for slug in slugs for page in PAGE_TEMPLATES)]
    asked = iter([(path, coding) for path in paths for coding in CONTENT_CODINGS])
    end = time.monotonic() + MAX_WARM_UP_SECONDS

    def read_some() -> None:
        for path, coding in asked:
            if time.monotonic() > end:
                return
            read_response(port, path, {"Accept-Encoding": coding})

    with ThreadPoolExecutor(CLIENTS) as clients:
        for reading in [clients.submit(read_some) for _ in range(CLIENTS)]:
            reading.result()


def read_response(port: int, path: str, headers: Mapping[str, str]) -> HTTPResponse:
    """Return the response to a request with its own connection, after reading the body."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=120)) as connection:
        connection.request("GET", path, headers=dict(headers))
        response = connection.getresponse()
        response.read()
        return response


def count_at_intervals(number: int, seconds: float) -> Iterator[int]:
    """Yield numbers from 1 at equal intervals over some seconds."""
    begun = time.monotonic()
    for each in range(1, number + 1):
        time.sleep(max(0.0, begun + each * seconds / number - time.monotonic()))
        yield each


def read_slugs(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as reader:
        return [slug for (slug,) in reader.execute("SELECT slug FROM catalogue_post")]


def edit_title(database: Path, number: int) -> None:
    """Give a post a new title, which every list of posts shows."""
    with closing(sqlite3.connect(database, timeout=20)) as writer, writer:
        register(writer)
        keys = [key for (key,) in writer.execute("SELECT id FROM catalogue_post")]
        writer.execute(UPDATE_POST, (f"Edition {number} of a title", keys[number % len(keys)]))


def read_until_end(port: int, seed: int, slugs: Sequence[str], found: Soak, ended: Event) -> None:
    """Read lists and posts in turn, with different codings, until `ended` is set."""
    random = Random(seed)  # noqa: S311  (no secret)
    tags: dict[str, str] = {}
    for number in count():
        if ended.is_set():
            return
        path = (
            LIST_ADDRESSES[number // 4 % len(LIST_ADDRESSES)]
            if number % 4 == 0
            else choose_page(random, slugs)
        )
        headers = {"Accept-Encoding": CONTENT_CODINGS[random.randrange(len(CONTENT_CODINGS))]}
        if path in tags and random.random() < 0.5:  # noqa: PLR2004
            headers["If-None-Match"] = tags[path]
        try:
            answer = read_response(port, path, headers)
        except OSError as error:
            found.failures.append(f"{path}: {error!r}")
            continue
        found.answered += 1
        if path in LIST_ADDRESSES:
            tags[path] = answer.getheader("ETag", "")
        if answer.status not in EXPECTED_STATUSES:
            found.failures.append(f"{path}: {answer.status}")


def choose_page(random: Random, slugs: Sequence[str]) -> str:
    return random.choice(PAGE_TEMPLATES).format(random.choice(slugs))


def table(found: Soak) -> Table:
    names = ("warm-up", "second fifth", "third fifth", "fourth fifth", "last fifth")
    rows = [
        *((name, format_megabytes(value)) for name, value in zip(names, found.fifths, strict=True)),
        ("last fifth over second", f"{found.drift:+.1%}"),
        ("requests answered", f"{found.answered:,}"),
        ("requests failed", f"{len(found.failures):,}"),
    ]
    title = f"{len(found.memory)} edits in {found.seconds:.0f} s, {found.posts:,} posts"
    return Table(title, ("Memory of the live origin", ""), rows)


def members(found: Soak, machine: dict[str, Any]) -> dict[str, Any]:
    return {"machine": machine, **asdict(found), "drift": found.drift}
