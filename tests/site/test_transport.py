"""Strict-Transport-Security: on every response of a site that is published over https."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings
from pytest_django import Settings

from site_mirror.hosts import answers as of_hosts
from site_mirror.hosts import release
from tests.freeze import makers
from tests.site.answers import REFUSED, Asked, answer

pytestmark = pytest.mark.django_db

HSTS = "Strict-Transport-Security"
TWO_YEARS = "max-age=63072000; includeSubDomains"
SERVED = (
    Asked(200, "/api/v1/apps"),
    Asked(200, "/api/v1/health"),
    Asked(200, "/about"),
    Asked(200, "/about.md"),
    Asked(200, "/robots.txt"),
    *REFUSED,
)
ADMIN = (
    Asked(302, "/admin/"),
    Asked(200, "/admin/login/"),
    Asked(403, "/admin/login/", method="POST"),
    Asked(404, "/static/nothing.css"),
)
"""The log-in form without a token, and an address of the admin's own files."""


@pytest.mark.usefixtures("shipped_site")
@pytest.mark.parametrize("asked", [*SERVED, *ADMIN], ids=str)
def test_a_response_of_an_https_site_has_the_header(asked: Asked) -> None:
    found = send(asked)

    assert found.status_code == asked.status
    assert found[HSTS] == TWO_YEARS


@pytest.mark.usefixtures("shipped_site")
@pytest.mark.parametrize("asked", [*SERVED, *ADMIN], ids=str)
def test_a_response_of_an_http_site_does_not_have_it(asked: Asked, settings: Settings) -> None:
    settings.SITE_ROOT = "http://studio.example"

    assert HSTS not in send(asked)


@pytest.mark.parametrize(
    ("seconds", "subdomains", "value"),
    [(300, True, "max-age=300; includeSubDomains"), (300, False, "max-age=300"), (0, True, None)],
)
def test_live_frozen_and_hosted_responses_have_the_value_of_the_settings(
    seconds: int, subdomains: bool, value: str | None, tmp_path: Path
) -> None:
    makers.make_site()
    with override_settings(SECURE_HSTS_SECONDS=seconds, SECURE_HSTS_INCLUDE_SUBDOMAINS=subdomains):
        makers.freeze_into(tmp_path / "site")
        live = answer(Asked(200, "/api/v1/apps"))
    frozen = release.read(tmp_path / "site" / "current")
    found = {
        live.get(HSTS),
        *(document.headers.get(HSTS) for document in frozen.documents),
        *(refusal.headers.get(HSTS) for refusal in frozen.errors),
        *(moved.headers.get(HSTS) for moved in frozen.redirects),
        of_hosts.preflight(frozen, "/api/v1/apps").get(HSTS),
        of_hosts.moved(frozen, "/about/", "/about").get(HSTS),
    }

    assert found == {value}


def send(asked: Asked) -> Any:
    """The response, with the token check of a browser's request where the admin is asked."""
    if not asked.address.startswith("/admin/"):
        return answer(asked)
    return Client(enforce_csrf_checks=True).generic(asked.method, asked.address)
