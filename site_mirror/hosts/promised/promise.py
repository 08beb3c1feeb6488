"""What a manifest promises: a request, and the answer that it must have."""

import hashlib
from collections.abc import Iterable, Mapping
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.wire import Request

Needs = frozenset[Ability]


class Content(Struct, frozen=True):
    """The bytes of a body, by what is known of them; a problem may say which request failed."""

    size: int
    sha256: str
    problem: bytes = b""


NOTHING = Content(0, hashlib.sha256().hexdigest())


class Form(Enum):
    """What an answer may be where its bytes are not promised."""

    NO_PAGE = "no page and no file"


class Promise(Struct, frozen=True):
    """An answer to a request, and the abilities without which a host cannot give it.

    `headers` are all of them, or none if they are not promised.
    """

    needs: Needs
    request: Request
    statuses: tuple[int, ...]
    headers: Mapping[str, str] | None
    content: Content | Form


def needing(*abilities: Ability) -> Needs:
    return frozenset(abilities)


def of_bytes(body: bytes) -> Content:
    return Content(len(body), hashlib.sha256(body).hexdigest())


def of_problem(body: bytes) -> Content:
    return Content(len(body), hashlib.sha256(body).hexdigest(), body)


def asking(address: str, method: str = "GET", **headers: str) -> Request:
    """A request; `if_none_match` is the header `If-None-Match`."""
    return Request(address, method, {titled(name): value for name, value in headers.items()})


def titled(name: str) -> str:
    return "-".join(word.capitalize() for word in name.split("_"))


def both(promise: Promise) -> Iterable[Promise]:
    """A promise of GET, and the same of HEAD."""
    request = Request(promise.request.address, "HEAD", promise.request.headers)
    problem = promise.content.problem if isinstance(promise.content, Content) else b""
    nothing = replace(NOTHING, problem=problem)
    yield promise
    yield replace(promise, needs=promise.needs | {Ability.HEAD}, request=request, content=nothing)
