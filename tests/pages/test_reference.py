"""The pages about the API have the contents of the OpenAPI document and of the versions."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import yaml

from api.contract import API_VERSION
from site_mirror.pages.docs.changes import CHANGES
from tests import factories
from tests.freeze.live_requests import ask
from tests.pages.page_reader import read_document
from tests.pages.test_labels import ROOT

SITE_ROOT = "https://studio.example"
INDEX = "/docs/api"
MAX_MIRROR_BYTES = 20_000
NAMES = re.compile(r"(?m)^- (?:\[(\w+)\]\S+|`([^`]+)`)(?: · (.*?))?: (.*)$")
"""The lines of a list of names in a mirror: name, notes, meaning."""


def read_operations() -> list[dict[str, Any]]:
    paths = json.loads(read_document("/openapi.json"))["paths"]
    return [
        operation | {"path": path}
        for path, methods in paths.items()
        for operation in methods.values()
    ]


def read_schemas() -> dict[str, Any]:
    found = json.loads(read_document("/openapi.json"))["components"]["schemas"]
    return {name: schema for name, schema in found.items() if not name.endswith("Envelope")}


def body_of(operation: dict[str, Any]) -> dict[str, Any]:
    return dict(operation["responses"]["200"]["content"]["application/json"])


def page_of(name: str) -> str:
    """Return the page of an operation or an object: `getApp` → `/docs/api/get-app`."""
    slug = "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")
    return f"{INDEX}/{slug}-object" if name[0].isupper() else f"{INDEX}/{slug}"


def find_sections(mirror: str) -> dict[str, str]:
    return dict(re.findall(r"(?ms)^## ([^\n]+)\n((?:(?!^## ).)*)", mirror))


def find_json(text: str) -> list[Any]:
    return [json.loads(listing) for listing in re.findall(r"(?s)```json\n(.*?)\n```", text)]


def explained_names(page: str, section: str, prefix: str = "") -> Iterator[str]:
    """Yield the dotted names that a page explains, also through links to other pages."""
    fields = find_sections(read_document(f"{page}.md"))[section]
    for _, name, notes, meaning in NAMES.findall(fields):
        assert meaning, name
        own = prefix + name
        yield own
        if link := re.search(rf"\[\w+\]\({SITE_ROOT}([^)]*)\)", notes):
            inside = "[]." if notes.startswith("array") else "."
            yield from explained_names(link[1], "Fields", own + inside)


def member_names(value: Any, prefix: str = "") -> Iterator[str]:
    """Yield the dotted names of all members of a body."""
    if isinstance(value, dict):
        for name, inside in value.items():
            yield prefix + name
            yield from member_names(inside, f"{prefix}{name}.")
    if isinstance(value, list):
        for item in value:
            yield from member_names(item, f"{prefix[:-1]}[].")


def assert_is_shortened(shown: Any, true: Any) -> None:
    """Compare values, of which long texts end in an ellipsis."""
    if isinstance(true, dict):
        assert list(shown) == list(true)
        for name in true:
            assert_is_shortened(shown[name], true[name])
    elif isinstance(true, list):
        for one, other in zip(shown, true, strict=True):
            assert_is_shortened(one, other)
    elif shown != true:
        assert true.startswith(shown.removesuffix("…"))
        assert len(shown) > 40


def test_every_operation_has_a_page_with_its_request_fields_statuses_and_examples(
    shipped_site: None,
) -> None:
    links = read_document(INDEX)
    for operation in read_operations():
        name, example = operation["operationId"], body_of(operation)["example"]
        page, address = page_of(name), f"/api/v1{operation['path']}"
        mirror = read_document(f"{page}.md")
        sections = find_sections(mirror)
        assert f'<div id="{name}">' in links  # the place of the operation before it had a page
        assert f'href="{page}"' in links
        assert mirror.startswith(f"# {operation['summary']}\n")
        assert f"\n`{name}`: `GET {address}`\n" in mirror
        statuses = [status[:3] for _, status, *_ in NAMES.findall(sections["Statuses"])]
        assert statuses == list(operation["responses"])
        request = re.findall(rf'curl "{SITE_ROOT}(.*)"', sections["Example"])
        asked = example.get("self", f"{SITE_ROOT}{address}").removeprefix(SITE_ROOT)
        assert request == [asked]
        shown, problem = find_json(sections["Example"])
        assert_is_shortened(shown, example)
        failing = problem["instance"].removeprefix(SITE_ROOT)
        if "{" in address:
            assert json.loads(ask(failing).content) == problem
        else:
            assert (problem["status"], failing) == (429, address)
        names = {each for each in member_names(example) if not each.startswith("endpoints.")}
        assert names - {*explained_names(page, "Response")} == set()


def test_every_object_has_a_page_with_its_fields_values_and_an_example(shipped_site: None) -> None:
    schemas, links = read_schemas(), read_document(INDEX)
    parts = {name for name in schemas if ask(page_of(name)).status_code == 404}
    # What only one other object has is explained on the page of that.
    assert parts == {
        *("AppLinks", "PostLinks", "VersionLinks", "TimelineLink"),
        *("Formula", "Symbol", "Location", "RateLimit"),
    }
    rows = dict[str, list[tuple[str, str]]]()
    for name in schemas.keys() - parts:
        page = page_of(name)
        mirror = read_document(f"{page}.md")
        sections = find_sections(mirror)
        assert mirror.startswith(f"# The {name} object\n")
        assert f'<div id="schema-{name}">' in links
        [example] = find_json(sections["Example"])
        assert {*example} <= {*schemas[name]["properties"]}
        for _, field, notes, meaning in NAMES.findall(sections["Fields"]):
            rows.setdefault(field.rpartition(".")[2], []).append((notes, meaning))
        for meanings in re.findall(r'"x-enumDescriptions": (\{[^}]*\})', json.dumps(schemas[name])):
            for value, meaning in json.loads(meanings).items():
                assert f"\n  - `{value}`: {meaning}\n" in sections["Fields"], value
    for schema in schemas.values():
        for name, part in schema["properties"].items():
            needed = "required" if name in schema.get("required", ()) else "optional"
            null = "null" in part.get("type", "")
            assert [
                notes
                for notes, meaning in rows[name]
                if needed in notes
                and ("can be null" in notes) is null
                and part.get("description", "") in meaning
            ], name


def test_no_mirror_of_the_reference_is_longer_than_20_kilobytes(shipped_site: None) -> None:
    pages = {*re.findall(r'href="(/docs/api(?:/[a-z-]+)?)"', read_document(INDEX))}
    assert len(pages) > 30
    lengths = {
        address: len(read_document(f"{address}.md").encode())
        for page in pages
        for address in (page, f"/vi{page}")
    }
    assert {page: size for page, size in lengths.items() if size > MAX_MIRROR_BYTES} == {}


def test_every_status_and_every_header_is_explained(shipped_site: None) -> None:
    mirror = read_document(f"{INDEX}/responses.md")
    document = json.loads(read_document("/openapi.json"))
    parts = document["components"]
    responses = document["paths"]["/apps"]["get"]["responses"]

    names = [name for _, name, *_ in NAMES.findall(mirror)]
    assert names == [
        *("200 OK", "404 Not Found", "429 Too Many Requests", "503 Service Unavailable")
    ]
    for status, part in responses.items():
        response = parts["responses"].get(part.get("$ref", "").rpartition("/")[2], part)
        [explained] = re.findall(rf"(?ms)^- `{status} .*?(?=^- |\Z)", mirror)
        assert f": {response['description']}\n" in explained
        headers = [
            (name, parts["headers"][header["$ref"].rpartition("/")[2]])
            for name, header in response["headers"].items()
        ]
        assert re.findall(r"(?m)^  - (.*)$", explained) == [
            f"`{name}`: {header['description']} Example: `{header['example']}`"
            for name, header in headers
        ]
    explained = read_document("/docs/problems.md")
    assert [
        status for status in ("404", "429", "503") if f'"status": {status},' not in explained
    ] == []


def test_the_index_begins_with_the_base_address_and_a_request(shipped_site: None) -> None:
    for page in (INDEX, f"/vi{INDEX}"):
        mirror = read_document(f"{page}.md")
        opening = mirror.partition("\n## ")[0]
        assert f"`{SITE_ROOT}/api/v1`" in opening
        assert f'```shell\ncurl "{SITE_ROOT}/api/v1/apps"\n```' in opening
        html = read_document(page)
        places = set(re.findall(r'href="#([^"]*)"', html))
        assert {place for place in places if html.count(f'id="{place}"') != 1} == set()
        assert f'href="{page}/swagger"' in html
    swagger = read_document("/docs/api/swagger.md")
    assert "(https://studio.example/docs/api)" in swagger
    assert "(https://studio.example/openapi.json)" in swagger


def test_what_a_small_catalogue_lacks_is_left_out(db: None) -> None:
    missing = (f"{INDEX}/swagger", f"{INDEX}/get-app", f"{INDEX}/changes.xml")
    assert [ask(address).status_code for address in missing] == [404, 404, 404]
    factories.make_studio()
    factories.make_page(slug="docs-api", title_en="Reference", body_en="Concepts.")
    assert read_document("/docs/api/swagger.md").startswith("# Swagger UI")
    assert ask("/vi/docs/api/get-app").status_code == 404
    assert 'data-address="/api/v1/apps"' in read_document(f"{INDEX}/list-apps")
    assert "Run getApp" not in read_document(f"{INDEX}/get-app")
    assert "## Example" not in read_document(f"{INDEX}/app-object.md")

    factories.make_app(slug="an-app", name="An App")
    factories.make_post()

    assert 'data-address="/api/v1/apps/an-app"' in read_document(f"{INDEX}/get-app")
    assert "\n  - `an-app`: An App\n" in read_document(f"{INDEX}/get-app.md")
    assert "\nPAUSE = 0.1\n" in read_document(f"{INDEX}/examples.md")


def test_the_changes_of_the_api_are_dated_and_reach_the_served_version(shipped_site: None) -> None:
    [shipped] = yaml.safe_load((ROOT / "fixtures/versions.yaml").read_text())
    dates, ids = [change.date for change in CHANGES], [[*change.id.values()] for change in CHANGES]

    assert dates == sorted(dates, reverse=True)
    assert (CHANGES[0].version, dates[-1]) == (API_VERSION, shipped["fields"]["released"])
    assert len({each for both in ids for each in both}) == 2 * len(CHANGES)
    for language, page in (("en", f"{INDEX}/changes"), ("vi", f"/vi{INDEX}/changes")):
        html, mirror = read_document(page), read_document(f"{page}.md")
        assert f'type="application/atom+xml" href="{page}.xml"' in html
        feed = read_document(f"{page}.xml")
        for change in CHANGES:
            assert f'id="{change.slug}"' in html
            assert f"## {change.title[language]}\n" in mirror
            assert change.text[language] in mirror
            assert f"<id>{change.id[language]}</id>" in feed
            assert f'href="{SITE_ROOT}{page}#{change.slug}"' in feed
            assert f"<updated>{change.date.isoformat()}T00:00:00+00:00</updated>" in feed


def test_the_licence_page_says_how_to_name_the_source(shipped_site: None) -> None:
    for address in ("/docs/licence", "/vi/docs/licence"):
        text = read_document(f"{address}.md")
        assert "https://creativecommons.org/licenses/by/4.0/" in text
        assert "Plumbline Studio" in text
        assert f'href="{address}"' in read_document(address.replace("licence", "api"))


RETIREMENT = {
    "announced": datetime(2026, 1, 1, tzinfo=UTC),
    "deprecation": datetime(2026, 2, 1, 7, tzinfo=UTC),
    "sunset": datetime(2027, 1, 1, 0, 30, tzinfo=UTC),
}


def test_the_page_about_versioning_has_a_row_for_each_version(db: None) -> None:
    text = {"title_en": "Policy", "body_en": "It changes.", "title_vi": "Luật", "body_vi": "Đổi."}
    factories.make_page(slug="docs-versioning", **text)
    assert "<table" not in read_document("/docs/versioning")

    def read_versions(address: str) -> list[str]:
        return [line for line in read_document(address).splitlines() if line.startswith("| ")][2:]

    factories.make_version()
    current = (
        f"| [v1](https://studio.example/api/v1/) | `{API_VERSION}` | `current` "
        "| 10 February 2025 | — | — |"
    )
    assert read_versions("/docs/versioning.md") == [current]
    assert "10 tháng 2 năm 2025" in read_versions("/vi/docs/versioning.md")[0]

    factories.retire_version("v1", status="deprecated", **RETIREMENT)
    factories.make_version(version="v2", api_version="2.0.0", released=date(2026, 1, 1))
    second, first = read_versions("/docs/versioning.md")
    assert second.startswith("| v2 | `2.0.0` |")
    assert first.endswith(" | 1 February 2026, 07:00 UTC | 1 January 2027, 00:30 UTC |")
    assert '<time datetime="2027-01-01T00:30:00Z">' in read_document("/docs/versioning")
