"""The reference says what the OpenAPI document says, in both languages and as Markdown."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from site_mirror.pages.docs.operations import operations
from tests.site.reading import SITE, served

PAGES = ["/docs/api", "/vi/docs/api"]
SCRIPTED = {"/docs/api", "/vi/docs/api", "/docs/api/swagger"}
CELL = re.compile(r"(?<!\\)\|")


def document() -> dict[str, Any]:
    return dict(json.loads(served("/openapi.json")))


def by_operation(mirror: str) -> dict[str, str]:
    """The section of each operation, by its id."""
    found = re.findall(r"(?ms)^### [^\n]+\n((?:(?!^##).)*)", mirror)
    return {
        called[1]: section
        for section in found
        if (called := re.search(r"(?m)^`(\w+)`: `", section))
    }


def tables(markdown: str) -> list[list[list[str]]]:
    """Every table, as rows of cells."""
    found = re.findall(r"(?m)(?:^\|.*\n)+", markdown)
    return [[cells(line) for line in table.splitlines() if "---" not in line] for table in found]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in CELL.split(line.strip())[1:-1]]


def object_sections(mirror: str) -> dict[str, str]:
    after = mirror.partition("\n## Shared objects\n")[2].partition("\n## ")[0]
    return dict(re.findall(r"(?ms)^### (\w+)\n(.*?)(?=^### |\Z)", after))


def names(value: Any, prefix: str = "") -> Iterator[str]:
    """The dotted names of a body's members."""
    if isinstance(value, dict):
        for name, inside in value.items():
            yield prefix + name
            yield from names(inside, f"{prefix}{name}.")
    if isinstance(value, list):
        for item in value:
            yield from names(item, f"{prefix[:-1]}[].")


def explained(section: str, shared: dict[str, str], prefix: str = "") -> Iterator[str]:
    """Every dotted name that a section explains, by itself or through a link to an object."""
    for table in tables(section):
        if table[0][0] != "Member":
            continue
        for name, kind, *_ in table[1:]:
            own = prefix + name.strip("`")
            yield own
            if link := re.search(r"\[(\w+)\]", kind):
                inside = "[]." if kind.startswith("array") else "."
                yield from explained(shared[link[1]], shared, own + inside)


@pytest.mark.parametrize("page", PAGES)
def test_every_operation_has_a_section_under_its_id(shipped_site: None, page: str) -> None:
    html = served(page)

    for operation in operations(document()):
        assert html.count(f'id="{operation.id}"') == 1
        assert f'href="#{operation.id}"' in html
        assert f"<code>GET /api/v1{operation.path}</code>" in html


def test_every_operation_is_told_with_its_request_its_answers_and_an_example(
    shipped_site: None,
) -> None:
    sections = by_operation(served("/docs/api.md"))

    for operation in operations(document()):
        section = sections[operation.id]
        assert operation.description in section
        assert f"`GET /api/v1{operation.path}`" in section
        [answers] = re.findall(r"(?m)^- Answers: (.*)$", section)
        assert re.findall(r"`(\d+)`", answers) == list(operation.answers)
        [example] = re.findall(r"(?s)```json\n(.*?)\n```", section)
        assert json.loads(example) == operation.example


def test_every_member_of_every_example_is_explained(shipped_site: None) -> None:
    mirror = served("/docs/api.md")
    sections, shared = by_operation(mirror), object_sections(mirror)

    unexplained = {
        (operation.id, name)
        for operation in operations(document())
        for name in set(names(operation.example)) - set(explained(sections[operation.id], shared))
        if not name.startswith("endpoints.")
    }

    assert shared.keys() == {"App", "Localized", "Meta", "Post", "Problem"}
    assert unexplained == set()


def test_every_member_of_the_document_is_somewhere_with_its_rules(shipped_site: None) -> None:
    found = [row for table in tables(served("/docs/api.md")) for row in table]

    for schema in document()["components"]["schemas"].values():
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
    found = tables(served(f"{page}.md"))

    assert len(found) > 20
    assert [table for table in found if len({len(row) for row in table}) != 1] == []


def test_a_pattern_with_bars_is_a_pattern_with_bars(shipped_site: None) -> None:
    pattern = r"^[0-9]{4}-(0[1-9]|1[0-2])$"

    assert f"<code>pattern: {pattern}</code>" in served("/docs/api")
    assert f"`pattern: {pattern}`".replace("|", r"\|") in served("/docs/api.md")


def test_a_long_choice_says_that_it_is_shortened(shipped_site: None) -> None:
    assert "One of 249: `AD`, `AE`, `AF`, …" in served("/docs/api.md")


def test_an_example_says_that_it_is_shortened_only_where_it_is(shipped_site: None) -> None:
    sections = by_operation(served("/docs/api.md"))

    said = "shortened to one item"
    told = {operation for operation, section in sections.items() if said in section}
    lists = {operation.id for operation in operations(document()) if "list" in operation.id}
    assert told == (lists - {"listVersions"}) | {"getApiIndex"}


