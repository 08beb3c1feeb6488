"""`snapshot verify URL` compares a site with a manifest and requests removed addresses."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from site_mirror.hosts import release
from tests.freeze import commands, processes
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.ports import free_port

pytestmark = pytest.mark.server

SITE = "http://studio.example"
SAME, DIFFERENT, USAGE = 0, 1, 2
RENAME_POSTS = """
import django
django.setup()
from tests.freeze import sites
sites.edit_post("older", slug="oldest")
sites.edit_post("newer-renamed", state="draft")
"""


@pytest.fixture(scope="module")
def second_target(
    retired_site: FrozenSite, retired_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A target whose second release has a post at another address and one post fewer."""
    folder = tmp_path_factory.mktemp("later")
    target = Path(
        shutil.copytree(retired_site.release.folder.parents[1], folder / "site", symlinks=True)
    )
    database = processes.copy_database(retired_database, folder)
    processes.run("-c", RENAME_POSTS, database=database)
    process = processes.freeze(target, database=database, SOURCE_DATE_EPOCH="1780000000")
    if process.returncode:
        raise RuntimeError(process.stderr)
    return target


@pytest.fixture(scope="module")
def first_release(second_target: Path, retired_site: FrozenSite) -> Path:
    return second_target / "releases" / retired_site.release.folder.name


@contextmanager
def serve_release(name: str, folder: Path, tmp_path: Path) -> Iterator[int]:
    """Serve a release at the port that is yielded."""
    (tmp_path / "host").mkdir()
    with servers.serve_host(name, release.read_release(folder), tmp_path / "host") as server:
        yield server.port


def verify(port: int, *options: str, site: str = SITE) -> tuple[int, list[str]]:
    """Return the exit code and the lines of the command."""
    output = StringIO()
    words = ("snapshot", "verify", site, "--connect", f"127.0.0.1:{port}", *options)
    try:
        call_command(*words, stdout=output)
    except SystemExit as end:
        return int(end.code or 0), output.getvalue().splitlines()
    return SAME, output.getvalue().splitlines()


def test_a_server_of_the_current_release_is_as_published(
    second_target: Path, first_release: Path, tmp_path: Path
) -> None:
    file = second_target / "current/public/about.html"
    content = file.read_bytes()
    manifest = ("--manifest", str(second_target))
    with serve_release("nginx", second_target / "current", tmp_path) as port:
        published = verify(port, *manifest)
        other = verify(port, "--manifest", str(first_release), "--json")
        try:
            file.write_bytes(content.replace(b"h", b"H", 1))
            damaged = verify(port, *manifest)
        finally:
            file.write_bytes(content)
    report = json.loads("".join(other[1]))
    (fault,) = (line for line in damaged[1] if line.startswith("GET /about: "))

    code, [line] = published
    assert (code, line.partition(":")[0]) == (SAME, "All as published")
    assert (other[0], report["outcome"]) == (DIFFERENT, "differs")
    assert {"where": "GET /blog/older:", "what": "status 308 instead of 200"} in report["findings"]
    assert damaged[0] == DIFFERENT
    assert "other bytes than the manifest's" in fault


def test_a_server_of_the_previous_release_is_found(
    second_target: Path, first_release: Path, tmp_path: Path
) -> None:
    with serve_release("nginx", first_release, tmp_path) as port:
        code, lines = verify(port, "--manifest", str(second_target))
    removed = (second_target / "current/removed.txt").read_text().splitlines()

    assert code == DIFFERENT
    assert "/blog/newer-renamed" in removed
    answered = {line.partition(":")[0] for line in lines if line.endswith(" instead of 404")}
    assert {f"GET {address}" for address in removed} <= answered
    assert "GET /blog/older: status 200 instead of 308" in lines
    assert "GET /blog/oldest: status 404 instead of 200" in lines


@pytest.mark.parametrize(
    ("site", "options", "code", "message"),
    [
        (SITE, ("--manifest", "{}"), DIFFERENT, "cannot be asked"),
        (SITE, ("--manifest", "{}/none.jsonl"), DIFFERENT, "it is missing, or is not whole"),
        (SITE, (), USAGE, "use --manifest"),
        ("http://", ("--manifest", "{}"), USAGE, "is not an origin"),
        ("https://studio.example/blog", ("--manifest", "{}"), USAGE, "is not an origin"),
    ],
)
def test_what_cannot_be_compared_is_an_error(
    site: str, options: tuple[str, ...], code: int, message: str, second_target: Path
) -> None:
    words = (word.format(second_target) for word in options)
    connect = ("--connect", f"127.0.0.1:{free_port()}")
    ended = commands.run("snapshot", "verify", site, *connect, *words)

    assert ended.returncode == code
    assert message in ended.stderr
