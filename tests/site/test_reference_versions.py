"""The policy of versions has the versions themselves, as their rows say."""

import re
from datetime import UTC, date, datetime

import pytest

from tests import rows
from tests.site.reading import served

ENDS = {
    "announced": datetime(2026, 1, 1, tzinfo=UTC),
    "deprecation": datetime(2026, 2, 1, 7, tzinfo=UTC),
    "sunset": datetime(2027, 1, 1, 0, 30, tzinfo=UTC),
}


def make_policy() -> None:
    text = {"title_en": "Policy", "body_en": "It changes.", "title_vi": "Luật", "body_vi": "Đổi."}
    rows.make_page(slug="docs-versioning", **text)


def table(address: str) -> list[str]:
    return [line for line in served(address).splitlines() if line.startswith("| ")][2:]


def test_a_version_that_goes_on_has_no_end(db: None) -> None:
    make_policy()
    rows.make_version()

    assert table("/docs/versioning.md") == [
        "| [v1](https://studio.example/api/v1/) | `1.0.0` | `current` | 10 February 2025 | — | — |"
    ]


def test_a_version_that_ends_says_when_to_the_minute(db: None) -> None:
    make_policy()
    rows.make_version(status="deprecated", **ENDS)

    assert table("/docs/versioning.md")[0].split(" | ")[2:] == [
        "`deprecated`",
        "10 February 2025",
        "1 February 2026, 07:00 UTC",
        "1 January 2027, 00:30 UTC |",
    ]
    assert '<time datetime="2027-01-01T00:30:00Z">' in served("/docs/versioning")


def test_only_the_version_that_is_served_is_linked(db: None) -> None:
    make_policy()
    rows.make_version(status="deprecated", **ENDS)
    rows.make_version(version="v2", api_version="2.0.0", released=date(2026, 1, 1))

    assert [line.split(" | ")[0] for line in table("/docs/versioning.md")] == [
        "| v2",
        "| [v1](https://studio.example/api/v1/)",
    ]


def test_a_day_is_told_in_the_language_of_the_page(db: None) -> None:
    make_policy()
    rows.make_version()

    assert "10 tháng 2 năm 2025" in table("/vi/docs/versioning.md")[0]


def test_without_a_version_there_is_no_table(db: None) -> None:
    make_policy()

    assert table("/docs/versioning.md") == []
    assert "<table" not in served("/docs/versioning")


@pytest.mark.parametrize("path", ["/docs/versioning.md", "/vi/docs/versioning.md"])
def test_only_the_table_changes_when_a_version_is_deprecated(shipped_site: None, path: str) -> None:
    before = served(path).splitlines()
    rows.retire_version("v1", status="deprecated", **ENDS)
    rows.make_version(version="v2", api_version="2.0.0", released=date(2026, 1, 1))

    after = served(path).splitlines()

    changed = {line for line in before if line not in after}
    assert len(changed) == 1
    assert [line for line in changed if not line.startswith("| [v1](")] == []


@pytest.mark.parametrize("path", ["/docs/versioning.md", "/vi/docs/versioning.md"])
def test_the_policy_says_nothing_of_the_present(shipped_site: None, path: str) -> None:
    claims = re.compile(
        r"at present|currently|the current path|nothing is deprecated|hiện (nay|chưa)"
    )

    assert claims.findall(served(path).lower()) == []