def test_a_shortened_example_keeps_the_true_count(shipped_site: None) -> None:
    paths = document()["paths"]
    answers = {path: found["get"]["responses"]["200"] for path, found in paths.items()}
    examples = {
        path: answer["content"]["application/json"]["example"] for path, answer in answers.items()
    }
    counts = {path: body.get("meta", {}).get("count") for path, body in examples.items()}
    shown = {path: count for path, count in counts.items() if count is not None}

    assert len(shown) == 8
    assert shown == {path: json.loads(served(f"/api/v1{path}"))["meta"]["count"] for path in shown}


def test_every_status_is_explained_once_with_its_media_type(shipped_site: None) -> None:
    [statuses, _] = tables(served("/docs/api.md").partition("\n## Answers\n")[2])
    problems = document()["components"]["responses"].values()

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
    for operation in operations(document()):
        for status, answer in operation.answers.items():
            found.setdefault(status, set()).add(tuple(answer["headers"]))

    assert {status: len(sets) for status, sets in found.items()} == dict.fromkeys(found, 1)


def test_the_table_of_headers_has_all_of_them_with_the_statuses_that_they_come_with(
    shipped_site: None,
) -> None:
    [_, table] = tables(served("/docs/api.md").partition("\n## Answers\n")[2])

    found = [
        (name.strip("`"), re.findall(r"`(\d+)`", statuses), example.strip("`"))
        for name, statuses, _, example, _ in table[1:]
    ]
    documented = document()["components"]["headers"]
    assert len(found) == len(documented)
    assert [example for _, _, example in found] == [
        str(header["example"]) for header in by_first_use(documented)
    ]
    assert statuses_of(found, "ETag") == [["200"]]
    assert statuses_of(found, "RateLimit-Limit") == [["200", "429"]]
    assert statuses_of(found, "Retry-After") == [["429"], ["503"]]
    assert statuses_of(found, "Cache-Control") == [["200"], ["404"], ["429", "503"], ["200"]]


def by_first_use(documented: dict[str, Any]) -> list[dict[str, Any]]:
    """The documented headers in the order in which the operations name them."""
    names = [
        header["$ref"].rpartition("/")[2]
        for operation in operations(document())
        for answer in operation.answers.values()
        for header in answer["headers"].values()
    ]
    return [documented[name] for name in dict.fromkeys(names)]


def statuses_of(found: list[tuple[str, list[str], str]], header: str) -> list[list[str]]:
    return [statuses for name, statuses, _ in found if name == header]


def test_labels_are_vietnamese_and_the_documents_texts_are_marked_as_english(
    shipped_site: None,
) -> None:
    html = served("/vi/docs/api")

    assert "Các trường của phản hồi" in html
    assert "Members of the answer" not in html
    assert '<span lang="en">Every published app, in the studio&#39;s order.</span>' in html
    assert 'lang="en"' not in served("/docs/api").partition("<main")[2]


@pytest.mark.parametrize("page", [*PAGES, "/docs/api/swagger"])
def test_a_link_within_the_page_leads_to_a_part_of_it(shipped_site: None, page: str) -> None:
    html = served(page)
    targets = set(re.findall(r'href="#([^"]*)"', html))

    assert targets
    assert {target for target in targets if html.count(f'id="{target}"') != 1} == set()


def test_the_reference_and_swagger_ui_lead_to_each_other(shipped_site: None) -> None:
    assert 'href="/docs/api/swagger"' in served("/docs/api")
    assert 'href="/docs/api/swagger" hreflang="en"' in served("/vi/docs/api")
    assert 'href="/docs/api"' in served("/docs/api/swagger")
    assert f"({SITE.url('/docs/api')})" in served("/docs/api/swagger.md")
    assert f"({SITE.url('/openapi.json')})" in served("/docs/api/swagger.md")


ENGLISH_ONLY = {"description", "location.countryName", "rateLimit.notes", "title", "detail"}
UNTRANSLATED = {"name", "unit", "display", "text", "latex", "symbol"}
"""Plain strings that are alike in every language: names, figures, units, formulas."""


def plain_strings(schemas: dict[str, Any]) -> set[str]:
    """Members that are strings without a pattern, a format or a list of values."""
    told = {"format", "pattern", "enum", "const"}
    return {
        name
        for title, schema in schemas.items()
        if title != "Localized"
        for name, member in schema.get("properties", {}).items()
        if member.get("type") == "string" and not member.keys() & told
    }


@pytest.mark.parametrize("page", PAGES)
def test_the_reference_names_every_plain_string_that_is_english_only(
    shipped_site: None, page: str
) -> None:
    named = {name.rpartition(".")[2] for name in ENGLISH_ONLY}

    assert plain_strings(document()["components"]["schemas"]) == named | UNTRANSLATED
    assert all(f"`{name}`" in served(f"{page}.md") for name in ENGLISH_ONLY)
