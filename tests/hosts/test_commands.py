"""The commands of hosts as a deploy job runs them: what they say, and the codes they exit with."""

import json
import re
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.conftest import Frozen
from tests.hosts.servers import CLIENTS, Server

pytestmark = pytest.mark.server

SAME, DIFFERENT, USAGE = 0, 1, 2
SITE = "http://studio.example"
NEW_CLIENTS = iter(CLIENTS)
"""Each run asks from addresses that have asked for nothing before."""


@pytest.fixture(scope="module")
def server(retired: Frozen, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with servers.serving("nginx", retired.release, tmp_path_factory.mktemp("host")) as server:
        yield server


def manage(frozen: Frozen, *words: str) -> subprocess.CompletedProcess[str]:
    return processes.run("manage.py", *words, database=frozen.database)


def parity(frozen: Frozen, port: int, *options: str) -> subprocess.CompletedProcess[str]:
    clients = [word for client in islice(NEW_CLIENTS, 20) for word in ("--client", client)]
    where = ("--connect", f"127.0.0.1:{port}", *clients)
    return manage(frozen, "parity", SITE, str(frozen.release.folder), *where, *options)


def test_parity_is_said_in_words(server: Server, retired: Frozen) -> None:
    ended = parity(retired, server.port, "--host", "nginx")

    assert ended.returncode == SAME
    assert re.search(r"Parity: \d{4,} requests, \d{5,} comparisons, 0 differences\.", ended.stdout)
    assert "Not held to: 405 for methods in lower case" in ended.stdout


def test_without_a_host_nothing_is_excused(server: Server, retired: Frozen) -> None:
    ended = parity(retired, server.port)

    assert ended.returncode == DIFFERENT
    assert "get /api/v1/: status 400 instead of 405." in ended.stdout
    assert "No parity" in ended.stdout


def test_a_report_is_one_object(server: Server, retired: Frozen) -> None:
    ended = parity(retired, server.port, "--json")
    report = json.loads(ended.stdout)

    assert ended.returncode == DIFFERENT
    assert report["parity"] is False
    assert report["checked"]["redirects"] > 0
    assert report["unasked"] == ["rate-limit"]
    assert {difference["method"] for difference in report["differences"]} == {"get", "head", "post"}


def test_the_budget_is_spent_where_that_is_wanted(server: Server, retired: Frozen) -> None:
    ended = parity(retired, server.port, "--host", "nginx", "--rate-limit", "--json")
    report = json.loads(ended.stdout)

    assert (ended.returncode, report["unasked"]) == (SAME, [])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((SITE, "{}", "--connect", "127.0.0.1:1"), "127.0.0.1:1 cannot be asked"),
        (("studio.example", "{}"), "is no origin: use one such as https://studio.example"),
        (("http://studio.example/api", "{}"), "is no origin"),
        ((SITE, "/"), "/ has no whole manifest of this program"),
        ((SITE, "{}", "--connect", "here"), "use an address and a port"),
        ((SITE, "{}", "--connect", "127.0.0.1:99999"), "a port is at most 65535"),
        ((SITE, "{}", "--host", "abacus"), "invalid choice: 'abacus'"),
    ],
)
def test_what_cannot_be_compared_is_usage(
    words: tuple[str, ...], said: str, retired: Frozen
) -> None:
    ended = manage(retired, "parity", *(word.format(retired.release.folder) for word in words))

    assert ended.returncode == USAGE
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_configuration_names_where_things_are_on_the_host(
    retired: Frozen, tmp_path: Path
) -> None:
    there = ("--release-at", "/srv/release", "--folder-at", "/srv/nginx", "--listen", "[::1]:81")
    folder = str(tmp_path / "made")
    ended = manage(retired, "host", "nginx", str(retired.release.folder), folder, *there)
    written = {file.name: file.read_text() for file in (tmp_path / "made").iterdir()}

    assert ended.returncode == SAME
    assert "listen [::1]:81;" in written["nginx.conf"]
    assert 'include "/srv/nginx/tables.conf";' in written["nginx.conf"]
    assert 'root "/srv/release/public";' in written["site.conf"]
    assert [name for name, text in written.items() if str(tmp_path) in text] == []


def test_a_configuration_names_a_release_and_never_the_link_to_it(
    retired: Frozen, tmp_path: Path
) -> None:
    link = tmp_path / "current"
    link.symlink_to(retired.release.folder)
    manage(retired, "host", "caddy", str(link), str(tmp_path / "made"))
    text = (tmp_path / "made/site.caddy").read_text()

    assert str(retired.release.folder / "public") in text
    assert str(link) not in text


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("nginx", "/", "{}"), USAGE, "/ has no whole manifest"),
        (("abacus", "/", "{}"), USAGE, "invalid choice"),
        (("nginx", "{release}", "/proc/nothing"), DIFFERENT, "/proc/nothing cannot be written"),
    ],
)
def test_a_configuration_that_cannot_be_made_is_said(
    words: tuple[str, ...], code: int, said: str, retired: Frozen, tmp_path: Path
) -> None:
    filled = (word.format(tmp_path, release=retired.release.folder) for word in words)
    ended = manage(retired, "host", *filled)

    assert ended.returncode == code
    assert said in ended.stderr


def test_a_host_without_configuration_says_so(retired: Frozen, tmp_path: Path) -> None:
    ended = manage(retired, "host", "file-server", str(retired.release.folder), str(tmp_path))

    assert ended.returncode == SAME
    assert "this host needs no configuration" in ended.stdout
