"""The reference has the contents of the OpenAPI document, in both languages and as Markdown."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from site_mirror.pages.docs.operations import sorted_operations
from tests.site import page_reader
from tests.site.page_reader import SITE

PAGES = ["/docs/api", "/vi/docs/api"]
SCRIPTED = {"/docs/api", "/vi/docs/api", "/docs/api/swagger"}
read_document = cache(page_reader.read_document)
"""Reads a document of the shipped site; all tests of this module see the same one."""
CELL = re.compile(r"(?<!\\)\|")


def read_openapi() -> dict[str, Any]:
    return dict(json.loads(read_document("/openapi.json")))


def operation_sections(mirror: str) -> dict[str, str]:
    """Return the section of each operation by its id."""
    sections = re.findall(r"(?ms)^### [^\n]+\n((?:(?!^##).)*)", mirror)
    return {
        match[1]: section
        for section in sections
        if (match := re.search(r"(?m)^`(\w+)`: `", section))
    }


def parse_tables(markdown: str) -> list[list[list[str]]]:
    """Return all tables as rows of cells."""
    found = re.findall(r"(?m)(?:^\|.*\n)+", markdown)
    return [
        [parse_cells(line) for line in table.splitlines() if "---" not in line] for table in found
    ]


def parse_cells(line: str) -> list[str]:
    return [cell.strip() for cell in CELL.split(line.strip())[1:-1]]


def object_sections(mirror: str) -> dict[str, str]:
    after = mirror.partition("\n## Shared objects\n")[2].partition("\n## ")[0]
    return dict(re.findall(r"(?ms)^### (\w+)\n(.*?)(?=^### |\Z)", after))


def member_names(value: Any, prefix: str = "") -> Iterator[str]:
    """Yield the dotted names of all members of a body."""
    if isinstance(value, dict):
        for name, inside in value.items():
            yield prefix + name
            yield from member_names(inside, f"{prefix}{name}.")
    if isinstance(value, list):
        for item in value:
            yield from member_names(item, f"{prefix[:-1]}[].")


def explained_names(section: str, shared: dict[str, str], prefix: str = "") -> Iterator[str]:
    """Yield the dotted names that a section explains, also through links to shared objects."""
    for table in parse_tables(section):
        if table[0][0] != "Member":
            continue
        for name, kind, *_ in table[1:]:
            own = prefix + name.strip("`")
            yield own
            if link := re.search(r"\[(\w+)\]", kind):
                inside = "[]." if kind.startswith("array") else "."
                yield from explained_names(shared[link[1]], shared, own + inside)


@pytest.mark.parametrize("page", PAGES)
def test_every_operation_has_a_section_under_its_id(shipped_site: None, page: str) -> None:
    html = read_document(page)

    for operation in sorted_operations(read_openapi()):
        assert html.count(f'id="{operation.id}"') == 1
        assert f'href="#{operation.id}"' in html
        assert f"<code>GET /api/v1{operation.path}</code>" in html


def test_every_operation_has_its_request_its_responses_and_an_example(
    shipped_site: None,
) -> None:
    sections = operation_sections(read_document("/docs/api.md"))

    for operation in sorted_operations(read_openapi()):
        section = sections[operation.id]
        assert operation.description in section
        assert f"`GET /api/v1{operation.path}`" in section
        [answers] = re.findall(r"(?m)^- Answers: (.*)$", section)
        assert re.findall(r"`(\d+)`", answers) == list(operation.responses)
        [example] = re.findall(r"(?s)```json\n(.*?)\n```", section)
        assert json.loads(example) == operation.example


def test_every_member_of_every_example_is_explained(shipped_site: None) -> None:
    mirror = read_document("/docs/api.md")
    sections, shared = operation_sections(mirror), object_sections(mirror)

    unexplained = {
        (operation.id, name)
        for operation in sorted_operations(read_openapi())
        for name in set(member_names(operation.example))
        - set(explained_names(sections[operation.id], shared))
        if not name.startswith("endpoints.")
    }

    assert shared.keys() == {"App", "Localized", "Meta", "Post", "Problem"}
    assert unexplained == set()


def test_every_member_of_a_schema_is_documented_with_its_rules(shipped_site: None) -> None:
    found = [row for table in parse_tables(read_document("/docs/api.md")) for row in table]

    for schema in read_openapi()["components"]["schemas"].values():
        for name, part in schema["properties"].items():
            required = "yes" if name in schema.get("required", ()) else "no"
            null = "yes" if "null" in part.get("type", "") else "no"
            about = part.get("description", "")
            assert [
                row
                for row in found
                if re.fullmatch(rf"`([\w.\[\]]+\.)?{name}`", row[0])
                and row[2:4] == [required, null]
                and about in row[4]
            ], name


@pytest.mark.parametrize("page", PAGES)
def test_every_row_of_a_table_has_a_cell_for_each_heading(shipped_site: None, page: str) -> None:
    found = parse_tables(read_document(f"{page}.md"))

    assert len(found) > 20
    assert [table for table in found if len({len(row) for row in table}) != 1] == []


def test_bars_of_a_pattern_are_escaped_in_a_table(shipped_site: None) -> None:
    pattern = r"^[0-9]{4}-(0[1-9]|1[0-2])$"

    assert f"<code>pattern: {pattern}</code>" in read_document("/docs/api")
    assert f"`pattern: {pattern}`".replace("|", r"\|") in read_document("/docs/api.md")


def test_a_long_list_of_values_is_shortened(shipped_site: None) -> None:
    assert "One of 249: `AD`, `AE`, `AF`, …" in read_document("/docs/api.md")


def test_only_shortened_examples_have_a_remark(shipped_site: None) -> None:
    sections = operation_sections(read_document("/docs/api.md"))

    remark = "shortened to one item"
    shortened = {operation for operation, section in sections.items() if remark in section}
    lists = {
        operation.id for operation in sorted_operations(read_openapi()) if "list" in operation.id
    }
    assert shortened == (lists - {"listVersions"}) | {"getApiIndex"}


def test_a_shortened_example_keeps_the_true_count(shipped_site: None) -> None:
    paths = read_openapi()["paths"]
    answers = {path: found["get"]["responses"]["200"] for path, found in paths.items()}
    examples = {
        path: answer["content"]["application/json"]["example"] for path, answer in answers.items()
    }
    counts = {path: body.get("meta", {}).get("count") for path, body in examples.items()}
    shown = {path: count for path, count in counts.items() if count is not None}

    assert len(shown) == 8
    assert shown == {
        path: json.loads(read_document(f"/api/v1{path}"))["meta"]["count"] for path in shown
    }


def test_every_status_is_explained_once_with_its_media_type(shipped_site: None) -> None:
    [statuses, _] = parse_tables(read_document("/docs/api.md").partition("\n## Answers\n")[2])
    problems = read_openapi()["components"]["responses"].values()

    assert [row[:2] for row in statuses[1:]] == [
        ["`200 OK`", "`application/json`"],
        ["`404 Not Found`", "`application/problem+json`"],
        ["`429 Too Many Requests`", "`application/problem+json`"],
        ["`503 Service Unavailable`", "`application/problem+json`"],
    ]
    assert [row[2:] for row in statuses[2:]] == [
        ["[Problem](https://studio.example/docs/api#schema-Problem)", problem["description"]]
        for problem in problems
    ]


def test_every_operation_sends_the_same_headers_with_a_status(shipped_site: None) -> None:
    found: dict[str, set[tuple[str, ...]]] = {}
    for operation in sorted_operations(read_openapi()):
        for status, answer in operation.responses.items():
            found.setdefault(status, set()).add(tuple(answer["headers"]))

    assert {status: len(sets) for status, sets in found.items()} == dict.fromkeys(found, 1)


def test_the_table_of_headers_has_all_headers_with_their_statuses(
    shipped_site: None,
) -> None:
    [_, table] = parse_tables(read_document("/docs/api.md").partition("\n## Answers\n")[2])

    found = [
        (name.strip("`"), re.findall(r"`(\d+)`", statuses), example.strip("`"))
        for name, statuses, _, example, _ in table[1:]
    ]
    documented = read_openapi()["components"]["headers"]
    assert len(found) == len(documented)
    assert [example for _, _, example in found] == [
        str(header["example"]) for header in sort_by_first_use(documented)
    ]
    assert statuses_of(found, "ETag") == [["200"]]
    assert statuses_of(found, "RateLimit-Limit") == [["200", "429"]]
    assert statuses_of(found, "Retry-After") == [["429"], ["503"]]
    assert statuses_of(found, "Cache-Control") == [["200"], ["404"], ["429", "503"], ["200"]]


def sort_by_first_use(documented: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the documented headers in the order in which the operations name them."""
    member_names = [
        header["$ref"].rpartition("/")[2]
        for operation in sorted_operations(read_openapi())
        for answer in operation.responses.values()
        for header in answer["headers"].values()
    ]
    return [documented[name] for name in dict.fromkeys(member_names)]


