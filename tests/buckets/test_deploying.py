"""The documented deploy job for a bucket, run by a shell: it deploys a release or rolls back."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.buckets.servers import BUCKET_NAME, KEYS, BucketServer
from tests.freeze import processes
from tests.hosts.servers import CLIENTS

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

    def run(self, *, endpoint: int = 0, website: int = 0) -> subprocess.CompletedProcess[str]:
        """Run the job; `endpoint` and `website` are other ports than the server's."""
        clients = " ".join(f"--client {client}" for client in CLIENTS[-40:])
        variables = {
            "MANAGE": f"{processes.PYTHON[0]} manage.py",
            "PUBLISH": f"--endpoint http://127.0.0.1:{endpoint or self.storage.port}",
            "PARITY": f"--connect 127.0.0.1:{website or self.storage.port} {clients}",
        }
        return subprocess.run(
            [str(SCRIPT), str(self.target), f"s3://{BUCKET_NAME}", f"http://{BUCKET_NAME}"],
            cwd=processes.PROJECT,
            env=processes.environment(self.database, **KEYS | variables),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def edited_job(bucket_server: BucketServer, retired_database: Path, tmp_path: Path) -> Job:
    """A job after its first run and a later edit."""
    database = processes.copy_database(retired_database, tmp_path)
    job = Job(bucket_server, tmp_path / "site", database)
    assert job.run().returncode == DEPLOYED
    processes.edit_everything(database)
    return job


@pytest.mark.server
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
    assert edited_job.storage.published_release == edited_job.current_release != before


@pytest.mark.server
def test_the_bucket_job_rolls_back_after_a_failed_comparison(edited_job: Job) -> None:
    before = edited_job.current_release
    process = edited_job.run(website=UNUSED_PORT)
    report = json.loads(process.stdout)

    assert process.returncode == ROLLED_BACK, process.stderr
    assert (report["outcome"], report["step"]) == ("taken back", "parity")
    assert edited_job.storage.published_release == edited_job.current_release == before


@pytest.mark.server
@pytest.mark.exhaustive("seven seconds for each step that fails")
def test_the_bucket_job_reports_a_failed_rollback(edited_job: Job) -> None:
    before = edited_job.current_release
    process = edited_job.run(endpoint=UNUSED_PORT)
    report = json.loads(process.stdout)

    assert process.returncode == ROLLBACK_FAILED, process.stderr
    assert (report["outcome"], report["step"]) == ("failed", "rollback")
    assert report["release"] == before


@pytest.mark.server
@pytest.mark.exhaustive("seven seconds for each step that fails")
def test_the_bucket_job_changes_nothing_if_the_freeze_fails(edited_job: Job) -> None:
    before = edited_job.current_release
    with processes.open_database(edited_job.database) as connection:
        connection.execute("DELETE FROM catalogue_studio")
    process = edited_job.run()

    assert process.returncode == FAILED, process.stderr
    assert json.loads(process.stdout)["step"] == "freeze"
    assert edited_job.storage.published_release == edited_job.current_release == before


def test_the_bucket_job_without_arguments_prints_its_usage() -> None:
    process = subprocess.run([str(SCRIPT)], capture_output=True, text=True, check=False)

    assert process.returncode == USAGE
    assert "bucket.sh TARGET BUCKET URL" in process.stderr
