"""The documented deploy jobs, run by a shell: each deploys a release or rolls back."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from site_mirror.hosts import release
from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.bucket.servers import BUCKET_NAME, KEYS, BucketServer, serve_bucket
from tests.hosts.servers import CLIENTS

pytestmark = pytest.mark.server

OTHER_JOBS = pytest.mark.exhaustive("ten seconds for each host and each step that fails")
SCRIPTS = processes.PROJECT / "docs/deploy"
SITE = f"http://{BUCKET_NAME}"
DEPLOYED, USAGE, ROLLED_BACK = 0, 2, 4
UPLOAD = (
    "rm -f {0}/served; kill -USR2 $(cat {0}/pid) && until test -e {0}/served; do sleep 0.1; done"
)
RELOADS = {
    "nginx": "/usr/sbin/nginx -s reload -p {0} -c nginx.conf",
    "cloudflare": UPLOAD,
}
ONCE = "test -e {0}/again && exit 0; touch {0}/again; "
"""The beginning of a command that fails only when it is run for the first time."""

NOWHERE = "127.0.0.1:1"
"""An endpoint without a server."""

MANAGE = f"{processes.PYTHON[0]} manage.py"


@dataclass(frozen=True)
class Job:
    """A deploy job of a host that serves a release, and whose content was edited after it.

    `folder` is that of the host's configuration, or of the objects of a bucket.
    """

    command: tuple[str, ...]
    folder: Path
    target: Path
    database: Path
    variables: Mapping[str, str]
    bucket: BucketServer | None = None

    @property
    def current_release(self) -> str:
        return (self.target / "current").resolve().name

    @property
    def published_release(self) -> str:
        """The release that a bucket holds; other hosts serve the files of the target."""
        return self.bucket.published_release if self.bucket else self.current_release

    def run(self, **changes: str) -> tuple[int, dict[str, Any]]:
        """Return the exit code and the report; `{0}` in a variable is the folder."""
        variables = {name: text.format(self.folder) for name, text in changes.items()}
        words = [word.format(target=self.target) for word in self.command]
        process = subprocess.run(
            [str(SCRIPTS / words[0]), *words[1:]],
            cwd=processes.PROJECT,
            env=processes.environment(
                self.database, SITE_ROOT=SITE, **{**self.variables, **variables}
            ),
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.stdout, process.stderr
        return process.returncode, json.loads(process.stdout)


def parity_options(port: int) -> str:
    return " ".join([f"--connect 127.0.0.1:{port}", *(f"--client {one}" for one in CLIENTS[-40:])])


@contextmanager
def serve_job(name: str, database: Path, folder: Path) -> Iterator[Job]:
    target = folder / "site"
    (folder / "host").mkdir()
    if name == "bucket":
        with serve_bucket(folder) as bucket:
            command = ("bucket.sh", "{target}", f"s3://{BUCKET_NAME}", SITE)
            variables = {
                **KEYS,
                "MANAGE": MANAGE,
                "PUBLISH": f"--endpoint {bucket.endpoint}",
                "PARITY": parity_options(bucket.port),
            }
            job = Job(command, bucket.folder, target, database, variables, bucket)
            assert job.run()[0] == DEPLOYED
            yield job
        return
    processes.freeze(target, database=database, SITE_ROOT=SITE)
    current = release.read_release(target / "current")
    with servers.serve_host(name, current, folder / "host") as server:
        command = ("deploy.sh", name, "{target}", str(server.folder), SITE)
        variables = {
            "MANAGE": MANAGE,
            "RELOAD": RELOADS[name].format(server.folder),
            "LISTEN": f"127.0.0.1:{server.port}",
            "PARITY": parity_options(server.port),
        }
        yield Job(command, server.folder, target, database, variables)


@pytest.fixture
def job(request: pytest.FixtureRequest, retired_database: Path, tmp_path: Path) -> Iterator[Job]:
    database = processes.copy_database(retired_database, tmp_path)
    with serve_job(request.param, database, tmp_path) as job:
        processes.edit_everything(database)
        yield job


NOT_LOADED = {"RELOAD": f"{ONCE} true"}
NOT_ASKED = {"PARITY": f"--connect {NOWHERE}"}


@pytest.mark.parametrize(
    ("job", "changes"),
    [
        ("nginx", NOT_LOADED),
        pytest.param("bucket", NOT_ASKED, marks=OTHER_JOBS),
        pytest.param("cloudflare", NOT_LOADED, marks=OTHER_JOBS),
    ],
    indirect=["job"],
)
def test_a_job_deploys_a_release_and_takes_back_one_that_is_not_served(
    job: Job, changes: dict[str, str]
) -> None:
    before = job.current_release
    code, report = job.run()

    assert (code, job.current_release != before) == (DEPLOYED, True)
    assert report == {
        "outcome": "deployed",
        "step": "parity",
        "release": job.current_release,
        "before": before,
    }
    assert job.published_release == job.current_release

    processes.edit_everything(job.database)
    assert_takes_back(job, changes, "parity")


@OTHER_JOBS
@pytest.mark.parametrize("job", ["nginx"], indirect=True)
def test_a_job_takes_back_a_release_that_the_host_does_not_load(job: Job) -> None:
    assert_takes_back(job, {"RELOAD": f"{ONCE} false"}, "serve")


def assert_takes_back(job: Job, changes: dict[str, str], step: str) -> None:
    before = job.current_release
    code, report = job.run(**changes)

    assert (code, report["outcome"], report["step"]) == (ROLLED_BACK, "taken back", step)
    assert job.current_release == job.published_release == report["release"] == before


@pytest.mark.parametrize(
    ("script", "usage"),
    [("deploy.sh", "deploy.sh HOST TARGET FOLDER URL"), ("bucket.sh", "bucket.sh TARGET BUCKET")],
)
def test_a_job_without_arguments_prints_its_usage(script: str, usage: str) -> None:
    process = subprocess.run([str(SCRIPTS / script)], capture_output=True, text=True, check=False)

    assert process.returncode == USAGE
    assert usage in process.stderr