def statuses_of(found: list[tuple[str, list[str], str]], header: str) -> list[list[str]]:
    return [statuses for name, statuses, _ in found if name == header]


def test_labels_are_vietnamese_and_the_documents_texts_are_marked_as_english(
    shipped_site: None,
) -> None:
    html = read_document("/vi/docs/api")

    assert "Các trường của phản hồi" in html
    assert "Members of the answer" not in html
    assert '<span lang="en">Every published app, in the studio&#39;s order.</span>' in html
    assert 'lang="en"' not in read_document("/docs/api").partition("<main")[2]


@pytest.mark.parametrize("page", [*PAGES, "/docs/api/swagger"])
def test_a_link_within_the_page_leads_to_a_part_of_it(shipped_site: None, page: str) -> None:
    html = read_document(page)
    targets = set(re.findall(r'href="#([^"]*)"', html))

    assert targets
    assert {target for target in targets if html.count(f'id="{target}"') != 1} == set()


def test_the_reference_and_swagger_ui_lead_to_each_other(shipped_site: None) -> None:
    assert 'href="/docs/api/swagger"' in read_document("/docs/api")
    assert 'href="/docs/api/swagger" hreflang="en"' in read_document("/vi/docs/api")
    assert 'href="/docs/api"' in read_document("/docs/api/swagger")
    assert f"({SITE.url('/docs/api')})" in read_document("/docs/api/swagger.md")
    assert f"({SITE.url('/openapi.json')})" in read_document("/docs/api/swagger.md")


ENGLISH_ONLY = {"description", "location.countryName", "rateLimit.notes", "title", "detail"}
UNTRANSLATED = {"name", "unit", "display", "text", "latex", "symbol"}
"""Strings that are equal in all languages: names, figures, units, formulas."""


def plain_strings(schemas: dict[str, Any]) -> set[str]:
    """Return the members that are strings without a pattern, a format or a list of values."""
    restrictions = {"format", "pattern", "enum", "const"}
    return {
        name
        for title, schema in schemas.items()
        if title != "Localized"
        for name, member in schema.get("properties", {}).items()
        if member.get("type") == "string" and not member.keys() & restrictions
    }


@pytest.mark.parametrize("page", PAGES)
def test_the_reference_names_every_plain_string_that_is_english_only(
    shipped_site: None, page: str
) -> None:
    english_names = {name.rpartition(".")[2] for name in ENGLISH_ONLY}

    assert plain_strings(read_openapi()["components"]["schemas"]) == english_names | UNTRANSLATED
    assert all(f"`{name}`" in read_document(f"{page}.md") for name in ENGLISH_ONLY)
