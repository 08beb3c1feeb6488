"""Signatures are those of Amazon's own examples."""

from datetime import UTC, datetime

import pytest

from site_mirror.bucket.signing import Keys, located, signed

EXAMPLE = Keys("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1")
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
    told = signed(EXAMPLE, method, located(HOST, key), headers, body, MOMENT)

    assert told["Authorization"] == (
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        f"SignedHeaders={names},Signature={signature}"
    )


def test_temporary_keys_sign_their_session_too() -> None:
    keys = Keys.of({"AWS_ACCESS_KEY_ID": "a", "AWS_SESSION_TOKEN": "of an hour"})
    told = signed(keys, "GET", located(HOST, "a"), {}, b"", MOMENT)

    assert told["x-amz-security-token"] == "of an hour"
    assert "x-amz-security-token" in told["Authorization"]


def test_keys_are_not_shown() -> None:
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
def test_a_key_is_quoted_once(parts: tuple[str, ...], url: str) -> None:
    assert located(*parts) == url
