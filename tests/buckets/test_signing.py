"""Signatures of requests, compared with the examples in Amazon's documentation."""

from datetime import UTC, datetime

import pytest

from site_mirror.hosts.bucket.signing import AccessKeys, object_url, sign_request

EXAMPLE = AccessKeys(
    "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1"
)
HOST = "https://examplebucket.s3.amazonaws.com"
MOMENT = datetime(2013, 5, 24, tzinfo=UTC)


@pytest.mark.parametrize(
    ("method", "key", "headers", "body", "names", "signature"),
    [
        (
            "GET",
            "test.txt",
            {"Range": "bytes=0-9"},
            b"",
            "host;range;x-amz-content-sha256;x-amz-date",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        ),
        (
            "PUT",
            "test$file.text",
            {
                "Date": "Fri, 24 May 2013 00:00:00 GMT",
                "x-amz-storage-class": "REDUCED_REDUNDANCY",
            },
            b"Welcome to Amazon S3.",
            "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
        ),
    ],
)
def test_a_request_is_signed_as_in_the_documentation(
    method: str, key: str, headers: dict[str, str], body: bytes, names: str, signature: str
) -> None:
    signed_headers = sign_request(EXAMPLE, method, object_url(HOST, key), headers, body, MOMENT)

    assert signed_headers["Authorization"] == (
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        f"SignedHeaders={names},Signature={signature}"
    )


def test_a_signature_with_temporary_keys_covers_the_session() -> None:
    keys = AccessKeys.of({"AWS_ACCESS_KEY_ID": "a", "AWS_SESSION_TOKEN": "of an hour"})
    signed_headers = sign_request(keys, "GET", object_url(HOST, "a"), {}, b"", MOMENT)

    assert signed_headers["x-amz-security-token"] == "of an hour"
    assert "x-amz-security-token" in signed_headers["Authorization"]


def test_the_secret_key_is_not_in_the_representation() -> None:
    assert EXAMPLE.secret not in repr(EXAMPLE)


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        (
            ("https://s3.example/", "bucket/prefix", "blog/a"),
            "https://s3.example/bucket/prefix/blog/a",
        ),
        (("http://127.0.0.1:9", "b", "ă b~+.md"), "http://127.0.0.1:9/b/%C4%83%20b~%2B.md"),
    ],
)
def test_the_key_of_an_object_is_quoted_once(parts: tuple[str, ...], url: str) -> None:
    assert object_url(*parts) == url
