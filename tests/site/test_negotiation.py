"""A page answers in the representation that a request prefers, and says that it depends on it."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client

from site_mirror import encodings, hosts
from site_mirror.hosts.promised.negotiation import ACCEPTED
from site_mirror.negotiation import Representation, preferred
from site_mirror.registry import FAMILIES
from tests.needs import needs_node
from tests.rows import make_app, make_page, make_post

HTML, MARKDOWN = Representation.HTML, Representation.MARKDOWN
VARY = "Accept, Accept-Encoding"

BY_NAME = {"html": HTML, "markdown": MARKDOWN, "neither": None}
WANTED = [(None, HTML), *((accept, BY_NAME[name]) for accept, name in ACCEPTED)]
"""One table for the origin, for `rules.js` and, by parity, for every host that decides."""


@pytest.mark.parametrize(("accept", "wanted"), WANTED)
def test_a_header_has_one_preferred_representation(
    accept: str | None, wanted: Representation | None
) -> None:
    assert preferred(accept) is wanted


def test_the_rules_of_hosts_read_the_same_table_alike() -> None:
    program = f"""
        import rules from "./rules.js";
        const cases = {json.dumps([accept for accept, _ in ACCEPTED])};
        console.log(JSON.stringify(cases.map(rules.representation)));
    """
    folder = Path(hosts.__file__).parent
    command = [str(needs_node()), "--input-type=module", "--eval", program]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    found = [name.replace("none", "neither") for name in json.loads(said.stdout)]

    assert dict(zip((accept for accept, _ in ACCEPTED), found, strict=True)) == dict(ACCEPTED)


CODED = {
    "": "",
    "gzip": "gzip",
    "gzip, br": "br",
    "BR;Q=1": "br",
    "gzip;q=0.5, br ; q=.4": "gzip",
    "br;q=7, gzip": "br",
    "*": "br",
    "br;q=0, *": "gzip",
    "br;q=0.1, identity;q=0.2": "",
    "br, br;q=0, gzip;q=1.": "gzip",
    **dict.fromkeys(("br;", "br;1", "br;q", "br;q=", "br;q=-1", "br;q=x", "br;q= 1"), ""),
    **dict.fromkeys(("br;q=inf", "br;q=nan", "br;q=1e0", "br;q=1_0", "br;q=0x1", "br;q=+1"), ""),
    **dict.fromkeys(("br;x=1;q=1", "br;q=1;x=1", "b\xe5r", "br\x85", "br\xa0", "br;q=1\xb2"), ""),
}
"""A value of `Accept-Encoding`, and the coding that is sent of Brotli and gzip."""


def test_the_rules_of_hosts_and_the_origin_choose_a_coding_alike() -> None:
    choices = f"{json.dumps([*CODED])}.map((accepted) => rules.coding(accepted, ['br', 'gzip']))"
    program = f'import rules from "./rules.js"; console.log(JSON.stringify({choices}));'
    command = [str(needs_node()), "--input-type=module", "--eval", program]
    folder = Path(hosts.__file__).parent
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    variants = [encodings.preferred(b"a" * 5000, "text/html", accepted) for accepted in CODED]

    assert dict(zip(CODED, json.loads(said.stdout), strict=True)) == CODED
    assert [found.encoding.name if found.encoding else "" for found in variants] == [
        *CODED.values()
    ]


PAGES = [
    "/",
    "/vi",
    "/apps/an-app",
    "/vi/apps/an-app",
    "/blog/a-post",
    "/vi/blog/a-post",
]


@pytest.fixture
def client(db: None) -> Iterator[Client]:
    """A client of a site with a page of each kind in both languages."""
    make_page(title_vi="Nhà", body_vi="Chào.")
    make_app(description_vi="Nó đo.")
    make_post(title_vi="Một bài", excerpt_vi="Một câu. Hai câu.", body_vi="Nội dung.")
    return Client(headers={"host": "studio.example"}, raise_request_exception=False)


def mirror_of(page: str) -> str:
    return "/index.md" if page == "/" else f"{page}.md"


@pytest.mark.parametrize("page", PAGES)
def test_markdown_by_negotiation_is_the_mirror(client: Client, page: str) -> None:
    mirror = client.get(mirror_of(page))
    answer = client.get(page, headers={"accept": "text/markdown"})

    assert (answer.status_code, answer.content) == (200, mirror.content)
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer["Content-Location"] == mirror_of(page)
    assert answer["ETag"] == mirror["ETag"]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("accept", ["text/html", "text/markdown", "application/json"])
@pytest.mark.parametrize("origin", [{}, {"origin": "https://elsewhere.example"}], ids=["", "cors"])
def test_every_representation_and_the_refusal_depend_on_the_same_two_headers(
    client: Client, page: str, accept: str, origin: dict[str, str]
) -> None:
    answer = client.get(page, headers={"accept": accept, **origin})

    assert answer["Vary"] == VARY


@pytest.mark.parametrize("page", PAGES)
def test_the_two_representations_have_validators_of_their_own(client: Client, page: str) -> None:
    html, markdown = both(client, page)

    assert html["ETag"] != markdown["ETag"]
    assert client.get(page, headers=asking("text/html", markdown["ETag"])).status_code == 200
    assert client.get(page, headers=asking("text/markdown", html["ETag"])).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_what_a_client_has_is_not_sent_again_in_either_representation(
    client: Client, page: str
) -> None:
    for accept, had in zip(("text/html", "text/markdown"), both(client, page), strict=True):
        again = client.get(page, headers=asking(accept, had["ETag"]))

        assert (again.status_code, again.content) == (304, b"")
        assert again["Vary"] == VARY
        assert again.get("Content-Location") == had.get("Content-Location")


def both(client: Client, page: str) -> tuple[HttpResponse, HttpResponse]:
    html = client.get(page, headers={"accept": "text/html"})
    return html, client.get(page, headers={"accept": "text/markdown"})


def asking(accept: str, etag: str) -> dict[str, str]:
    return {"accept": accept, "if-none-match": etag}


@pytest.mark.parametrize("page", PAGES)
def test_a_request_that_wants_neither_is_told_what_there_is(client: Client, page: str) -> None:
    answer = client.get(page, headers={"accept": "application/json"})
    text = answer.content.decode()

    assert answer.status_code == 406
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer["Cache-Control"] == "no-store"
    assert f"(https://studio.example{page})" in text
    assert f"(https://studio.example{mirror_of(page)})" in text
    assert "(https://studio.example/api/v1/)" in text


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("accept", ["text/html", "text/markdown", "application/json"])
def test_a_head_answers_as_a_get_does(client: Client, page: str, accept: str) -> None:
    got = client.get(page, headers={"accept": accept})
    asked = client.head(page, headers={"accept": accept})

    assert (asked.status_code, asked.content) == (got.status_code, b"")
    assert dict(asked.headers) == dict(got.headers)


@pytest.mark.parametrize("accept", [accept for accept, _ in WANTED if accept])
def test_an_unknown_page_is_unknown_whatever_is_accepted(client: Client, accept: str) -> None:
    assert client.get("/blog/nothing", headers={"accept": accept}).status_code == 404


def test_every_page_is_negotiated_and_nothing_else_is() -> None:
    negotiated = {family.name for family in FAMILIES if family.mirror}
    pages = {family.name for family in FAMILIES if family.media_type.startswith("text/html")}

    assert negotiated == pages != set()
