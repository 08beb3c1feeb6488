"""Values of which no store can be made: each is a sentence, and no secret is in it."""

import os
import re

import pytest

from site_mirror.bucket import store
from site_mirror.bucket.errors import BucketFailed, NoBucket, WrongValue
from site_mirror.bucket.store import opened

ENDPOINT = "http://127.0.0.1:1"
GOOD = {"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hidden", "AWS_REGION": "eu-central-1"}
NO_ENDPOINT = [
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
WRONG = [
    ("AWS_ENDPOINT_URL", ""),
    *(("AWS_ENDPOINT_URL", value) for value in NO_ENDPOINT),
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
    """The variables of this test alone."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in GOOD.items():
        monkeypatch.setenv(name, value)


def refused(endpoint: str = "") -> str:
    with pytest.raises(WrongValue) as found:
        opened("s3://bucket", endpoint)
    return str(found.value)


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_variable_is_a_sentence_that_names_it(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    said = refused()

    assert re.fullmatch(rf"{name}\b[ -~]+\.", said)
    assert "hidden" not in said


@pytest.mark.parametrize("key", ["a", "banana"])
def test_what_the_store_says_is_told_without_a_key(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key)
    monkeypatch.setenv("AWS_CHECKSUM_ALGORITHM", "banana")
    said = refused()

    assert said.startswith("AWS_CHECKSUM_ALGORITHM=")
    assert key not in re.findall(r"\w+", said)


@pytest.mark.parametrize("endpoint", NO_ENDPOINT)
def test_a_wrong_endpoint_is_a_sentence(endpoint: str) -> None:
    said = refused(endpoint)

    assert re.fullmatch(r"--endpoint\b[ -~]+\.", said)
    assert "hidden" not in said


@pytest.mark.parametrize("name", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
@pytest.mark.parametrize("skipped", ["true", "false"])
def test_one_key_without_the_other_is_named(
    name: str, skipped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SKIP_SIGNATURE", skipped)
    monkeypatch.delenv(name)

    assert f"{name} is missing: set both, or unset both." in refused()


def test_the_store_is_made_without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of Amazon's has keys of its own, and a public bucket needs none."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")

    assert opened("s3://bucket", ENDPOINT).door.folder == "bucket"


@pytest.mark.parametrize(
    "endpoint",
    ["https://s3.example", "http://127.0.0.1:9000/", "http://[::1]:9000/base", "http://my_host"],
)
def test_an_endpoint_is_a_host_with_a_port_and_a_path(endpoint: str) -> None:
    assert opened("s3://bucket/a/b/", endpoint).door.folder == "bucket/a/b"


@pytest.mark.parametrize("name", ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"])
def test_an_endpoint_of_the_environment_is_as_good_as_the_option(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setattr(store, "RETRIES", 0)
    bucket = opened("s3://bucket", "")

    assert bucket.door.endpoint == "http://127.0.0.1:1"
    with pytest.raises(BucketFailed, match="error sending request"):
        bucket.listed()


def test_each_of_several_wrong_variables_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "banana")
    monkeypatch.setenv("AWS_REGION", "a b")

    assert [line.partition("=")[0] for line in refused().splitlines()] == [
        "AWS_ENDPOINT_URL",
        "AWS_REGION",
    ]


NO_NAME = ["s3://[x", "s3://x y", "s3://ü", "s3://x:1", "s3://u@x", "s3://x#y", "s3://", "s3://-"]
NO_PREFIX = ["s3://x/a//b", "s3://x/a/../b", "s3://x/./b", "s3://x/a\x07"]


@pytest.mark.parametrize("url", [*NO_NAME, *NO_PREFIX])
def test_an_address_that_is_no_bucket_is_refused(url: str) -> None:
    with pytest.raises(NoBucket, match="is no bucket: use s3://NAME"):
        opened(url, ENDPOINT)
