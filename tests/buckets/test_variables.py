"""Wrong variables and endpoints of a bucket: each error is a sentence without a secret."""

import os
import re

import pytest

from site_mirror.hosts.bucket import store
from site_mirror.hosts.bucket.errors import BucketFailed, InvalidBucketAddress, InvalidVariable
from site_mirror.hosts.bucket.store import open_bucket

ENDPOINT = "http://127.0.0.1:1"
VALID_VARIABLES = {
    "AWS_ACCESS_KEY_ID": "id",
    "AWS_SECRET_ACCESS_KEY": "hidden",
    "AWS_REGION": "eu-central-1",
}
INVALID_ENDPOINTS = [
    "banana",
    "ftp://s3.example",
    "https://",
    "http://127.0.0.1:99999",
    "http://127.0.0.1:0",
    "http://127.0.0.1:port",
    "http://127.0.0.999",
    "http://127.1",
    "http://xn--a.example",
    "http://[v1.x]:1",
    "http://[::1",
    "http://[::zz]",
    "http://a b",
    "http://đà.example",
    "http://a..b",
    "http://h/a path",
    "http://h?query",
    "http://h\n",
    "http://user:hidden@h",
]
INVALID_VARIABLES = [
    ("AWS_ENDPOINT_URL", ""),
    *(("AWS_ENDPOINT_URL", value) for value in INVALID_ENDPOINTS),
    ("AWS_ENDPOINT", "banana"),
    ("AWS_ENDPOINT_URL_S3", "banana"),
    ("AWS_METADATA_ENDPOINT", "banana"),
    ("AWS_REGION", "a\nb"),
    ("AWS_REGION", ""),
    ("AWS_DEFAULT_REGION", "\udcff"),
    ("AWS_ACCESS_KEY_ID", ""),
    ("AWS_ACCESS_KEY_ID", "hidden\n"),
    ("AWS_SECRET_ACCESS_KEY", "hidden\udcff"),
    ("AWS_SECRET_ACCESS_KEY", "hidden key"),
    ("AWS_SESSION_TOKEN", "hidden\nhidden"),
    ("AWS_SKIP_SIGNATURE", "banana"),
    ("AWS_CHECKSUM_ALGORITHM", "banana"),
    ("AWS_SERVER_SIDE_ENCRYPTION", "banana"),
]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set only the variables of this test."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in VALID_VARIABLES.items():
        monkeypatch.setenv(name, value)


def refusal_of(endpoint: str = "") -> str:
    with pytest.raises(InvalidVariable) as error:
        open_bucket("s3://bucket", endpoint)
    return str(error.value)


@pytest.mark.parametrize(("name", "value"), INVALID_VARIABLES)
def test_the_error_of_a_wrong_variable_is_a_sentence_with_its_name(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    message = refusal_of()

    assert re.fullmatch(rf"{name}\b[ -~]+\.", message)
    assert "hidden" not in message


@pytest.mark.parametrize("key", ["a", "banana"])
def test_an_error_of_the_store_is_shown_without_a_key(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key)
    monkeypatch.setenv("AWS_CHECKSUM_ALGORITHM", "banana")
    message = refusal_of()

    assert message.startswith("AWS_CHECKSUM_ALGORITHM=")
    assert key not in re.findall(r"\w+", message)


@pytest.mark.parametrize("endpoint", INVALID_ENDPOINTS)
def test_the_error_of_a_wrong_endpoint_is_a_sentence(endpoint: str) -> None:
    message = refusal_of(endpoint)

    assert re.fullmatch(r"--endpoint\b[ -~]+\.", message)
    assert "hidden" not in message


@pytest.mark.parametrize("name", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
@pytest.mark.parametrize("skipped", ["true", "false"])
def test_the_error_of_a_single_key_names_the_missing_one(
    name: str, skipped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SKIP_SIGNATURE", skipped)
    monkeypatch.delenv(name)

    assert f"{name} is missing: set both, or unset both." in refusal_of()


def test_a_store_needs_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machines of Amazon have keys of their own, and a public bucket needs none."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")

    assert open_bucket("s3://bucket", ENDPOINT).website.folder == "bucket"


@pytest.mark.parametrize(
    "endpoint",
    ["https://s3.example", "http://127.0.0.1:9000/", "http://[::1]:9000/base", "http://my_host"],
)
def test_an_endpoint_is_a_host_with_a_port_and_a_path(endpoint: str) -> None:
    assert open_bucket("s3://bucket/a/b/", endpoint).website.folder == "bucket/a/b"


@pytest.mark.parametrize("name", ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"])
def test_an_endpoint_may_come_from_the_environment(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setattr(store, "MAX_RETRIES", 0)
    bucket = open_bucket("s3://bucket", "")

    assert bucket.website.endpoint == "http://127.0.0.1:1"
    with pytest.raises(BucketFailed, match="error sending request"):
        bucket.list_objects()


def test_the_error_of_several_wrong_variables_names_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "banana")
    monkeypatch.setenv("AWS_REGION", "a b")

    assert [line.partition("=")[0] for line in refusal_of().splitlines()] == [
        "AWS_ENDPOINT_URL",
        "AWS_REGION",
    ]


INVALID_NAMES = [
    "s3://[x",
    "s3://x y",
    "s3://ü",
    "s3://x:1",
    "s3://u@x",
    "s3://x#y",
    "s3://",
    "s3://-",
]
INVALID_PREFIXES = ["s3://x/a//b", "s3://x/a/../b", "s3://x/./b", "s3://x/a\x07"]


@pytest.mark.parametrize("url", [*INVALID_NAMES, *INVALID_PREFIXES])
def test_an_address_that_is_not_a_bucket_is_refused(url: str) -> None:
    with pytest.raises(InvalidBucketAddress, match="is not a bucket: use s3://NAME"):
        open_bucket(url, ENDPOINT)
