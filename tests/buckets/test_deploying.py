"""The documented deploy job for a bucket, run by a shell: it deploys a release or rolls back."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from site_mirror.hosts.bucket import ledger
from tests.buckets.servers import BUCKET_NAME, KEYS, BucketServer, no_request, serve_bucket
from tests.freeze import processes
from tests.hosts.servers import CLIENTS

pytestmark = pytest.mark.server

SCRIPT = processes.PROJECT / "docs/deploy/bucket.sh"
DEPLOYED, FAILED, USAGE, ROLLED_BACK, ROLLBACK_FAILED = 0, 1, 2, 4, 5
UNUSED_PORT = 1
"""A port without a server."""


@dataclass(frozen=True)
class Job:
    """A deploy job with its bucket, its target and its database."""

    storage: BucketServer
    target: Path
    database: Path

    @property
    def current_release(self) -> str:
        return (self.target / "current").resolve().name

    @property
    def published_release(self) -> str:
        """The release that the bucket's ledger names; empty if it names none."""
        decoded = ledger.decode_ledger(self.storage.bucket.read(ledger.LEDGER_KEY).body)
        return decoded.release if decoded else ""

    def run(self, website: int = 0) -> subprocess.CompletedProcess[str]:
        """Run the job; `website` is the port for the comparison, by default that of the server."""
        clients = " ".join(f"--client {client}" for client in CLIENTS[-40:])
        variables = {
            "MANAGE": f"{processes.PYTHON[0]} manage.py",
            "PUBLISH": f"--website --endpoint {self.storage.endpoint}",
            "PARITY": f"--connect 127.0.0.1:{website or self.storage.proxy.server_port} {clients}",
        }
        return subprocess.run(
            [str(SCRIPT), str(self.target), f"s3://{BUCKET_NAME}", f"http://{BUCKET_NAME}"],
            cwd=processes.PROJECT,
            env=processes.environment(self.database, **KEYS, **variables),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def deployed_folder(retired_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bucket, a target and a database after the first run of the job."""
    folder = tmp_path_factory.mktemp("first")
    database = processes.copy_database(retired_database, folder)
    with serve_bucket(folder) as server:
        process = Job(server, folder / "site", database).run()
    assert process.returncode == DEPLOYED, process.stderr
    return folder


@pytest.fixture
def deployed_job(deployed_folder: Path, tmp_path: Path, bucket_keys: None) -> Iterator[Job]:
    folder = shutil.copytree(deployed_folder, tmp_path / "own", symlinks=True)
    with serve_bucket(folder) as server:
        yield Job(server, folder / "site", folder / "catalogue.sqlite3")


@pytest.fixture
def edited_job(deployed_job: Job) -> Job:
    """A job after its first run and a later edit."""
    processes.edit_everything(deployed_job.database)
    return deployed_job


def is_upload(method: str, path: str) -> bool:
    return method == "PUT"


def test_the_bucket_job_deploys_a_release(edited_job: Job) -> None:
    before = edited_job.current_release
    process = edited_job.run()

    assert process.returncode == DEPLOYED, process.stderr
    assert json.loads(process.stdout) == {
        "outcome": "deployed",
        "step": "parity",
        "release": edited_job.current_release,
        "before": before,
    }
    assert edited_job.published_release == edited_job.current_release != before


@pytest.mark.exhaustive("seven seconds for each step that fails")
def test_the_bucket_job_deploys_an_unchanged_release_again(deployed_job: Job) -> None:
    before = deployed_job.current_release
    process = deployed_job.run()

    assert process.returncode == DEPLOYED, process.stderr
    assert json.loads(process.stdout)["release"] == before


def test_the_bucket_job_rolls_back_after_a_failed_comparison(edited_job: Job) -> None:
    before = edited_job.current_release
    process = edited_job.run(website=UNUSED_PORT)
    report = json.loads(process.stdout)

    assert process.returncode == ROLLED_BACK, process.stderr
    assert (report["outcome"], report["step"]) == ("taken back", "parity")
    assert edited_job.published_release == edited_job.current_release == report["release"] == before


@pytest.mark.exhaustive("seven seconds for each step that fails")
def test_the_bucket_job_rolls_back_after_a_failed_upload(edited_job: Job) -> None:
    before = edited_job.current_release
    failed = []

    def once(method: str, path: str) -> bool:
        if is_upload(method, path) and path.endswith("/about") and not failed:
            failed.append(path)
            return True
        return False

    edited_job.storage.proxy.fails = once
    process = edited_job.run()
    report = json.loads(process.stdout)

    assert process.returncode == ROLLED_BACK, process.stderr
    assert (report["outcome"], report["step"]) == ("taken back", "publish")
    assert edited_job.published_release == edited_job.current_release == before


@pytest.mark.exhaustive("seven seconds for each step that fails")
def test_the_bucket_job_reports_a_failed_rollback(edited_job: Job) -> None:
    before = edited_job.current_release
    edited_job.storage.proxy.fails = is_upload
    process = edited_job.run()
    report = json.loads(process.stdout)
    edited_job.storage.proxy.fails = no_request

    assert process.returncode == ROLLBACK_FAILED, process.stderr
    assert (report["outcome"], report["step"]) == ("failed", "rollback")
    assert report["release"] == before


@pytest.mark.exhaustive("seven seconds for each step that fails")
def test_the_bucket_job_cannot_roll_back_the_first_release(
    bucket_server: BucketServer, retired_database: Path, tmp_path: Path
) -> None:
    job = Job(bucket_server, tmp_path / "site", processes.copy_database(retired_database, tmp_path))
    job.storage.proxy.fails = is_upload
    process = job.run()
    report = json.loads(process.stdout)

    assert process.returncode == ROLLBACK_FAILED, process.stderr
    assert (report["step"], report["before"]) == ("publish", "")


@pytest.mark.exhaustive("seven seconds for each step that fails")
def test_the_bucket_job_changes_nothing_if_the_freeze_fails(edited_job: Job) -> None:
    before = edited_job.current_release
    with processes.open_database(edited_job.database) as connection:
        connection.execute("DELETE FROM catalogue_studio")
    process = edited_job.run()

    assert process.returncode == FAILED, process.stderr
    assert json.loads(process.stdout)["step"] == "freeze"
    assert edited_job.published_release == edited_job.current_release == before


def test_the_bucket_job_without_arguments_prints_its_usage() -> None:
    process = subprocess.run([str(SCRIPT)], capture_output=True, text=True, check=False)

    assert process.returncode == USAGE
    assert "bucket.sh TARGET BUCKET URL" in process.stderr
