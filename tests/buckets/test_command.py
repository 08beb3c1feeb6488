"""The command `publish` as a deploy job runs it: its output and exit codes."""

import json
import re
import subprocess

import pytest

from tests.buckets.servers import BUCKET_NAME, KEYS, BucketServer, no_request
from tests.freeze import processes
from tests.hosts.conftest import FrozenSite

pytestmark = pytest.mark.server

PUBLISHED, FAILED, USAGE, UNCHANGED = 0, 1, 2, 3


def run_publish(
    frozen: FrozenSite, endpoint: str, bucket: str = f"s3://{BUCKET_NAME}", folder: str = ""
) -> subprocess.CompletedProcess[str]:
    words = (folder or str(frozen.release.folder), bucket, "--endpoint", endpoint, "--json")
    return processes.run("manage.py", "publish", *words, database=frozen.database, **KEYS)


def test_publishing_a_release_again_changes_nothing(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    first, second = (run_publish(retired_site, bucket_server.endpoint) for _ in range(2))
    report = json.loads(first.stdout)

    assert (first.returncode, second.returncode) == (PUBLISHED, UNCHANGED)
    assert report["release"] == retired_site.release.folder.name
    assert "about" in report["uploaded"]
    assert json.loads(second.stdout)["outcome"] == "unchanged"


def test_publish_reports_former_addresses_without_a_redirect(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    words = (
        str(retired_site.release.folder),
        f"s3://{BUCKET_NAME}",
        "--endpoint",
        bucket_server.endpoint,
    )
    plain, website = (
        processes.run("manage.py", "publish", *words, *more, database=retired_site.database, **KEYS)
        for more in ((), ("--website",))
    )
    redirect_count = len(retired_site.release.redirects)

    assert (plain.returncode, website.returncode) == (PUBLISHED, PUBLISHED)
    assert (
        f"{redirect_count} former addresses lead nowhere; --website puts them there."
        in plain.stdout
    )
    assert f"{redirect_count + 1} uploaded" in website.stdout
    assert "lead nowhere" not in website.stdout


def test_a_failed_upload_has_the_exit_code_of_an_error(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    bucket_server.proxy.fails = lambda method, path: path.endswith("/about")
    process = run_publish(retired_site, bucket_server.endpoint)

    assert process.returncode == FAILED
    assert json.loads(process.stdout)["outcome"] == "failed"
    assert "Writing about failed" in process.stderr
    assert "Traceback" not in process.stderr


def test_the_next_run_completes_a_killed_one(
    bucket_server: BucketServer, retired_site: FrozenSite
) -> None:
    killed_run = start_publish(retired_site, bucket_server.endpoint)

    def kill_at_about(method: str, path: str) -> bool:
        if path.endswith("/about"):
            killed_run.kill()
        return False

    bucket_server.proxy.fails = kill_at_about
    killed_run.wait(timeout=60)
    half = bucket_server.keys()
    bucket_server.proxy.fails = no_request
    next_run = run_publish(retired_site, bucket_server.endpoint)

    assert killed_run.returncode < 0
    assert next_run.returncode == PUBLISHED
    assert half < bucket_server.keys()
    assert json.loads(next_run.stdout)["deleted"] == []


def start_publish(frozen: FrozenSite, endpoint: str) -> subprocess.Popen[bytes]:
    words = ("publish", str(frozen.release.folder), f"s3://{BUCKET_NAME}", "--endpoint", endpoint)
    return subprocess.Popen(
        [*processes.PYTHON, "manage.py", *words],
        cwd=processes.PROJECT,
        env=processes.environment(frozen.database, **KEYS),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.exhaustive("starts a process for each wrong argument")
@pytest.mark.parametrize(
    ("bucket", "folder", "message"),
    [
        ("studio.example", "", "is not a bucket: use s3://NAME"),
        ("https://studio.example", "", "is not a bucket"),
        ("s3://[x", "", "is not a bucket"),
        (f"s3://{BUCKET_NAME}", "/", "/ has no whole manifest of this program"),
    ],
)
def test_a_wrong_bucket_or_release_is_a_usage_error(
    bucket: str, folder: str, message: str, retired_site: FrozenSite
) -> None:
    process = run_publish(retired_site, "http://127.0.0.1:1", bucket, folder)

    assert process.returncode == USAGE
    assert message in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.exhaustive("starts a process for each wrong argument")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AWS_ENDPOINT_URL", "banana"),
        ("AWS_REGION", "a\nb"),
        ("AWS_SECRET_ACCESS_KEY", "\udcff"),
        ("AWS_SKIP_SIGNATURE", "banana"),
    ],
)
def test_a_wrong_variable_is_a_usage_error_of_publish(
    name: str, value: str, retired_site: FrozenSite
) -> None:
    words = (
        str(retired_site.release.folder),
        f"s3://{BUCKET_NAME}",
        "--endpoint",
        "http://127.0.0.1:1",
    )
    variables = KEYS | {name: value}
    process = processes.run(
        "manage.py", "publish", *words, database=retired_site.database, **variables
    )

    assert (process.returncode, process.stdout) == (USAGE, "")
    assert re.fullmatch(rf"CommandError: {name} ?[^\n]+\.\n", process.stderr)


@pytest.mark.exhaustive("starts a process for each wrong argument")
@pytest.mark.parametrize("endpoint", ["banana", "http://127.0.0.1:99999", "http://[::1"])
def test_a_wrong_endpoint_is_a_usage_error_of_publish(
    endpoint: str, retired_site: FrozenSite
) -> None:
    process = run_publish(retired_site, endpoint)

    assert (process.returncode, process.stdout) == (USAGE, "")
    assert re.fullmatch(r"CommandError: --endpoint=[^\n]+\.\n", process.stderr)
