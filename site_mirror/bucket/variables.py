"""Validation of the variables `AWS_…` and of the endpoint of a bucket's store.

The library of buckets panics on some wrong values, so they are refused before it reads them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from site_mirror.bucket.errors import WrongValue
from site_mirror.host_names import has_wrong_brackets, is_host

STORE_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
"""Variables of the store's endpoint. The first that is set is used."""
ENDPOINTS = (
    *STORE_ENDPOINTS,
    "AWS_METADATA_ENDPOINT",
    "AWS_STS_ENDPOINT",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
)
REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")
PAIR = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
TOKENS = ("AWS_SESSION_TOKEN", "AWS_TOKEN")
SECRETS = frozenset({*PAIR, *TOKENS, "AWS_SSE_CUSTOMER_KEY_BASE64"})
"""Variables whose values no message has."""

BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
REGION = re.compile(r"[A-Za-z0-9-]+")
KEY = re.compile(r"[!-~]+")
TOKEN = re.compile(r"[!-~]*")

SEGMENT = re.compile(r"(?!\.{1,2}$)[^\x00-\x1f\x7f]+")
"""What stands between two slashes of a prefix."""

PATH = re.compile(r"[A-Za-z0-9/._~%-]*")


def refuse_wrong_values(endpoint: str, environment: Mapping[str, str]) -> None:
    """Raise `WrongValue` with a line for each value that the store cannot use."""
    if found := [*faults(endpoint, environment)]:
        raise WrongValue("\n".join(found))


def endpoint_in_use(endpoint: str, environment: Mapping[str, str]) -> str:
    """Return `--endpoint`, or the first variable that is set; empty for Amazon's own endpoint."""
    named = (environment.get(name, "") for name in STORE_ENDPOINTS)
    return endpoint or next(filter(None, named), "")


def faults(endpoint: str, environment: Mapping[str, str]) -> Iterator[str]:
    named = {name: environment[name] for name in ENDPOINTS if name in environment}
    for name, value in {**({"--endpoint": endpoint} if endpoint else {}), **named}.items():
        if not is_endpoint(value):
            shown = f"{name} with a user or a password" if "@" in value else f"{name}={value!a}"
            yield f"{shown} is not allowed: use a URL such as https://s3.example or http://h:9000."
    for name in REGIONS:
        value = environment.get(name, "a")
        if not REGION.fullmatch(value):
            yield f"{name}={value!a} is not allowed: use letters, digits and hyphens, or unset it."
    for name in (*PAIR, *TOKENS):
        allowed = KEY if name in PAIR else TOKEN
        if name in environment and not allowed.fullmatch(environment[name]):
            yield f"{name} is empty or has other characters: use printable ASCII without blanks."
    given = [name for name in PAIR if name in environment]
    if len(given) == 1:
        (missing,) = set(PAIR) - {*given}
        yield f"{given[0]} is set and {missing} is missing: set both, or unset both."


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
    plain = PATH.fullmatch(parts.path) is not None and "@" not in parts.netloc
    return valid and plain and parts.scheme in ("http", "https") and value == rest


def refusal(error: Exception, environment: Mapping[str, str]) -> WrongValue:
    """What the store says of a value, with the variable that has it; secrets are left out."""
    reason = str(error).partition("\n")[0].rstrip(".")
    secrets = [environment[name] for name in SECRETS if environment.get(name)]
    shown = masked(reason, secrets)
    for name, value in environment.items():
        if name.startswith("AWS_") and name not in SECRETS and value and word(value).search(reason):
            return WrongValue(f"{name}={masked(value, secrets)!r} is not allowed: {shown}.")
    return WrongValue(f"No store can be made of the variables AWS_…: {shown}.")


def masked(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = word(secret).sub("…", text)
    return text


def word(value: str) -> re.Pattern[str]:
    """A value where no letter and no digit is before or after it."""
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
