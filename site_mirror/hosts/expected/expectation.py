"""Expectations: a request and the response that the manifest promises."""

import hashlib
from collections.abc import Iterable, Mapping
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.http_client import HostRequest

Needs = frozenset[Capability]


class ExpectedBody(Struct, frozen=True):
    """A body by its size and digest; `problem` has its bytes if it is a problem of the API."""

    size: int
    sha256: str
    problem: bytes = b""


EMPTY_BODY = ExpectedBody(0, hashlib.sha256().hexdigest())


class AnyBody(Enum):
    """A rule for bodies whose bytes are not promised."""

    NO_PAGE = "no page and no file"


class Expectation(Struct, frozen=True):
    """A response to a request, and the capabilities without which a host cannot send it.

    `headers` has all headers, or is `None` if they are not promised.
    """

    needs: Needs
    request: HostRequest
    statuses: tuple[int, ...]
    headers: Mapping[str, str] | None
    content: ExpectedBody | AnyBody


def needs_of(*capabilities: Capability) -> Needs:
    return frozenset(capabilities)


def body_of_bytes(body: bytes) -> ExpectedBody:
    return ExpectedBody(len(body), hashlib.sha256(body).hexdigest())


def body_of_problem(body: bytes) -> ExpectedBody:
    return ExpectedBody(len(body), hashlib.sha256(body).hexdigest(), body)


def make_request(address: str, method: str = "GET", **headers: str) -> HostRequest:
    """Return a request; the argument `if_none_match` is the header `If-None-Match`."""
    return HostRequest(
        address, method, {header_name(name): value for name, value in headers.items()}
    )


def header_name(name: str) -> str:
    return "-".join(word.capitalize() for word in name.split("_"))


def with_head(expected: Expectation) -> Iterable[Expectation]:
    """Yield an expectation of GET, and the same one of HEAD, without a body."""
    request = HostRequest(expected.request.address, "HEAD", expected.request.headers)
    problem = expected.content.problem if isinstance(expected.content, ExpectedBody) else b""
    nothing = replace(EMPTY_BODY, problem=problem)
    yield expected
    yield replace(
        expected, needs=expected.needs | {Capability.HEAD}, request=request, content=nothing
    )
