"""The page about versions has a table of the rows of versions."""

import re
from datetime import UTC, date, datetime

import pytest

from tests import factories
from tests.site.page_reader import read_document

RETIREMENT = {
    "announced": datetime(2026, 1, 1, tzinfo=UTC),
    "deprecation": datetime(2026, 2, 1, 7, tzinfo=UTC),
    "sunset": datetime(2027, 1, 1, 0, 30, tzinfo=UTC),
}


def make_policy() -> None:
    text = {"title_en": "Policy", "body_en": "It changes.", "title_vi": "Luật", "body_vi": "Đổi."}
    factories.make_page(slug="docs-versioning", **text)


def read_table(address: str) -> list[str]:
    return [line for line in read_document(address).splitlines() if line.startswith("| ")][2:]


def test_a_current_version_has_no_dates_of_its_end(db: None) -> None:
    make_policy()
    factories.make_version()

    assert read_table("/docs/versioning.md") == [
        "| [v1](https://studio.example/api/v1/) | `1.0.0` | `current` | 10 February 2025 | — | — |"
    ]


def test_the_end_of_a_version_has_its_minute(db: None) -> None:
    make_policy()
    factories.make_version(status="deprecated", **RETIREMENT)

    assert read_table("/docs/versioning.md")[0].split(" | ")[2:] == [
        "`deprecated`",
        "10 February 2025",
        "1 February 2026, 07:00 UTC",
        "1 January 2027, 00:30 UTC |",
    ]
    assert '<time datetime="2027-01-01T00:30:00Z">' in read_document("/docs/versioning")


def test_only_the_version_that_is_served_is_linked(db: None) -> None:
    make_policy()
    factories.make_version(status="deprecated", **RETIREMENT)
    factories.make_version(version="v2", api_version="2.0.0", released=date(2026, 1, 1))

    assert [line.split(" | ")[0] for line in read_table("/docs/versioning.md")] == [
        "| v2",
        "| [v1](https://studio.example/api/v1/)",
    ]


def test_a_day_of_the_table_is_in_the_language_of_the_page(db: None) -> None:
    make_policy()
    factories.make_version()

    assert "10 tháng 2 năm 2025" in read_table("/vi/docs/versioning.md")[0]


def test_without_a_version_there_is_no_table(db: None) -> None:
    make_policy()

    assert read_table("/docs/versioning.md") == []
    assert "<table" not in read_document("/docs/versioning")


@pytest.mark.parametrize("path", ["/docs/versioning.md", "/vi/docs/versioning.md"])
def test_only_the_table_changes_when_a_version_is_deprecated(shipped_site: None, path: str) -> None:
    before = read_document(path).splitlines()
    factories.retire_version("v1", status="deprecated", **RETIREMENT)
    factories.make_version(version="v2", api_version="2.0.0", released=date(2026, 1, 1))

    after = read_document(path).splitlines()

    changed = {line for line in before if line not in after}
    assert len(changed) == 1
    assert [line for line in changed if not line.startswith("| [v1](")] == []


@pytest.mark.parametrize("path", ["/docs/versioning.md", "/vi/docs/versioning.md"])
def test_the_text_of_the_policy_does_not_depend_on_the_present(
    shipped_site: None, path: str
) -> None:
    claims = re.compile(
        r"at present|currently|the current path|nothing is deprecated|hiện (nay|chưa)"
    )

    assert claims.findall(read_document(path).lower()) == []
