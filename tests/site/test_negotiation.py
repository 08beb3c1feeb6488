"""A page has two representations, and `Accept` selects one of them."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client

from site_mirror import hosts
from site_mirror.documents import encodings
from site_mirror.hosts.expected.negotiation import ACCEPTED
from site_mirror.live.negotiation import Representation, preferred_representation
from site_mirror.registry.table import FAMILIES
from tests.factories import make_app, make_page, make_post
from tests.requirements import needs_node

HTML, MARKDOWN = Representation.HTML, Representation.MARKDOWN
VARY = "Accept, Accept-Encoding"

REPRESENTATIONS = {"html": HTML, "markdown": MARKDOWN, "neither": None}
PREFERENCES = [(None, HTML), *((accept, REPRESENTATIONS[name]) for accept, name in ACCEPTED)]
"""Cases for the origin and `rules.js`; parity sends them to each host that negotiates."""


@pytest.mark.parametrize(("accept", "wanted"), PREFERENCES)
def test_a_header_has_one_preferred_representation(
    accept: str | None, wanted: Representation | None
) -> None:
    assert preferred_representation(accept) is wanted


@pytest.mark.npm
def test_the_rules_of_hosts_select_the_representation_of_the_origin() -> None:
    program = f"""
        import rules from "./rules.js";
        const cases = {json.dumps([accept for accept, _ in ACCEPTED])};
        console.log(JSON.stringify(cases.map(rules.chooseRepresentation)));
    """
    folder = Path(hosts.__file__).parent
    command = [str(needs_node()), "--input-type=module", "--eval", program]
    process = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    names = [name.replace("none", "neither") for name in json.loads(process.stdout)]

    assert dict(zip((accept for accept, _ in ACCEPTED), names, strict=True)) == dict(ACCEPTED)


CHOSEN_CODINGS = {
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
"""Values of `Accept-Encoding`, and the coding that each selects from Brotli and gzip."""


@pytest.mark.npm
def test_the_rules_of_hosts_select_the_coding_of_the_origin() -> None:
    call = "rules.chooseCoding(accepted, ['br', 'gzip'])"
    choices = f"{json.dumps([*CHOSEN_CODINGS])}.map((accepted) => {call})"
    program = f'import rules from "./rules.js"; console.log(JSON.stringify({choices}));'
    command = [str(needs_node()), "--input-type=module", "--eval", program]
    folder = Path(hosts.__file__).parent
    process = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    variants = [
        encodings.preferred_variant(b"a" * 5000, "text/html", accepted)
        for accepted in CHOSEN_CODINGS
    ]

    assert dict(zip(CHOSEN_CODINGS, json.loads(process.stdout), strict=True)) == CHOSEN_CODINGS
    assert [variant.encoding.name if variant.encoding else "" for variant in variants] == [
        *CHOSEN_CODINGS.values()
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
    """A client of a site with three pages in both languages."""
    make_page(title_vi="Nhà", body_vi="Chào.")
    make_app(description_vi="Nó đo.")
    make_post(title_vi="Một bài", excerpt_vi="Một câu. Hai câu.", body_vi="Nội dung.")
    return Client(headers={"host": "studio.example"}, raise_request_exception=False)


def mirror_of(page: str) -> str:
    return "/index.md" if page == "/" else f"{page}.md"


@pytest.mark.parametrize("page", PAGES)
def test_negotiated_markdown_equals_the_mirror(client: Client, page: str) -> None:
    mirror = client.get(mirror_of(page))
    answer = client.get(page, headers={"accept": "text/markdown"})

    assert (answer.status_code, answer.content) == (200, mirror.content)
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer["Content-Location"] == mirror_of(page)
    assert answer["ETag"] == mirror["ETag"]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("accept", ["text/html", "text/markdown", "application/json"])
@pytest.mark.parametrize("origin", [{}, {"origin": "https://elsewhere.example"}], ids=["", "cors"])
def test_all_representations_and_the_406_vary_by_the_same_two_headers(
    client: Client, page: str, accept: str, origin: dict[str, str]
) -> None:
    answer = client.get(page, headers={"accept": accept, **origin})

    assert answer["Vary"] == VARY


@pytest.mark.parametrize("page", PAGES)
def test_the_two_representations_have_validators_of_their_own(client: Client, page: str) -> None:
    html, markdown = get_both(client, page)

    assert html["ETag"] != markdown["ETag"]
    assert (
        client.get(page, headers=conditional_headers("text/html", markdown["ETag"])).status_code
        == 200
    )
    assert (
        client.get(page, headers=conditional_headers("text/markdown", html["ETag"])).status_code
        == 200
    )


@pytest.mark.parametrize("page", PAGES)
def test_a_matching_validator_gets_a_304_in_both_representations(client: Client, page: str) -> None:
    for accept, first in zip(("text/html", "text/markdown"), get_both(client, page), strict=True):
        again = client.get(page, headers=conditional_headers(accept, first["ETag"]))

        assert (again.status_code, again.content) == (304, b"")
        assert again["Vary"] == VARY
        assert again.get("Content-Location") == first.get("Content-Location")


def get_both(client: Client, page: str) -> tuple[HttpResponse, HttpResponse]:
    html = client.get(page, headers={"accept": "text/html"})
    return html, client.get(page, headers={"accept": "text/markdown"})


def conditional_headers(accept: str, etag: str) -> dict[str, str]:
    return {"accept": accept, "if-none-match": etag}


@pytest.mark.parametrize("page", PAGES)
def test_the_406_of_a_page_links_to_both_representations(client: Client, page: str) -> None:
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
def test_a_head_has_the_status_and_headers_of_a_get(client: Client, page: str, accept: str) -> None:
    get = client.get(page, headers={"accept": accept})
    head = client.head(page, headers={"accept": accept})

    assert (head.status_code, head.content) == (get.status_code, b"")
    assert dict(head.headers) == dict(get.headers)


@pytest.mark.parametrize("accept", [accept for accept, _ in PREFERENCES if accept])
def test_an_unknown_page_is_a_404_for_any_accept(client: Client, accept: str) -> None:
    assert client.get("/blog/nothing", headers={"accept": accept}).status_code == 404


def test_all_pages_and_no_other_documents_are_negotiated() -> None:
    negotiated = {family.name for family in FAMILIES if family.mirror}
    pages = {family.name for family in FAMILIES if family.media_type.startswith("text/html")}

    assert negotiated == pages != set()
