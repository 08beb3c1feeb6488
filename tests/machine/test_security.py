"""`security.txt`, read by the reference parser."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from sectxt import Parser

from catalogue.models import Studio
from site_mirror.machine import security
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES_BY_NAME
from tests import factories
from tests.pages.page_reader import SITE, read_document

ADDRESS = "https://studio.example/.well-known/security.txt"


def parse_security_txt(text: str) -> Parser:
    return Parser(text.encode(), urls=ADDRESS)


def read_fields(text: str) -> dict[str, str]:
    pairs = (line.partition(": ") for line in text.splitlines())
    return {name: value for name, _, value in pairs}


def test_the_reference_parser_finds_no_error_in_security_txt(shipped_site: None) -> None:
    found = parse_security_txt(read_document("/.well-known/security.txt"))

    assert found.errors == []
    assert {note["code"] for note in found.recommendations} <= {"no_encryption", "not_signed"}


def test_security_txt_without_policy_and_languages_is_valid(db: None) -> None:
    factories.make_studio()

    text = read_document("/.well-known/security.txt")
    assert parse_security_txt(text).errors == []
    assert read_fields(text).keys() == {"Contact", "Expires", "Canonical"}
    assert read_fields(text)["Contact"] == "mailto:hello@studio.example"


def test_security_txt_has_the_contact_and_the_policy_of_the_studio(shipped_site: None) -> None:
    shipped = read_fields(read_document("/.well-known/security.txt"))
    path, _, part = shipped["Policy"].removeprefix(SITE.root).partition("#")
    assert shipped["Canonical"] == ADDRESS
    assert f'id="{part}"' in read_document(path)

    policy = "https://elsewhere.example/policy"
    Studio.objects.update(security_contact="https://a.example/report", security_policy=policy)
    found = read_fields(read_document("/.well-known/security.txt"))
    assert (found["Contact"], found["Policy"]) == ("https://a.example/report", policy)


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-11-01T00:00:00Z", "2027-04-30"),
        ("2026-11-30T23:59:59.999999Z", "2027-04-30"),
        ("2026-12-01T00:00:00Z", "2027-05-30"),
        ("2026-12-01T06:59:59+07:00", "2027-04-30"),
    ],
)
def test_security_txt_expires_180_days_after_the_first_of_the_month_in_utc(
    at: str, day: str
) -> None:
    expected = datetime.fromisoformat(f"{day}T00:00:00Z")

    assert security.expiry(datetime.fromisoformat(at)) == expected


@pytest.mark.parametrize("year", [2020, 2099])
def test_security_txt_of_another_moment_is_valid_today(db: None, year: int) -> None:
    factories.make_studio()
    context = context_at(SITE, datetime(year, 1, 1, tzinfo=UTC))
    [document] = FAMILIES_BY_NAME["security"].documents(context)
    expires = datetime.fromisoformat(read_fields(document.body().decode())["Expires"])

    assert timedelta(days=30) < expires - timezone.now() < timedelta(days=366)
