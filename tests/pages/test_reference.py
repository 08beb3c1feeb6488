"""The pages about the API have the contents of the OpenAPI document and of the versions."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from api.contract import API_VERSION
from tests import factories
from tests.freeze.live_requests import ask
from tests.pages.page_reader import read_document

PAGES = ["/docs/api", "/vi/docs/api"]
CELL = re.compile(r"(?<!\\)\|")


def read_operations() -> list[dict[str, Any]]:
    paths = json.loads(read_document("/openapi.json"))["paths"]
    return [operation for methods in paths.values() for operation in methods.values()]


def example_of(operation: dict[str, Any]) -> Any:
    return operation["responses"]["200"]["content"]["application/json"]["example"]


def find_sections(mirror: str) -> dict[str, str]:
    """Return the sections of the third level: by operation, or else by title."""
    sections = re.findall(r"(?ms)^### ([^\n]+)\n((?:(?!^##).)*)", mirror)
    named = {title: re.search(r"(?m)^`(\w+)`: `", text) for title, text in sections}
    return {(m[1] if (m := named[title]) else title): text for title, text in sections}


def parse_tables(markdown: str) -> list[list[list[str]]]:
    """Return all tables as rows of cells."""
    found = re.findall(r"(?m)(?:^\|.*\n)+", markdown)
    return [
        [
            [cell.strip() for cell in CELL.split(line.strip())[1:-1]]
            for line in table.splitlines()
            if "---" not in line
        ]
        for table in found
    ]


def member_names(value: Any, prefix: str = "") -> Iterator[str]:
    """Yield the dotted names of all members of a body."""
    if isinstance(value, dict):
        for name, inside in value.items():
            yield prefix + name
            yield from member_names(inside, f"{prefix}{name}.")
    if isinstance(value, list):
        for item in value:
            yield from member_names(item, f"{prefix[:-1]}[].")


def explained_names(sections: dict[str, str], name: str, prefix: str = "") -> Iterator[str]:
    """Yield the dotted names that a section explains, also through links to shared objects."""
    for table in parse_tables(sections[name]):
        for member, kind, *_ in table[1:] if table[0][0] == "Field" else ():
            own = prefix + member.strip("`")
            yield own
            if link := re.search(r"\[(\w+)\]", kind):
                inside = "[]." if kind.startswith("array") else "."
                yield from explained_names(sections, link[1], own + inside)


def test_every_operation_has_a_section_with_its_request_statuses_and_example(
    shipped_site: None,
) -> None:
    sections = find_sections(read_document("/docs/api.md"))
    # An object has a section of its own if several others have it.
    assert {"App", "Localized", "Problem"} <= sections.keys()
    assert not {"Formula", "Location"} & sections.keys()
    for operation in read_operations():
        name, example = operation["operationId"], example_of(operation)
        section = sections[name]
        [request] = re.findall(rf"`{name}`: `GET (/api/v1/\S*)`", section)
        for page in PAGES:
            html = read_document(page)
            assert html.count(f'id="{name}"') == 1
            assert f'href="#{name}"' in html
            assert f"<code>GET {request}</code>" in html
        assert operation["description"] in section
        [answers] = re.findall(r"(?m)^- Responses: (.*)$", section)
        assert re.findall(r"`(\d+)`", answers) == list(operation["responses"])
        [shown] = re.findall(r"(?s)```json\n(.*?)\n```", section)
        assert json.loads(shown) == example
        shortened = "endpoints" in example or example.get("meta", {}).get("count", 1) > 1
        assert ("shortened to one item" in section) is shortened
        if "count" in example.get("meta", {}):
            true_body = json.loads(read_document(example["self"].removeprefix(SITE_ROOT)))
            assert example["meta"]["count"] == true_body["meta"]["count"]
        explained = {*explained_names(sections, name)}
        names = {each for each in member_names(example) if not each.startswith("endpoints.")}
        assert names - explained == set()


SITE_ROOT = "https://studio.example"


def test_every_member_of_a_schema_is_documented_with_its_rules(shipped_site: None) -> None:
    mirror = read_document("/docs/api.md")
    rows = [row for table in parse_tables(mirror) for row in table]
    for schema in json.loads(read_document("/openapi.json"))["components"]["schemas"].values():
        for name, part in schema["properties"].items():
            required = "yes" if name in schema.get("required", ()) else "no"
            null = "yes" if "null" in part.get("type", "") else "no"
            assert [
                row
                for row in rows
                if re.fullmatch(rf"`([\w.\[\]]+\.)?{name}`", row[0])
                and row[2:4] == [required, null]
                and part.get("description", "") in row[4]
            ], name
    for page in PAGES:
        tables = parse_tables(read_document(f"{page}.md"))
        assert len(tables) > 20
        assert [table for table in tables if len({len(row) for row in table}) != 1] == []
    pattern = r"pattern: ^[0-9]{4}-(0[1-9]|1[0-2])$"
    assert f"<code>{pattern}</code>" in read_document("/docs/api")
    assert f"`{pattern}`".replace("|", r"\|") in mirror
    assert "One of 249: `AD`, `AE`, `AF`, …" in mirror


def test_every_status_and_every_header_is_explained(shipped_site: None) -> None:
    statuses, headers = parse_tables(read_document("/docs/api.md").partition("\n## Responses\n")[2])
    document = json.loads(read_document("/openapi.json"))["components"]
    problem = "[Problem](https://studio.example/docs/api#schema-Problem)"
    media_type = "`application/problem+json`"

    assert statuses[1][:2] == ["`200 OK`", "`application/json`"]
    assert statuses[2:] == [
        [f"`{title}`", media_type, problem, response["description"]]
        for title, response in zip(
            ("404 Not Found", "429 Too Many Requests", "503 Service Unavailable"),
            document["responses"].values(),
            strict=True,
        )
    ]
    found = [(row[0].strip("`"), re.findall(r"`(\d+)`", row[1])) for row in headers[1:]]
    assert sorted(row[3].strip("`") for row in headers[1:]) == sorted(
        str(header["example"]) for header in document["headers"].values()
    )
    assert ("ETag", ["200"]) in found
    assert ("RateLimit-Limit", ["200", "429"]) in found
    assert [where for name, where in found if name == "Retry-After"] == [["429"], ["503"]]
    explained = read_document("/docs/problems.md")
    assert [
        status for status in ("404", "429", "503") if f'"status": {status},' not in explained
    ] == []


def test_links_lead_to_parts_of_the_page_and_to_swagger_ui(shipped_site: None) -> None:
    for page in PAGES:
        for address in (page, f"{page}/swagger"):
            html = read_document(address)
            targets = set(re.findall(r'href="#([^"]*)"', html))
            assert targets
            assert {target for target in targets if html.count(f'id="{target}"') != 1} == set()
        assert f'href="{page}/swagger"' in read_document(page)
    swagger = read_document("/docs/api/swagger.md")
    assert "(https://studio.example/docs/api)" in swagger
    assert "(https://studio.example/openapi.json)" in swagger


def test_what_a_small_catalogue_lacks_is_left_out(db: None) -> None:
    assert ask("/docs/api/swagger").status_code == 404
    factories.make_studio()
    factories.make_page(slug="docs-api", title_en="Reference", body_en="Concepts.")
    assert read_document("/docs/api/swagger.md").startswith("# Swagger UI")
    without = read_document("/docs/api")
    assert re.findall(r'id="example-(\w+)"', without) == ["conditional", "markdown", "problem"]
    assert 'data-address="/api/v1/apps"' in without
    assert "Run getApp" not in without

    factories.make_app(slug="an-app")
    factories.make_post()

    html, mirror = read_document("/docs/api"), read_document("/docs/api.md")
    assert len(re.findall(r'id="example-(\w+)"', html)) == 6
    assert 'data-address="/api/v1/apps/an-app"' in html
    assert re.search(r"\| `appId` \| `path` \| .* \| `an-app` \|", mirror)
    assert "\nExample:\n" in find_sections(mirror)["listApps"]
    assert "\nPAUSE = 0.1\n" in mirror


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
