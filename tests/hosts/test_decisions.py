"""Random values of request headers have the same effect at hosts as at the live origin."""

import random
from collections.abc import Iterator, Sequence
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from site_mirror.documents import encodings
from site_mirror.documents.headers import HTML_TYPE
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.table import HOSTS
from site_mirror.live.negotiation import Representation, preferred_representation
from tests.hosts import servers
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import Server

pytestmark = pytest.mark.server

TYPES = ("text/html", "text/markdown", "text/*", "*/*", "application/json", "Text/HTML", "*/html")
WEIGHTS = ("", ";q=0", ";q=1", ";q=0.5", "; q=0.501", ";q=.5", ";q=1.0", ";q=2", ";q=", ";q=x")
ODD_WEIGHTS = (*WEIGHTS, ";", ";1", ";q=inf", ";q=1_0", ";q=0x1", ";x=1;q=1")
PARAMETERS = ("", "", ";charset=utf-8", "; level=1")
CODINGS = ("gzip", "br", "*", "identity", "deflate", "GZIP")
TYPE_OF = {
    Representation.HTML: "text/html; charset=utf-8",
    Representation.MARKDOWN: "text/markdown; charset=utf-8",
}
NEGOTIATING_HOSTS = ("nginx", "cloudflare")
OTHER_HOSTS = pytest.mark.exhaustive("asks another host what nginx is asked in each check")
HOSTS_WITH_CODINGS = [
    name for name in NEGOTIATING_HOSTS if Capability.VARIANTS not in HOSTS[name].cannot
]
PAGE = "/about"
SAMPLE_COUNT = 250


def in_each_check(hosts: Sequence[str]) -> list[Any]:
    """Return parameters of which each check of a change takes the first, nginx."""
    return [hosts[0], *(pytest.param(name, marks=OTHER_HOSTS) for name in hosts[1:])]


@pytest.fixture(scope="module", params=in_each_check(NEGOTIATING_HOSTS))
def server(
    request: pytest.FixtureRequest,
    retired_site: FrozenSite,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("host")
    with servers.serve_host(request.param, retired_site.release, folder) as server:
        yield server


def random_lists(seed: int, *parts: tuple[str, ...]) -> list[str]:
    """Return random lists as values of a header; equal seeds give equal lists."""
    generator = random.Random(seed)  # noqa: S311 - examples, not secrets
    return [
        ", ".join("".join(map(generator.choice, parts)) for _ in range(generator.randint(1, 4)))
        for _ in range(SAMPLE_COUNT)
    ]


def expected_type(accept: str) -> tuple[int, str]:
    wanted = preferred_representation(accept)
    return (200, TYPE_OF[wanted]) if wanted else (406, TYPE_OF[Representation.MARKDOWN])


def test_any_accept_selects_the_representation_of_the_origin(server: Server) -> None:
    accepted = random_lists(1, TYPES, PARAMETERS, WEIGHTS)
    answers = {accept: server.ask(PAGE, Accept=accept) for accept in accepted}
    decisions = {
        accept: (answer.status, answer.headers["content-type"])
        for accept, answer in answers.items()
    }

    assert decisions == {accept: expected_type(accept) for accept in accepted}


@pytest.mark.parametrize("server", in_each_check(HOSTS_WITH_CODINGS), indirect=True)
def test_any_accept_encoding_selects_the_variant_of_the_origin(server: Server) -> None:
    entry = next(entry for entry in server.release.documents if entry.encodings)
    body = server.release.file(entry)
    accepted = random_lists(2, CODINGS, ODD_WEIGHTS)
    tags = {
        accept: server.ask(entry.address, Accept_Encoding=accept).headers["etag"]
        for accept in accepted
    }

    assert tags == {
        accept: encodings.preferred_variant(body, HTML_TYPE, accept).etag for accept in accepted
    }


DATES = (
    "Thu, 01 Jan 2026 00:00:00 GMT",
    "Wed, 31 Dec 2025 23:59:59 GMT",
    "Thu, 01 Jan 2026 00:00:01 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Friday, 02-Jan-26 00:00:00 GMT",
    "Fri Jan  2 00:00:00 2026",
    "Sun Nov  6 08:49:37 1994",
    "2026-01-01",
    "Thu, 01 Foo 2026 00:00:00 GMT",
)
CONDITIONS = ("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since")


def random_conditions(seed: int, tag: str) -> list[dict[str, str]]:
    """Return random conditional requests with one to three headers."""
    generator = random.Random(seed)  # noqa: S311 - examples, not secrets
    tags = (tag, f"W/{tag}", '"other"', f'"other", {tag}', "*", tag.strip('"'), f"{tag},W/{tag}")
    return [
        {
            name: generator.choice(DATES if name.endswith("Since") else tags)
            for name in generator.sample(CONDITIONS, generator.randint(1, 3))
        }
        for _ in range(SAMPLE_COUNT)
    ]


def expected_status(headers: dict[str, str], tag: str, moment: str) -> int:
    """Return the status that Django computes for a conditional request."""
    request = HttpRequest()
    request.method = "GET"
    request.META = {f"HTTP_{name.upper().replace('-', '_')}": headers[name] for name in headers}
    seconds = int(parsedate_to_datetime(moment).timestamp())
    answer = get_conditional_response(request, tag, seconds, HttpResponse())
    return answer.status_code if answer else 200


def test_any_conditions_lead_to_the_status_of_the_origin(server: Server) -> None:
    entry = server.release.by_address[PAGE]
    tag, moment = entry.headers["ETag"], entry.headers["Last-Modified"]
    conditions = random_conditions(3, tag)
    statuses = [server.ask(PAGE, **headers).status for headers in conditions]

    differing = [
        (headers, status, expected_status(headers, tag, moment))
        for headers, status in zip(conditions, statuses, strict=True)
        if status != expected_status(headers, tag, moment)
    ]
    assert differing == []
    assert set(statuses) == {200, 304, 412}
