"""A page has two representations, and `Accept` selects one of them."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.test import Client

from catalogue.addresses import mirror_of
from site_mirror import hosts
from site_mirror.documents import encodings
from site_mirror.hosts.accept import ACCEPT_TABLE
from tests.factories import make_page, make_translated_app, make_translated_post
from tests.requirements import needs_node

PAGES = ["/", "/vi", "/apps/an-app", "/vi/apps/an-app", "/blog/a-post", "/vi/blog/a-post"]
HTML, MARKDOWN = "text/html; charset=utf-8", "text/markdown; charset=utf-8"
ACCEPTED = ("text/html", "text/markdown")
ANSWERS = {"html": (200, HTML), "markdown": (200, MARKDOWN), "none": (406, MARKDOWN)}


@pytest.fixture
def client(db: None) -> Iterator[Client]:
    """A client of a site with three pages in both languages."""
    make_page(title_vi="Nhà", body_vi="Chào.")
    make_translated_app()
    make_translated_post()
    return Client(headers={"host": "studio.example"}, raise_request_exception=False)


def test_each_accept_of_the_table_selects_its_form_of_a_page(client: Client) -> None:
    answers = {accept: client.get("/", headers={"accept": accept}) for accept in ACCEPT_TABLE}
    found = {
        accept: (answer.status_code, answer["Content-Type"]) for accept, answer in answers.items()
    }

    assert found == {accept: ANSWERS[form] for accept, form in ACCEPT_TABLE.items()}
    assert {answer["Vary"] for answer in answers.values()} == {"Accept, Accept-Encoding"}
    assert client.get("/")["Content-Type"] == HTML


def call_rules(function: str, values: Mapping[str, str], *more: object) -> dict[str, str]:
    """Return the result of a function of `rules.js` for each value."""
    arguments = ", ".join(["value", *map(json.dumps, more)])
    program = f"""
        import rules from "./rules.js";
        const results = {json.dumps([*values])}.map((value) => rules.{function}({arguments}));
        console.log(JSON.stringify(results));
    """
    process = subprocess.run(
        [str(needs_node()), "--input-type=module", "--eval", program],
        cwd=Path(hosts.__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(values, json.loads(process.stdout), strict=True))


@pytest.mark.npm
def test_the_rules_of_hosts_select_by_the_same_table() -> None:
    assert call_rules("chooseRepresentation", ACCEPT_TABLE) == ACCEPT_TABLE


CHOSEN_CODINGS = {
    "": "",
    "gzip": "gzip",
    "gzip, br": "br",
    "gzip, deflate, br, zstd": "br",
    "deflate": "",
    "br;q=0.000, gzip;q=0.001": "gzip",
    "*;q=0": "",
    "gzip;q=0.5, *;q=0.8": "br",
    "identity;q=0, gzip": "gzip",
    "identity, gzip;q=0.5": "",
    "identity;q=0.5, gzip;q=0.5": "gzip",
    "gzip;q=high": "",
    ",,gzip,,": "gzip",
    "BR;Q=1": "br",
    "gzip;q=0.5, br ; q=.4": "gzip",
    "br;q=7, gzip": "br",
    "*": "br",
    "br;q=0, *": "gzip",
    "br;q=0.1, identity;q=0.2": "",
    "br, br;q=0, gzip;q=1.": "gzip",
    **dict.fromkeys(("br;", "br;1", "br;q", "br;q=", "br;q=-1", "br;q=x", "br;q= 1"), ""),
    **dict.fromkeys(("br;q=inf", "br;q=1e0", "br;x=1;q=1", "br;q=1;x=1", "br\xa0"), ""),
}
"""Values of `Accept-Encoding`, and the coding that each selects from Brotli and gzip."""


def test_each_accept_encoding_selects_its_coding() -> None:
    for accepted, coding in CHOSEN_CODINGS.items():
        found = encodings.preferred_encoding(accepted)

        assert (found.name if found else "") == coding, accepted


@pytest.mark.npm
def test_the_rules_of_hosts_select_the_same_codings() -> None:
    assert call_rules("chooseCoding", CHOSEN_CODINGS, ["br", "gzip"]) == CHOSEN_CODINGS


@pytest.mark.parametrize("page", PAGES)
def test_the_two_representations_have_addresses_and_validators_of_their_own(
    client: Client, page: str
) -> None:
    mirror = client.get(mirror_of(page))
    html, markdown = (client.get(page, headers={"accept": accept}) for accept in ACCEPTED)

    assert (markdown.status_code, markdown.content) == (200, mirror.content)
    assert (markdown["Content-Location"], markdown["ETag"]) == (mirror_of(page), mirror["ETag"])
    statuses = [
        client.get(page, headers={"accept": accept, "if-none-match": known["ETag"]}).status_code
        for accept in ACCEPTED
        for known in (html, markdown)
    ]
    assert statuses == [304, 200, 200, 304]


def test_the_406_of_a_page_links_to_both_representations(client: Client) -> None:
    for page in PAGES:
        answer = client.get(page, headers={"accept": "application/json"})

        assert answer["Cache-Control"] == "no-store"
        for address in (page, mirror_of(page), "/api/v1/"):
            assert f"(https://studio.example{address})" in answer.content.decode()
