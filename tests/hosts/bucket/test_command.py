"""The command `publish` as a deploy job runs it: its output, exit codes, and the website."""

import json
import os
import subprocess
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.http_client import HttpClient
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.verify import compare_site
from tests.freeze import commands
from tests.hosts.bucket.servers import BUCKET_NAME, KEYS, serve_bucket
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import CLIENTS

PUBLISHED, FAILED, USAGE, UNCHANGED = 0, 1, 2, 3
SPENDING = pytest.mark.exhaustive("sends 1,200 requests more, which a bucket does not count")
UNUSED_ENDPOINT = "http://127.0.0.1:1"


def run_publish(
    frozen: FrozenSite, *words: str, bucket: str = f"s3://{BUCKET_NAME}", **variables: str
) -> subprocess.CompletedProcess[str]:
    with mock.patch.dict(os.environ, KEYS | variables):
        return commands.run("publish", str(frozen.release.folder), bucket, *words)


@pytest.mark.server
@pytest.mark.parametrize("spend", [False, pytest.param(True, marks=SPENDING)])
def test_a_published_release_is_the_website_of_the_bucket(
    retired_site: FrozenSite, tmp_path: Path, *, spend: bool
) -> None:
    with serve_bucket(tmp_path) as server:
        options = ("--endpoint", server.endpoint, "--json")
        first, second = (run_publish(retired_site, *options) for _ in range(2))
        other = run_publish(retired_site, *options, bucket="s3://another")
        endpoint = ("127.0.0.1", server.port)
        with closing(HttpClient(f"http://{BUCKET_NAME}", endpoint, clients=CLIENTS)) as http:
            parity = compare_site(http, retired_site.release, HOSTS["bucket"], spend=spend)
    report = json.loads(first.stdout)

    assert (first.returncode, second.returncode) == (PUBLISHED, UNCHANGED)
    assert report["outcome"] == "published"
    assert report["release"] == retired_site.release.folder.name
    assert "about" in report["uploaded"]
    assert json.loads(second.stdout)["outcome"] == "unchanged"
    assert [f"{check.request}: {check.fault}" for check in parity.differences] == []
    assert parity.understated == []
    assert parity.unasked == [Capability.RATE_LIMIT] * (not spend)
    # The server refuses each request for a bucket that it does not have.
    assert (other.returncode, json.loads(other.stdout)["outcome"]) == (FAILED, "failed")
    assert "CommandError: Listing the bucket failed: " in other.stderr
    assert "Traceback" not in other.stderr


def test_a_message_does_not_repeat_the_password_of_the_endpoint(retired_site: FrozenSite) -> None:
    endpoint = "http://editor:needle@127.0.0.1:1"
    process = run_publish(retired_site, bucket="s3://a", AWS_ENDPOINT_URL=endpoint)

    assert process.returncode == FAILED
    assert "GET http://127.0.0.1:1/a" in process.stderr
    assert "needle" not in process.stdout + process.stderr


@pytest.mark.parametrize(
    ("words", "bucket", "variables", "code", "message"),
    [
        ((), "studio.example", {}, USAGE, "is not a bucket: use s3://NAME"),
        ((), "s3://a/../b", {}, USAGE, "s3://a/../b cannot be opened"),
        (("--endpoint", "banana"), "s3://a", {}, USAGE, "use a URL such as https://s3.example"),
        (("--endpoint", "http://h:99999"), "s3://a", {}, USAGE, "use a URL"),
        ((), "s3://a", {"AWS_SKIP_SIGNATURE": "banana"}, USAGE, 'failed to parse "banana"'),
        ((), "s3://a", {"AWS_REGION": "a\nb"}, FAILED, "Listing the bucket failed: "),
    ],
)
def test_a_wrong_argument_or_variable_is_a_sentence(
    words: tuple[str, ...],
    bucket: str,
    variables: dict[str, str],
    code: int,
    message: str,
    retired_site: FrozenSite,
) -> None:
    options = words or ("--endpoint", UNUSED_ENDPOINT)
    process = run_publish(retired_site, *options, bucket=bucket, **variables)

    assert (process.returncode, process.stdout) == (code, "")
    assert message in process.stderr
    assert "Traceback" not in process.stderr
