"""The documented deploy job, run as a shell runs it: it arrives, or it is taken back."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from site_mirror.hosts import release
from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.servers import CLIENTS, Server

pytestmark = pytest.mark.server

SCRIPT = processes.PROJECT / "docs/deploy/deploy.sh"
DEPLOYED, FAILED, USAGE, TAKEN_BACK, LOST = 0, 1, 2, 4, 5
UPLOAD = (
    "rm -f {0}/served; kill -USR2 $(cat {0}/pid) && until test -e {0}/served; do sleep 0.1; done"
)
RELOADS = {
    "nginx": "/usr/sbin/nginx -s reload -p {0} -c nginx.conf",
    "caddy": "sed 's|admin off|admin unix//{0}/admin|' {0}/Caddyfile > {0}/Own && "
    "caddy reload --config {0}/Own --adapter caddyfile --address unix//{0}/admin",
    "cloudflare": UPLOAD,
    "netlify": UPLOAD,
}


@dataclass(frozen=True)
class Deployed:
    """A host that serves a release, whose content has been edited since."""

    server: Server
    target: Path
    database: Path

    @property
    def served(self) -> str:
        return (self.target / "current").resolve().name

    def deploy(self, reload: str, **changes: str) -> subprocess.CompletedProcess[str]:
        where = (str(self.target), str(self.server.folder), "http://studio.example")
        clients = " ".join(f"--client {client}" for client in CLIENTS[-40:])
        endpoint = f"127.0.0.1:{self.server.port}"
        told = {
            "RELOAD": reload.format(self.server.folder),
            "MANAGE": f"{processes.PYTHON[0]} manage.py",
            "LISTEN": endpoint,
            "PARITY": f"--connect {endpoint} {clients}",
        }
        return subprocess.run(
            [str(SCRIPT), self.server.host.name, *where],
            cwd=processes.PROJECT,
            env=processes.environment(self.database, **told | changes),
            capture_output=True,
            text=True,
            check=False,
        )


def with_an_admin(folder: Path) -> None:
    """Caddy reloads by its admin endpoint alone, which the generated file turns off."""
    file = folder / "Caddyfile"
    if file.exists():
        file.write_text(file.read_text().replace("admin off", f"admin unix//{folder}/admin"))


@pytest.fixture
def edited(
    request: pytest.FixtureRequest, retired_database: Path, tmp_path: Path
) -> Iterator[Deployed]:
    database = processes.copied(retired_database, tmp_path)
    target, folder = tmp_path / "site", tmp_path / "host"
    folder.mkdir()
    processes.freeze(target, database=database)
    served = release.read(target / "current")
    with servers.serving(request.param, served, folder, with_an_admin) as server:
        processes.edit_everything(database)
        yield Deployed(server, target, database)


@pytest.mark.parametrize("edited", RELOADS, indirect=True)
def test_a_release_is_deployed(edited: Deployed) -> None:
    before = edited.served
    ended = edited.deploy(RELOADS[edited.server.host.name])

    assert ended.returncode == DEPLOYED, ended.stderr
    assert json.loads(ended.stdout) == {
        "outcome": "deployed",
        "step": "parity",
        "release": edited.served,
        "before": before,
    }
    assert edited.served != before


@pytest.mark.parametrize(
    ("edited", "reload", "step"),
    [
        ("nginx", "true", "parity"),
        ("nginx", "test -e {0}/no", "serve"),
        ("cloudflare", "true", "parity"),
        ("netlify", "true", "parity"),
    ],
    indirect=["edited"],
)
def test_what_does_not_arrive_is_taken_back(edited: Deployed, reload: str, step: str) -> None:
    before = edited.served
    once = f"test -e {{0}}/again && exit 0; touch {{0}}/again; {reload}"
    ended = edited.deploy(once)
    report = json.loads(ended.stdout)

    assert ended.returncode == TAKEN_BACK, ended.stderr
    assert (report["outcome"], report["step"]) == ("taken back", step)
    assert edited.served == report["release"] == before


@pytest.mark.parametrize("edited", ["nginx"], indirect=True)
def test_what_can_be_neither_served_nor_taken_back_is_told(edited: Deployed) -> None:
    before = edited.served
    ended = edited.deploy("false")
    report = json.loads(ended.stdout)

    assert ended.returncode == LOST, ended.stderr
    assert (report["outcome"], report["step"]) == ("failed", "rollback")
    assert edited.served == report["release"] == before


@pytest.mark.parametrize("edited", ["nginx"], indirect=True)
def test_a_first_release_has_none_to_go_back_to(edited: Deployed, tmp_path: Path) -> None:
    first = replace(edited, target=tmp_path / "first")
    ended = first.deploy("false")
    report = json.loads(ended.stdout)

    assert ended.returncode == LOST, ended.stderr
    assert (report["outcome"], report["step"], report["before"]) == ("failed", "serve", "")
    assert report["release"] == first.served


@pytest.mark.parametrize("edited", ["nginx"], indirect=True)
def test_what_cannot_be_frozen_changes_nothing(edited: Deployed) -> None:
    before = edited.served
    with processes.edited(edited.database) as connection:
        connection.execute("DELETE FROM catalogue_studio")
    ended = edited.deploy("false")

    assert ended.returncode == FAILED, ended.stderr
    assert json.loads(ended.stdout)["step"] == "freeze"
    assert edited.served == before


def test_without_its_words_the_job_says_how_it_is_called() -> None:
    ended = subprocess.run([str(SCRIPT)], capture_output=True, text=True, check=False)

    assert ended.returncode == USAGE
    assert "deploy.sh HOST TARGET FOLDER URL" in ended.stderr
