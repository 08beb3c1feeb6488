"""The documented deploy job, run by a shell: it deploys a release or rolls back."""

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

OTHER_JOBS = pytest.mark.exhaustive("ten seconds for each host and each step that fails")
SCRIPT = processes.PROJECT / "docs/deploy/deploy.sh"
DEPLOYED, FAILED, USAGE, ROLLED_BACK, ROLLBACK_FAILED = 0, 1, 2, 4, 5
UPLOAD = (
    "rm -f {0}/served; kill -USR2 $(cat {0}/pid) && until test -e {0}/served; do sleep 0.1; done"
)
RELOADS = {
    "nginx": "/usr/sbin/nginx -s reload -p {0} -c nginx.conf",
    "cloudflare": UPLOAD,
}


@dataclass(frozen=True)
class EditedHost:
    """A host that serves a release, and a target whose content was edited after the freeze."""

    server: Server
    target: Path
    database: Path

    @property
    def current_release(self) -> str:
        return (self.target / "current").resolve().name

    def deploy(self, reload: str, **changes: str) -> subprocess.CompletedProcess[str]:
        arguments = (str(self.target), str(self.server.folder), "http://studio.example")
        clients = " ".join(f"--client {client}" for client in CLIENTS[-40:])
        endpoint = f"127.0.0.1:{self.server.port}"
        variables = {
            "RELOAD": reload.format(self.server.folder),
            "MANAGE": f"{processes.PYTHON[0]} manage.py",
            "LISTEN": endpoint,
            "PARITY": f"--connect {endpoint} {clients}",
        }
        return subprocess.run(
            [str(SCRIPT), self.server.host.name, *arguments],
            cwd=processes.PROJECT,
            env=processes.environment(self.database, **variables | changes),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def edited_host(
    request: pytest.FixtureRequest, retired_database: Path, tmp_path: Path
) -> Iterator[EditedHost]:
    database = processes.copy_database(retired_database, tmp_path)
    target, folder = tmp_path / "site", tmp_path / "host"
    folder.mkdir()
    processes.freeze(target, database=database)
    current_release = release.read_release(target / "current")
    with servers.serve_host(request.param, current_release, folder) as server:
        processes.edit_everything(database)
        yield EditedHost(server, target, database)


@pytest.mark.parametrize(
    "edited_host",
    ["nginx", *(pytest.param(name, marks=OTHER_JOBS) for name in RELOADS if name != "nginx")],
    indirect=True,
)
def test_the_deploy_job_deploys_a_release(edited_host: EditedHost) -> None:
    before = edited_host.current_release
    process = edited_host.deploy(RELOADS[edited_host.server.host.name])

    assert process.returncode == DEPLOYED, process.stderr
    assert json.loads(process.stdout) == {
        "outcome": "deployed",
        "step": "parity",
        "release": edited_host.current_release,
        "before": before,
    }
    assert edited_host.current_release != before


@pytest.mark.parametrize(
    ("edited_host", "reload", "step"),
    [
        ("nginx", "true", "parity"),
        pytest.param("nginx", "test -e {0}/no", "serve", marks=OTHER_JOBS),
        pytest.param("cloudflare", "true", "parity", marks=OTHER_JOBS),
    ],
    indirect=["edited_host"],
)
def test_the_deploy_job_rolls_back_after_a_failed_step(
    edited_host: EditedHost, reload: str, step: str
) -> None:
    before = edited_host.current_release
    once = f"test -e {{0}}/again && exit 0; touch {{0}}/again; {reload}"
    process = edited_host.deploy(once)
    report = json.loads(process.stdout)

    assert process.returncode == ROLLED_BACK, process.stderr
    assert (report["outcome"], report["step"]) == ("taken back", step)
    assert edited_host.current_release == report["release"] == before


@OTHER_JOBS
@pytest.mark.parametrize("edited_host", ["nginx"], indirect=True)
def test_the_deploy_job_reports_a_failed_rollback(edited_host: EditedHost) -> None:
    before = edited_host.current_release
    process = edited_host.deploy("false")
    report = json.loads(process.stdout)

    assert process.returncode == ROLLBACK_FAILED, process.stderr
    assert (report["outcome"], report["step"]) == ("failed", "rollback")
    assert edited_host.current_release == report["release"] == before


@OTHER_JOBS
@pytest.mark.parametrize("edited_host", ["nginx"], indirect=True)
def test_the_deploy_job_cannot_roll_back_the_first_release(
    edited_host: EditedHost, tmp_path: Path
) -> None:
    first = replace(edited_host, target=tmp_path / "first")
    process = first.deploy("false")
    report = json.loads(process.stdout)

    assert process.returncode == ROLLBACK_FAILED, process.stderr
    assert (report["outcome"], report["step"], report["before"]) == ("failed", "serve", "")
    assert report["release"] == first.current_release


@pytest.mark.parametrize("edited_host", ["nginx"], indirect=True)
def test_the_deploy_job_changes_nothing_if_the_freeze_fails(edited_host: EditedHost) -> None:
    before = edited_host.current_release
    with processes.open_database(edited_host.database) as connection:
        connection.execute("DELETE FROM catalogue_studio")
    process = edited_host.deploy("false")

    assert process.returncode == FAILED, process.stderr
    assert json.loads(process.stdout)["step"] == "freeze"
    assert edited_host.current_release == before


def test_the_deploy_job_without_arguments_prints_its_usage() -> None:
    process = subprocess.run([str(SCRIPT)], capture_output=True, text=True, check=False)

    assert process.returncode == USAGE
    assert "deploy.sh HOST TARGET FOLDER URL" in process.stderr
