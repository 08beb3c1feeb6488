"""`humans.txt`, the instructions for agents, and the catalogue of APIs."""

import json
import re
import subprocess

import pytest

from api.contract import BUDGET
from api.endpoints import ADDRESSES
from site_mirror.machine import humans
from tests.freeze.live_requests import ask
from tests.pages.page_reader import SITE, STUDIO, find_failing, read_document
from tests.requirements import VALIDATORS, needs_node

AI_CATALOG = "/.well-known/ai-catalog.json"
CATALOGUE_ADDRESS = "/.well-known/api-catalog"


def test_humans_txt_names_people_with_their_roles(shipped_site: None) -> None:
    text = read_document("/humans.txt")

    assert text.startswith("/* TEAM */\nLinh: Mobile\n")
    assert "\nThảo: QA\n" in text
    assert "\n/* THANKS */\n" in text
    assert "\n/* SITE */\nName: Plumbline Studio\nAddress: https://studio.example/\n" in text


def test_humans_txt_leaves_out_empty_sections() -> None:
    empty = humans.humans_txt(SITE, STUDIO, country="", roles=[], thanks=[], languages=["en"])
    roles, thanks = [("Linh", "Mobile")], ["A", "B"]
    full = humans.humans_txt(SITE, STUDIO, country="", roles=roles, thanks=thanks, languages=[])

    assert empty.startswith(b"/* TEAM */\nContact: hello@studio.example\n\n/* SITE */\n")
    assert b"From:" not in empty
    assert b"/* THANKS */\nA\nB\n\n" in full
    assert b"Languages" not in full


def test_the_catalogue_is_a_link_set_whose_targets_have_the_type_that_it_says(
    shipped_site: None,
) -> None:
    answer = ask(CATALOGUE_ADDRESS)
    contexts = answer.json()["linkset"]
    anchors = [context.pop("anchor") for context in contexts]
    targets = {
        target["href"]: target["type"]
        for context in contexts
        for relation in context.values()
        for target in relation
    }

    assert answer.headers["Link"] == '</.well-known/api-catalog>; rel="api-catalog"'
    assert anchors == [SITE.url(CATALOGUE_ADDRESS), SITE.url("/api/v1/")]
    assert len(targets) == 6
    assert find_failing(set(targets)) == {}
    assert targets == {
        href: ask(href.removeprefix(SITE.root)).headers["Content-Type"].partition(";")[0]
        for href in targets
    }


@pytest.mark.npm
def test_agents_find_a_catalogue_of_what_is_there_for_them(shipped_site: None) -> None:
    """The conformance test of Agentic Resource Discovery, which Lighthouse has, finds no fault."""
    link = '<link rel="ai-catalog" type="application/ai-catalog+json" href="{}">'
    assert all(link.format(AI_CATALOG) in ask(page).content.decode() for page in ("/", "/vi/blog"))
    text = read_document(AI_CATALOG)
    program = f"""
        import {{ ConformanceTester }} from "lighthouse/third-party/ard/ard.js";
        const text = {json.dumps(text)};
        const [outer, inner] = [new ConformanceTester(), new ConformanceTester()];
        outer.validate_manifest(text, "ai-catalog.json");
        inner.validate_manifest(JSON.stringify(JSON.parse(text).entries[0].data), "inside of it");
        console.log(JSON.stringify([...outer.errors, ...outer.warnings, ...inner.errors]));
    """
    command = [str(needs_node()), "--input-type=module", "--eval", program]
    found = subprocess.run(command, cwd=VALIDATORS, capture_output=True, text=True, check=True)
    assert json.loads(found.stdout) == []

    (bundle,) = json.loads(text)["entries"]
    types = {each["url"]: each["type"] for each in bundle["data"]["entries"]}
    assert types == {
        url: ask(url.removeprefix(SITE.root)).headers["Content-Type"].partition(";")[0]
        for url in types
    }
    assert len(types) == 4


def test_the_web_manifest_says_the_type_and_the_size_of_each_icon(shipped_site: None) -> None:
    icons = {
        icon["sizes"]: (icon["type"], ask(icon["src"]))
        for icon in ask("/site.webmanifest").json()["icons"]
    }

    assert all(answer.headers["Content-Type"] == kind for kind, answer in icons.values())
    drawing = icons.pop("any")[1]
    assert drawing.content.startswith(b"<svg")
    sizes = {
        "x".join(str(int.from_bytes(answer.content[at : at + 4])) for at in (16, 20))
        for _, answer in icons.values()
    }  # Width and height of a PNG.
    assert sizes == {*icons} == {"192x192", "512x512"}


def test_the_instructions_have_all_endpoints_and_the_budget(shipped_site: None) -> None:
    text = read_document("/agent-instructions.md")

    templates = set(map(SITE.url, ADDRESSES.values()))
    assert set(re.findall(r"^\| \w+ \| `(\S+)` \|$", text, flags=re.MULTILINE)) == templates
    assert f"{BUDGET.requests} requests in {BUDGET.window_seconds} seconds" in text
    assert "CC BY 4.0" in text
    assert re.findall("^# .*", text, flags=re.MULTILINE) == ["# Instructions for agents"]
    links = set(re.findall(r"<(https:\S+)>", text))
    assert len(links) == 6
    assert find_failing(links) == {}


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
