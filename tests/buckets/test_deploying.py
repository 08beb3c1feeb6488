"""The documented job for a bucket, run as a shell runs it: it arrives, or it is taken back."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from site_mirror.bucket import ledger
from tests.buckets.servers import KEYS, NAME, Storage, nowhere, storage
from tests.freeze import processes
from tests.hosts.servers import CLIENTS

pytestmark = pytest.mark.server

SCRIPT = processes.PROJECT / "docs/deploy/bucket.sh"
DEPLOYED, FAILED, USAGE, TAKEN_BACK, LOST = 0, 1, 2, 4, 5
NOBODY = 1
"""A port at which no server is."""


@dataclass(frozen=True)
class Job:
    """A job, and the bucket into which it deploys."""

    storage: Storage
    target: Path
    database: Path

    @property
    def current(self) -> str:
        return (self.target / "current").resolve().name

    @property
    def named(self) -> str:
        """The release that the bucket says it holds."""
        found = ledger.decoded(self.storage.bucket.read(ledger.KEY).body)
        return found.release if found else ""

    def run(self, website: int = 0) -> subprocess.CompletedProcess[str]:
        """Readers reach the bucket at the port of its server, or at another one."""
        clients = " ".join(f"--client {client}" for client in CLIENTS[-40:])
        told = {
            "MANAGE": f"{processes.PYTHON[0]} manage.py",
            "PUBLISH": f"--website --endpoint {self.storage.endpoint}",
            "PARITY": f"--connect 127.0.0.1:{website or self.storage.way.server} {clients}",
        }
        return subprocess.run(
            [str(SCRIPT), str(self.target), f"s3://{NAME}", f"http://{NAME}"],
            cwd=processes.PROJECT,
            env=processes.environment(self.database, **KEYS, **told),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def first(retired_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bucket, a target and a database, after the job's first run."""
    folder = tmp_path_factory.mktemp("first")
    database = processes.copied(retired_database, folder)
    with storage(folder) as server:
        ended = Job(server, folder / "site", database).run()
    assert ended.returncode == DEPLOYED, ended.stderr
    return folder


@pytest.fixture
def deployed(first: Path, tmp_path: Path, keys_in_the_environment: None) -> Iterator[Job]:
    folder = shutil.copytree(first, tmp_path / "own", symlinks=True)
    with storage(folder) as server:
        yield Job(server, folder / "site", folder / "catalogue.sqlite3")


@pytest.fixture
def again(deployed: Job) -> Job:
    """A job that has deployed, and whose content has been edited since."""
    processes.edit_everything(deployed.database)
    return deployed


def any_upload(method: str, path: str) -> bool:
    return method == "PUT"


def test_a_release_is_deployed(again: Job) -> None:
    before = again.current
    ended = again.run()

    assert ended.returncode == DEPLOYED, ended.stderr
    assert json.loads(ended.stdout) == {
        "outcome": "deployed",
        "step": "parity",
        "release": again.current,
        "before": before,
    }
    assert again.named == again.current != before


def test_nothing_new_is_deployed_as_well(deployed: Job) -> None:
    before = deployed.current
    ended = deployed.run()

    assert ended.returncode == DEPLOYED, ended.stderr
    assert json.loads(ended.stdout)["release"] == before


def test_what_does_not_arrive_is_taken_back(again: Job) -> None:
    before = again.current
    ended = again.run(website=NOBODY)
    report = json.loads(ended.stdout)

    assert ended.returncode == TAKEN_BACK, ended.stderr
    assert (report["outcome"], report["step"]) == ("taken back", "parity")
    assert again.named == again.current == report["release"] == before


def test_an_upload_that_breaks_off_is_taken_back(again: Job) -> None:
    before = again.current
    failed = []

    def once(method: str, path: str) -> bool:
        if any_upload(method, path) and path.endswith("/about") and not failed:
            failed.append(path)
            return True
        return False

    again.storage.way.fails = once
    ended = again.run()
    report = json.loads(ended.stdout)

    assert ended.returncode == TAKEN_BACK, ended.stderr
    assert (report["outcome"], report["step"]) == ("taken back", "publish")
    assert again.named == again.current == before


def test_what_can_be_neither_deployed_nor_taken_back_is_told(again: Job) -> None:
    before = again.current
    again.storage.way.fails = any_upload
    ended = again.run()
    report = json.loads(ended.stdout)
    again.storage.way.fails = nowhere

    assert ended.returncode == LOST, ended.stderr
    assert (report["outcome"], report["step"]) == ("failed", "rollback")
    assert report["release"] == before


def test_a_first_release_has_none_to_go_back_to(
    bucket_server: Storage, retired_database: Path, tmp_path: Path
) -> None:
    job = Job(bucket_server, tmp_path / "site", processes.copied(retired_database, tmp_path))
    job.storage.way.fails = any_upload
    ended = job.run()
    report = json.loads(ended.stdout)

    assert ended.returncode == LOST, ended.stderr
    assert (report["step"], report["before"]) == ("publish", "")


def test_what_cannot_be_frozen_changes_nothing(again: Job) -> None:
    before = again.current
    with processes.edited(again.database) as connection:
        connection.execute("DELETE FROM catalogue_studio")
    ended = again.run()

    assert ended.returncode == FAILED, ended.stderr
    assert json.loads(ended.stdout)["step"] == "freeze"
    assert again.named == again.current == before


def test_without_its_words_the_job_says_how_it_is_called() -> None:
    ended = subprocess.run([str(SCRIPT)], capture_output=True, text=True, check=False)

    assert ended.returncode == USAGE
    assert "bucket.sh TARGET BUCKET URL" in ended.stderr
