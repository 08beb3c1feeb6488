"""`humans.txt`, the instructions for agents, and the catalogue of APIs."""

import json
import re

from api.contract import BUDGET
from api.endpoints import ADDRESSES
from site_mirror.machine import agents, humans
from site_mirror.machine.humans import Person
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES
from tests.freeze.live_requests import ask
from tests.site.page_reader import MOMENT, SITE, STUDIO, find_failing, read_document

CATALOGUE_ADDRESS = "/.well-known/api-catalog"


def read_catalogue() -> list[dict[str, object]]:
    return list(json.loads(read_document(CATALOGUE_ADDRESS))["linkset"])


def test_humans_txt_names_people_with_their_roles(shipped_site: None) -> None:
    text = read_document("/humans.txt")

    assert text.startswith("/* TEAM */\nlinh: Mobile\n")
    assert "\n/* THANKS */\n" in text
    assert "\n/* SITE */\nName: Plumbline Studio\nAddress: https://studio.example/\n" in text


def test_humans_txt_leaves_out_empty_sections() -> None:
    text = humans.humans_txt(SITE, STUDIO, country="", people=[], thanks=[], languages=["en"])

    assert b"From:" not in text
    assert b"THANKS" not in text
    assert text.startswith(b"/* TEAM */\nContact: hello@studio.example\n\n/* SITE */\n")


def test_humans_txt_has_a_line_for_each_acknowledgement() -> None:
    people = [Person("linh", "Mobile")]
    text = humans.humans_txt(
        SITE, STUDIO, country="", people=people, thanks=["A", "B"], languages=[]
    )

    assert b"/* THANKS */\nA\nB\n\n" in text
    assert b"Languages" not in text


def test_the_catalogue_is_a_link_set_whose_relations_are_lists(shipped_site: None) -> None:
    contexts = read_catalogue()

    relations = [
        value for context in contexts for name, value in context.items() if name != "anchor"
    ]
    assert [context["anchor"] for context in contexts] == [
        SITE.url(CATALOGUE_ADDRESS),
        SITE.url("/api/v1/"),
    ]
    assert all(isinstance(value, list) and value for value in relations)


def test_every_link_of_the_catalogue_answers_with_the_type_that_it_says(
    shipped_site: None,
) -> None:
    targets = {
        target["href"]: target["type"]
        for context in read_catalogue()
        for value in context.values()
        if isinstance(value, list)
        for target in value
    }

    types = {
        href: ask(href.removeprefix(SITE.root)).headers["Content-Type"].partition(";")[0]
        for href in targets
    }
    assert len(targets) == 6
    assert (find_failing(set(targets)), types) == ({}, targets)


def test_the_head_of_the_catalogue_links_to_it(shipped_site: None) -> None:
    answer = ask(CATALOGUE_ADDRESS, method="HEAD")

    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Link"] == '</.well-known/api-catalog>; rel="api-catalog"'


def test_the_instructions_have_all_endpoints_and_the_budget(shipped_site: None) -> None:
    text = read_document("/agent-instructions.md")

    templates = set(map(SITE.url, ADDRESSES.values()))
    assert set(re.findall(r"^\| \w+ \| `(\S+)` \|$", text, flags=re.MULTILINE)) == templates
    assert f"{BUDGET.requests} requests in {BUDGET.window_seconds} seconds" in text
    assert "CC BY 4.0" in text


def test_every_link_of_the_instructions_exists(shipped_site: None) -> None:
    links = set(re.findall(r"<(https:\S+)>", read_document("/agent-instructions.md")))

    assert len(links) == 6
    assert find_failing(links) == {}


def test_the_instructions_have_one_first_heading() -> None:
    lines = agents.agent_instructions(SITE, STUDIO).decode().splitlines()

    assert [line for line in lines if line.startswith("# ")] == ["# Instructions for agents"]


def test_errors_have_the_form_that_the_instructions_name(shipped_site: None) -> None:
    text = read_document("/agent-instructions.md")
    assert "An error below `/api/` or at `/openapi.json` is a problem document" in text

    problems = {ask(path, method="POST").headers["Content-Type"] for path in ADDRESSES.values()}
    others = {
        ask(path, method="POST").headers["Content-Type"]
        for path in ("/", "/blog", "/llms.txt", "/nowhere", "/agent-instructions.md")
    }

    assert problems == {"application/problem+json"}
    assert others == {"text/markdown; charset=utf-8"}


def test_the_moment_of_a_frozen_document_is_at_the_documented_place(shipped_site: None) -> None:
    at = "2026-03-31T20:00:00Z"
    with_moment = {
        family.template: json.loads(document.body(at))
        for family in FAMILIES
        if family.template.startswith("/api/v1/") and "{" not in family.template
        for document in family.documents(context_at(SITE, MOMENT))
    }

    at_the_top = {path for path, body in with_moment.items() if body.get("generatedAt") == at}
    in_meta = {
        path for path, body in with_moment.items() if body.get("meta", {}).get("generatedAt") == at
    }
    assert at_the_top == {"/api/v1/", "/api/v1/health"}
    assert at_the_top | in_meta == with_moment.keys()


def test_no_text_calls_an_absent_member_unknown(shipped_site: None) -> None:
    texts = {
        path: read_document(path)
        for path in ("/agent-instructions.md", "/docs/api.md", "/docs/versioning.md")
    }

    assert [
        path for path, text in texts.items() if re.search(r"(absent|missing)[^.]*unknown", text)
    ] == []
    assert "has no value" in texts["/agent-instructions.md"]
    assert "no value" in texts["/docs/versioning.md"]
    assert "without a value is left out" in texts["/docs/api.md"]
