"""The documentation pages of a small catalogue, which have parts that need content."""

import re

import pytest

from site_mirror.pages.docs.examples import all_examples
from tests import factories
from tests.freeze.live_requests import ask
from tests.site.page_reader import list_pages, read_document

SCRIPTED = {"/docs/api", "/vi/docs/api", "/docs/api/swagger"}
EXAMPLES_WITH_CONTENT = {"list", "localized"}


def make_reference() -> None:
    factories.make_studio()
    factories.make_page(slug="docs-api", title_en="Reference", body_en="Concepts.")


def example_ids(html: str) -> set[str]:
    return set(re.findall(r'id="example-(\w+)"', html))


def content_policy(address: str) -> str:
    return str(ask(address).headers["Content-Security-Policy"])


def test_without_apps_and_articles_their_examples_are_left_out(db: None) -> None:
    make_reference()

    every = {example.name for example in all_examples()}
    assert example_ids(read_document("/docs/api")) == every - EXAMPLES_WITH_CONTENT - {"polite"}
    factories.make_app()
    factories.make_post()
    assert example_ids(read_document("/docs/api")) == every


def test_an_operation_on_an_item_can_be_run_if_there_is_one(db: None) -> None:
    make_reference()

    assert 'data-address="/api/v1/apps"' in read_document("/docs/api")
    assert "Run getApp" not in read_document("/docs/api")
    factories.make_app(slug="an-app")
    assert 'data-address="/api/v1/apps/an-app"' in read_document("/docs/api")


def test_the_example_of_a_parameter_is_a_published_row(db: None) -> None:
    make_reference()
    factories.make_app(slug="an-app")

    assert re.search(r"\| `appId` \| `path` \| .* \| `an-app` \|", read_document("/docs/api.md"))
    assert re.search(r"\| `slug` \| `path` \| .* \| — \|", read_document("/docs/api.md"))


def test_the_example_of_a_list_with_one_item_is_not_shortened(db: None) -> None:
    make_reference()
    factories.make_app(slug="one")
    section = r"(?s)### All apps\n.*?```json"

    assert "\nExample:\n" in re.findall(section, read_document("/docs/api.md"))[0]
    factories.make_app(slug="two")
    assert "shortened to one item" in re.findall(section, read_document("/docs/api.md"))[0]


@pytest.mark.parametrize(
    ("address", "title"),
    [("/docs/api/swagger", "Swagger UI"), ("/docs/api/swagger.md", "# Swagger UI")],
)
def test_swagger_ui_exists_if_the_reference_does(db: None, address: str, title: str) -> None:
    assert ask(address).status_code == 404
    make_reference()
    assert title in read_document(address)


@pytest.mark.exhaustive("asks for every page; the tests of a release read their headers")
def test_only_pages_with_a_script_may_run_scripts(
    shipped_site: None,
) -> None:
    policies = {page.address: content_policy(page.address) for page in list_pages()}

    allowing = {address for address, policy in policies.items() if "script-src" in policy}
    assert allowing == SCRIPTED
    assert {policies[address].rpartition("; ")[2] for address in SCRIPTED} == {"script-src 'self'"}
    assert [policy for policy in policies.values() if "unsafe" in policy] == []


@pytest.mark.exhaustive("asks for every page; the tests of a release read them")
def test_only_pages_whose_policy_allows_scripts_have_one(shipped_site: None) -> None:
    naming = {
        page.address for page in list_pages() if "<script src=" in read_document(page.address)
    }

    assert naming == SCRIPTED


def test_the_licence_page_says_how_to_name_the_source(shipped_site: None) -> None:
    for address in ("/docs/licence", "/vi/docs/licence"):
        text = read_document(f"{address}.md")
        assert "https://creativecommons.org/licenses/by/4.0/" in text
        assert "Plumbline Studio" in text
        assert f'href="{address}"' in read_document(
            "/docs/api" if "vi" not in address else "/vi/docs/api"
        )


def test_every_problem_of_the_reference_has_a_part_on_the_page_of_problems(
    shipped_site: None,
) -> None:
    statuses = re.findall(
        r"\| `(\d{3}) [\w ]+` \| `application/problem", read_document("/docs/api.md")
    )
    explained = read_document("/docs/problems.md")

    assert set(statuses) == {"404", "429", "503"}
    assert [status for status in set(statuses) if f'"status": {status},' not in explained] == []
