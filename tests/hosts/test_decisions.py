"""Hosts decide by a request's headers as the live origin does, whatever the headers say."""

import random
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

import pytest
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from site_mirror import encodings
from site_mirror.headers import HTML
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.table import HOSTS
from site_mirror.negotiation import Representation, preferred
from tests.hosts import servers
from tests.hosts.conftest import Frozen
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
DECIDING = ("nginx", "caddy", "cloudflare", "netlify")
CODING = [name for name in DECIDING if Ability.VARIANTS not in HOSTS[name].cannot]
PAGE = "/about"
SAMPLES = 250


@pytest.fixture(scope="module", params=DECIDING)
def server(
    request: pytest.FixtureRequest, retired: Frozen, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("host")
    with servers.serving(request.param, retired.release, folder) as server:
        yield server


def lists(seed: int, *parts: tuple[str, ...]) -> list[str]:
    """Header values at random, each time the same."""
    chance = random.Random(seed)  # noqa: S311 - examples, not secrets
    return [
        ", ".join("".join(map(chance.choice, parts)) for _ in range(chance.randint(1, 4)))
        for _ in range(SAMPLES)
    ]


def expected_type(accept: str) -> tuple[int, str]:
    wanted = preferred(accept)
    return (200, TYPE_OF[wanted]) if wanted else (406, TYPE_OF[Representation.MARKDOWN])


def test_any_accept_gets_what_the_origin_would_send(server: Server) -> None:
    accepted = lists(1, TYPES, PARAMETERS, WEIGHTS)
    answers = {accept: server.ask(PAGE, Accept=accept) for accept in accepted}
    found = {
        accept: (answer.status, answer.headers["content-type"])
        for accept, answer in answers.items()
    }

    assert found == {accept: expected_type(accept) for accept in accepted}


@pytest.mark.parametrize("server", CODING, indirect=True)
def test_any_accepted_coding_gets_what_the_origin_would_send(server: Server) -> None:
    entry = next(entry for entry in server.release.documents if entry.encodings)
    body = server.release.file(entry)
    accepted = lists(2, CODINGS, ODD_WEIGHTS)
    found = {
        accept: server.ask(entry.address, Accept_Encoding=accept).headers["etag"]
        for accept in accepted
    }

    assert found == {accept: encodings.preferred(body, HTML, accept).etag for accept in accepted}


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


def conditions(seed: int, tag: str) -> list[dict[str, str]]:
    """Conditional headers at random, one or several at once."""
    chance = random.Random(seed)  # noqa: S311 - examples, not secrets
    tags = (tag, f"W/{tag}", '"other"', f'"other", {tag}', "*", tag.strip('"'), f"{tag},W/{tag}")
    return [
        {
            name: chance.choice(DATES if name.endswith("Since") else tags)
            for name in chance.sample(CONDITIONS, chance.randint(1, 3))
        }
        for _ in range(SAMPLES)
    ]


def decided(headers: dict[str, str], tag: str, moment: str) -> int:
    """The status that the origin's own library comes to."""
    request = HttpRequest()
    request.method = "GET"
    request.META = {f"HTTP_{name.upper().replace('-', '_')}": headers[name] for name in headers}
    seconds = int(parsedate_to_datetime(moment).timestamp())
    answer = get_conditional_response(request, tag, seconds, HttpResponse())
    return answer.status_code if answer else 200


def test_any_conditions_come_to_what_they_do_at_the_origin(server: Server) -> None:
    entry = server.release.by_address[PAGE]
    tag, moment = entry.headers["ETag"], entry.headers["Last-Modified"]
    asked = conditions(3, tag)
    found = [server.ask(PAGE, **headers).status for headers in asked]

    differing = [
        (headers, status, decided(headers, tag, moment))
        for headers, status in zip(asked, found, strict=True)
        if status != decided(headers, tag, moment)
    ]
    assert differing == []
    assert set(found) == {200, 304, 412}
