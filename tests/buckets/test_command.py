"""The command as a deploy job runs it: what it says, and the codes it exits with."""

import json
import re
import subprocess

import pytest

from tests.buckets.servers import KEYS, NAME, Storage
from tests.freeze import processes
from tests.hosts.conftest import Frozen

pytestmark = pytest.mark.server

PUBLISHED, FAILED, USAGE, UNCHANGED = 0, 1, 2, 3


def publish(
    frozen: Frozen, endpoint: str, bucket: str = f"s3://{NAME}", folder: str = ""
) -> subprocess.CompletedProcess[str]:
    words = (folder or str(frozen.release.folder), bucket, "--endpoint", endpoint, "--json")
    return processes.run("manage.py", "publish", *words, database=frozen.database, **KEYS)


def test_a_release_is_published_once(bucket_server: Storage, retired: Frozen) -> None:
    first, second = (publish(retired, bucket_server.endpoint) for _ in range(2))
    report = json.loads(first.stdout)

    assert (first.returncode, second.returncode) == (PUBLISHED, UNCHANGED)
    assert report["release"] == retired.release.folder.name
    assert "about" in report["uploaded"]
    assert json.loads(second.stdout)["outcome"] == "unchanged"


def test_what_the_bucket_lacks_is_said(bucket_server: Storage, retired: Frozen) -> None:
    words = (str(retired.release.folder), f"s3://{NAME}", "--endpoint", bucket_server.endpoint)
    plain, website = (
        processes.run("manage.py", "publish", *words, *more, database=retired.database, **KEYS)
        for more in ((), ("--website",))
    )
    former = len(retired.release.redirects)

    assert (plain.returncode, website.returncode) == (PUBLISHED, PUBLISHED)
    assert f"{former} former addresses lead nowhere; --website puts them there." in plain.stdout
    assert f"{former + 1} uploaded" in website.stdout
    assert "lead nowhere" not in website.stdout


def test_an_upload_that_fails_is_an_error_exit(bucket_server: Storage, retired: Frozen) -> None:
    bucket_server.way.fails = lambda method, path: path.endswith("/about")
    ended = publish(retired, bucket_server.endpoint)

    assert ended.returncode == FAILED
    assert json.loads(ended.stdout)["outcome"] == "failed"
    assert "Writing about failed" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_run_that_is_killed_is_completed_by_the_next(
    bucket_server: Storage, retired: Frozen
) -> None:
    process = started(retired, bucket_server.endpoint)

    def killed(method: str, path: str) -> bool:
        if path.endswith("/about"):
            process.kill()
        return False

    bucket_server.way.fails = killed
    process.wait(timeout=60)
    half = bucket_server.keys()
    bucket_server.way.fails = lambda method, path: False
    ended = publish(retired, bucket_server.endpoint)

    assert process.returncode < 0
    assert ended.returncode == PUBLISHED
    assert half < bucket_server.keys()
    assert json.loads(ended.stdout)["deleted"] == []


def started(frozen: Frozen, endpoint: str) -> subprocess.Popen[bytes]:
    words = ("publish", str(frozen.release.folder), f"s3://{NAME}", "--endpoint", endpoint)
    return subprocess.Popen(
        [*processes.PYTHON, "manage.py", *words],
        cwd=processes.PROJECT,
        env=processes.environment(frozen.database, **KEYS),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.parametrize(
    ("bucket", "folder", "said"),
    [
        ("studio.example", "", "is no bucket: use s3://NAME"),
        ("https://studio.example", "", "is no bucket"),
        ("s3://[x", "", "is no bucket"),
        (f"s3://{NAME}", "/", "/ has no whole manifest of this program"),
    ],
)
def test_what_is_no_bucket_or_no_release_is_usage(
    bucket: str, folder: str, said: str, retired: Frozen
) -> None:
    ended = publish(retired, "http://127.0.0.1:1", bucket, folder)

    assert ended.returncode == USAGE
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AWS_ENDPOINT_URL", "banana"),
        ("AWS_REGION", "a\nb"),
        ("AWS_SECRET_ACCESS_KEY", "\udcff"),
        ("AWS_SKIP_SIGNATURE", "banana"),
    ],
)
def test_a_wrong_variable_is_usage(name: str, value: str, retired: Frozen) -> None:
    words = (str(retired.release.folder), f"s3://{NAME}", "--endpoint", "http://127.0.0.1:1")
    variables = KEYS | {name: value}
    ended = processes.run("manage.py", "publish", *words, database=retired.database, **variables)

    assert (ended.returncode, ended.stdout) == (USAGE, "")
    assert re.fullmatch(rf"CommandError: {name} ?[^\n]+\.\n", ended.stderr)


@pytest.mark.parametrize("endpoint", ["banana", "http://127.0.0.1:99999", "http://[::1"])
def test_a_wrong_endpoint_is_usage(endpoint: str, retired: Frozen) -> None:
    ended = publish(retired, endpoint)

    assert (ended.returncode, ended.stdout) == (USAGE, "")
    assert re.fullmatch(r"CommandError: --endpoint=[^\n]+\.\n", ended.stderr)
