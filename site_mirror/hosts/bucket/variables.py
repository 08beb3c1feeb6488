"""Validation of the variables `AWS_…` and of the endpoint of a bucket.

The library `obstore` panics on some wrong values, so they are refused before it reads them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from site_mirror.host_names import has_wrong_brackets, is_host
from site_mirror.hosts.bucket.errors import InvalidVariable

STORE_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
"""Variables of the bucket's endpoint. The first one that is set is used."""
ENDPOINTS = (
    *STORE_ENDPOINTS,
    "AWS_METADATA_ENDPOINT",
    "AWS_STS_ENDPOINT",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
)
REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")
KEY_PAIR = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
TOKENS = ("AWS_SESSION_TOKEN", "AWS_TOKEN")
SECRETS = frozenset({*KEY_PAIR, *TOKENS, "AWS_SSE_CUSTOMER_KEY_BASE64"})
"""Variables whose values must not appear in messages."""

BUCKET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
REGION = re.compile(r"[A-Za-z0-9-]+")
ACCESS_KEY = re.compile(r"[!-~]+")
SESSION_TOKEN = re.compile(r"[!-~]*")

PREFIX_SEGMENT = re.compile(r"(?!\.{1,2}$)[^\x00-\x1f\x7f]+")
"""A part of a prefix between two slashes."""

ENDPOINT_PATH = re.compile(r"[A-Za-z0-9/._~%-]*")


def refuse_wrong_values(endpoint: str, environment: Mapping[str, str]) -> None:
    """Raise `InvalidVariable` with a line for each wrong value."""
    if faults := [*variable_faults(endpoint, environment)]:
        raise InvalidVariable("\n".join(faults))


def endpoint_in_use(endpoint: str, environment: Mapping[str, str]) -> str:
    """Return the option `--endpoint` or the first variable that is set; empty for Amazon S3."""
    values = (environment.get(name, "") for name in STORE_ENDPOINTS)
    return endpoint or next(filter(None, values), "")


def variable_faults(endpoint: str, environment: Mapping[str, str]) -> Iterator[str]:
    endpoints = {name: environment[name] for name in ENDPOINTS if name in environment}
    for name, value in {**({"--endpoint": endpoint} if endpoint else {}), **endpoints}.items():
        if not is_endpoint(value):
            shown = f"{name} with a user or a password" if "@" in value else f"{name}={value!a}"
            yield f"{shown} is not allowed: use a URL such as https://s3.example or http://h:9000."
    for name in REGIONS:
        value = environment.get(name, "a")
        if not REGION.fullmatch(value):
            yield f"{name}={value!a} is not allowed: use letters, digits and hyphens, or unset it."
    for name in (*KEY_PAIR, *TOKENS):
        allowed = ACCESS_KEY if name in KEY_PAIR else SESSION_TOKEN
        if name in environment and not allowed.fullmatch(environment[name]):
            yield f"{name} is empty or has other characters: use printable ASCII without blanks."
    present = [name for name in KEY_PAIR if name in environment]
    if len(present) == 1:
        (missing,) = set(KEY_PAIR) - {*present}
        yield f"{present[0]} is set and {missing} is missing: set both, or unset both."


def is_endpoint(value: str) -> bool:
    """Whether a value is `http` or `https`, a host, and perhaps a port and a path."""
    try:
        parts = urlsplit(value)
        host = parts.hostname or ""
        valid = parts.port != 0 and is_host(host) and "%" not in host
        valid = valid and not has_wrong_brackets(parts)
    except ValueError:
        return False
    rest = f"{parts.scheme}://{parts.netloc}{parts.path}"
    plain = ENDPOINT_PATH.fullmatch(parts.path) is not None and "@" not in parts.netloc
    return valid and plain and parts.scheme in ("http", "https") and value == rest


def explain_store_error(error: Exception, environment: Mapping[str, str]) -> InvalidVariable:
    """Return an error with the variable that has the wrong value, without secrets."""
    reason = str(error).partition("\n")[0].rstrip(".")
    secrets = [environment[name] for name in SECRETS if environment.get(name)]
    shown = mask_secrets(reason, secrets)
    for name, value in environment.items():
        if (
            name.startswith("AWS_")
            and name not in SECRETS
            and value
            and whole_word(value).search(reason)
        ):
            return InvalidVariable(
                f"{name}={mask_secrets(value, secrets)!r} is not allowed: {shown}."
            )
    return InvalidVariable(f"No store can be made of the variables AWS_…: {shown}.")


def mask_secrets(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = whole_word(secret).sub("…", text)
    return text


def whole_word(value: str) -> re.Pattern[str]:
    """Return a pattern of a value without a letter or a digit before or after it."""
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
