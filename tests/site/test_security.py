"""Whom to tell of a weakness, read by the reference parser."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone
from sectxt import Parser

from catalogue.models import Studio
from site_mirror import registry
from site_mirror.framing import context_at
from site_mirror.machine import security
from tests import rows
from tests.site.reading import SITE, served, statuses

ADDRESS = "https://studio.example/.well-known/security.txt"
HALF_A_DAY = timedelta(hours=12)
YEAR = [datetime(2027, 12, 1, tzinfo=UTC) + number * HALF_A_DAY for number in range(2 * 366 + 62)]


def parsed(text: str) -> Parser:
    return Parser(text.encode(), urls=ADDRESS)


def fields(text: str) -> dict[str, str]:
    pairs = (line.partition(": ") for line in text.splitlines())
    return {name: value for name, _, value in pairs}


def test_the_reference_parser_finds_nothing_wrong(shipped_site: None) -> None:
    found = parsed(served("/.well-known/security.txt"))

    assert found.errors == []
    assert {note["code"] for note in found.recommendations} <= {"no_encryption", "not_signed"}


def test_a_file_without_policy_or_languages_is_right_too(db: None) -> None:
    rows.make_studio()

    text = served("/.well-known/security.txt")
    assert parsed(text).errors == []
    assert fields(text).keys() == {"Contact", "Expires", "Canonical"}
    assert fields(text)["Contact"] == "mailto:hello@studio.example"


def test_the_contact_and_the_policy_are_the_editors(shipped_site: None) -> None:
    policy = "https://elsewhere.example/policy"
    Studio.objects.update(security_contact="https://a.example/report", security_policy=policy)

    found = fields(served("/.well-known/security.txt"))
    assert (found["Contact"], found["Policy"]) == ("https://a.example/report", policy)


def test_the_shipped_policy_is_a_part_of_a_page(shipped_site: None) -> None:
    policy = fields(served("/.well-known/security.txt"))["Policy"]
    path, _, part = policy.removeprefix(SITE.root).partition("#")

    assert statuses({policy}) == {}
    assert f'id="{part}"' in served(path)


def test_the_address_that_it_names_is_its_own(shipped_site: None) -> None:
    assert fields(served("/.well-known/security.txt"))["Canonical"] == ADDRESS


def test_it_always_expires_in_thirty_to_366_days() -> None:
    ahead = [security.expiry(at) - at for at in YEAR]

    assert timedelta(days=30) < min(ahead) <= max(ahead) < timedelta(days=366)


@pytest.mark.parametrize(
    ("at", "expires"),
    [
        (datetime(2026, 11, 1, tzinfo=UTC), datetime(2027, 4, 30, tzinfo=UTC)),
        (datetime(2026, 11, 30, 23, 59, 59, 999999, UTC), datetime(2027, 4, 30, tzinfo=UTC)),
        (datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 5, 30, tzinfo=UTC)),
    ],
)
def test_it_expires_180_days_after_the_month_began(at: datetime, expires: datetime) -> None:
    assert security.expiry(at) == expires


def test_a_month_is_one_of_utc_wherever_the_moment_is_told() -> None:
    at = datetime.fromisoformat("2026-12-01T06:59:59+07:00")

    assert security.expiry(at) == datetime(2027, 4, 30, tzinfo=UTC)


def test_no_byte_changes_within_a_month_and_some_do_in_the_next(shipped_site: None) -> None:
    texts = []
    for day in ("2026-12-01", "2026-12-31", "2027-01-01"):
        with time_machine.travel(f"{day}T12:00:00Z", tick=False):
            texts.append(served("/.well-known/security.txt"))

    assert texts[0] == texts[1] != texts[2]


@pytest.mark.django_db
@pytest.mark.parametrize("year", [2020, 2099])
def test_a_site_of_another_moment_has_a_file_that_is_valid_today(year: int) -> None:
    rows.make_studio()
    context = context_at(SITE, datetime(year, 1, 1, tzinfo=UTC))
    (found,) = [one for one in registry.documents(context) if one.family == "security"]
    expires = re.search(r"Expires: (\S+)", found.body().decode())

    assert expires is not None
    ahead = datetime.fromisoformat(expires[1]) - timezone.now()
    assert timedelta(days=30) < ahead < timedelta(days=366)
