"""The documentation of a small catalogue: what needs content is there when there is some."""

import re

import pytest

from site_mirror.pages.docs.examples import examples
from tests import rows
from tests.freeze.asking import ask
from tests.site.reading import pages, served

SCRIPTED = {"/docs/api", "/vi/docs/api", "/docs/api/swagger"}
NEEDING = {"list", "localized"}


def make_reference() -> None:
    rows.make_studio()
    rows.make_page(slug="docs-api", title_en="Reference", body_en="Concepts.")


def example_ids(html: str) -> set[str]:
    return set(re.findall(r'id="example-(\w+)"', html))


def policy(address: str) -> str:
    return str(ask(address).headers["Content-Security-Policy"])


def test_without_apps_and_articles_their_examples_are_left_out(db: None) -> None:
    make_reference()

    every = {example.name for example in examples()}
    assert example_ids(served("/docs/api")) == every - NEEDING - {"polite"}
    rows.make_app()
    rows.make_post()
    assert example_ids(served("/docs/api")) == every


def test_an_operation_on_one_thing_can_be_run_once_there_is_one(db: None) -> None:
    make_reference()

    assert 'data-address="/api/v1/apps"' in served("/docs/api")
    assert "Run getApp" not in served("/docs/api")
    rows.make_app(slug="an-app")
    assert 'data-address="/api/v1/apps/an-app"' in served("/docs/api")


def test_an_example_parameter_is_one_that_is_published(db: None) -> None:
    make_reference()
    rows.make_app(slug="an-app")

    assert re.search(r"\| `appId` \| `path` \| .* \| `an-app` \|", served("/docs/api.md"))
    assert re.search(r"\| `slug` \| `path` \| .* \| — \|", served("/docs/api.md"))


def test_a_list_of_one_is_not_said_to_be_shortened(db: None) -> None:
    make_reference()
    rows.make_app(slug="one")
    section = r"(?s)### All apps\n.*?```json"

    assert "\nExample:\n" in re.findall(section, served("/docs/api.md"))[0]
    rows.make_app(slug="two")
    assert "shortened to one item" in re.findall(section, served("/docs/api.md"))[0]


@pytest.mark.parametrize(
    ("address", "title"),
    [("/docs/api/swagger", "Swagger UI"), ("/docs/api/swagger.md", "# Swagger UI")],
)
def test_swagger_ui_is_there_when_the_reference_is(db: None, address: str, title: str) -> None:
    assert ask(address).status_code == 404
    make_reference()
    assert title in served(address)


def test_only_pages_with_a_script_may_run_one_and_none_may_evaluate_text(
    shipped_site: None,
) -> None:
    policies = {page.address: policy(page.address) for page in pages()}

    allowing = {address for address, policy in policies.items() if "script-src" in policy}
    assert allowing == SCRIPTED
    assert {policies[address].rpartition("; ")[2] for address in SCRIPTED} == {"script-src 'self'"}
    assert [policy for policy in policies.values() if "unsafe" in policy] == []


def test_a_page_names_a_script_only_where_its_policy_lets_it_run(shipped_site: None) -> None:
    naming = {page.address for page in pages() if "<script src=" in served(page.address)}

    assert naming == SCRIPTED


def test_the_licence_page_says_how_to_name_the_source(shipped_site: None) -> None:
    for address in ("/docs/licence", "/vi/docs/licence"):
        text = served(f"{address}.md")
        assert "https://creativecommons.org/licenses/by/4.0/" in text
        assert "Plumbline Studio" in text
        assert f'href="{address}"' in served("/docs/api" if "vi" not in address else "/vi/docs/api")


def test_every_problem_of_the_reference_has_a_part_on_the_page_of_problems(
    shipped_site: None,
) -> None:
    statuses = re.findall(r"\| `(\d{3}) [\w ]+` \| `application/problem", served("/docs/api.md"))
    explained = served("/docs/problems.md")

    assert set(statuses) == {"404", "429", "503"}
    assert [status for status in set(statuses) if f'"status": {status},' not in explained] == []
