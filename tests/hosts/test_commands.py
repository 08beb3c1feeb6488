"""The commands `host` and `parity` as a deploy job runs them: their output and exit codes."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from site_mirror.hosts.verify import compare_site
from tests.freeze import commands, processes
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import CLIENTS, Server

pytestmark = pytest.mark.server

SAME, DIFFERENT, USAGE = 0, 1, 2
SITE = "http://studio.example"


@pytest.fixture(scope="module")
def server(retired_site: FrozenSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A file server, which lacks the most capabilities."""
    with servers.serve_host(
        "file-server", retired_site.release, tmp_path_factory.mktemp("host")
    ) as server:
        yield server


def manage(frozen: FrozenSite, *words: str) -> subprocess.CompletedProcess[str]:
    return processes.run("manage.py", *words, database=frozen.database)


def run_parity(frozen: FrozenSite, port: int, *options: str) -> subprocess.CompletedProcess[str]:
    clients = [word for client in CLIENTS[:20] for word in ("--client", client)]
    connect = ("--connect", f"127.0.0.1:{port}", *clients)
    return manage(frozen, "parity", SITE, str(frozen.release.folder), *connect, *options)


def test_parity_with_a_host_excuses_what_it_cannot_do(
    server: Server, retired_site: FrozenSite
) -> None:
    process = run_parity(retired_site, server.port, "--host", "file-server", "--rate-limit")

    assert process.returncode == SAME
    assert re.search(
        r"Parity: \d{4,} requests, \d{5,} comparisons, 0 differences\.", process.stdout
    )
    assert "Not compared: 405 with `Allow`" in process.stdout
    assert "Nothing to check" not in process.stdout


def test_parity_without_a_host_excuses_no_difference(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(server.http) as http:
        parity = compare_site(http, server.release, None)
    monkeypatch.setattr(
        "site_mirror.management.commands.parity.compare_site", lambda *_, **__: parity
    )
    words = ("parity", SITE, str(server.release.folder))
    text, report = commands.run(*words), commands.run(*words, "--json")
    members = json.loads(report.stdout)

    assert text.returncode == report.returncode == DIFFERENT
    assert "GET /api/v1/: a body of " in text.stdout
    assert f"… and {len(members['differences']) - 100} more (all of them with" in text.stdout
    assert "No parity" in text.stdout
    assert ("/api/v1/versions", "status 404 instead of 200") in {
        (difference["address"], difference["difference"]) for difference in members["differences"]
    }
    assert members["parity"] is False
    assert members["comparisons"] > members["requests"] > 0
    assert members["unasked"] == ["rate-limit"]
    assert {difference["method"] for difference in members["differences"]} >= {"GET", "POST"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((SITE, "{}", "--connect", "127.0.0.1:1"), "127.0.0.1:1 cannot be asked"),
        (("studio.example", "{}"), "is not an origin: use one such as https://studio.example"),
        (("http://studio.example/api", "{}"), "is not an origin"),
        ((SITE, "/"), "/ has no whole manifest of this program"),
        ((SITE, "{}", "--connect", "here"), "use an address and a port"),
        ((SITE, "{}", "--connect", "127.0.0.1:99999"), "a port is at most 65535"),
        ((SITE, "{}", "--host", "abacus"), "invalid choice: 'abacus'"),
        ((SITE, "{}", "--ca-file", "/dev/null"), "is not a file of certificates in PEM"),
        ((SITE, "{}", "--ca-file", "/nowhere"), "is not a file of certificates in PEM"),
    ],
)
def test_parity_with_a_wrong_argument_is_a_usage_error(
    words: tuple[str, ...], message: str, retired_site: FrozenSite
) -> None:
    ended = commands.run("parity", *(word.format(retired_site.release.folder) for word in words))

    assert ended.returncode == USAGE
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_configuration_has_the_paths_of_the_host(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    options = ("--release-at", "/srv/release", "--folder-at", "/srv/nginx", "--listen", "[::1]:81")
    link, folder, own = tmp_path / "current", tmp_path / "made", tmp_path / "own"
    link.symlink_to(retired_site.release.folder)
    process = manage(retired_site, "host", "nginx", str(link), str(folder), *options)
    manage(retired_site, "host", "nginx", str(link), str(own))
    texts = {file.name: file.read_text() for file in folder.iterdir()}

    assert process.returncode == SAME
    assert "listen [::1]:81;" in texts["nginx.conf"]
    assert 'include "/srv/nginx/tables.conf";' in texts["nginx.conf"]
    assert 'root "/srv/release/public";' in texts["site.conf"]
    assert [name for name, text in texts.items() if str(tmp_path) in text] == []
    # The link will lead to the next release, so the release itself is named.
    assert f'root "{retired_site.release.folder}/public";' in (own / "site.conf").read_text()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("nginx", "/", "{}"), USAGE, "/ has no whole manifest"),
        (("abacus", "/", "{}"), USAGE, "invalid choice"),
        (("nginx", "{release}", "/proc/nothing"), DIFFERENT, "/proc/nothing cannot be written"),
        (("file-server", "{release}", "{}"), SAME, "this host needs no configuration"),
    ],
)
def test_a_host_without_a_configuration_is_told_or_is_an_error(
    words: tuple[str, ...], code: int, message: str, retired_site: FrozenSite, tmp_path: Path
) -> None:
    arguments = (word.format(tmp_path, release=retired_site.release.folder) for word in words)
    ended = commands.run("host", *arguments)

    assert ended.returncode == code
    assert message in ended.stdout + ended.stderr
