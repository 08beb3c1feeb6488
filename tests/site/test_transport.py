"""Strict-Transport-Security is in all responses of a site with an https root."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings
from pytest_django import Settings

from site_mirror.hosts import release, responses
from tests.freeze import sites
from tests.site.public_answers import OTHER_REQUESTS, PublicRequest, send_request

pytestmark = pytest.mark.django_db

HSTS = "Strict-Transport-Security"
TWO_YEARS = "max-age=63072000; includeSubDomains"
PUBLIC_REQUESTS = (
    PublicRequest(200, "/api/v1/apps"),
    PublicRequest(200, "/api/v1/health"),
    PublicRequest(200, "/about"),
    PublicRequest(200, "/about.md"),
    PublicRequest(200, "/robots.txt"),
    *OTHER_REQUESTS,
)
ADMIN_REQUESTS = (
    PublicRequest(302, "/admin/"),
    PublicRequest(200, "/admin/login/"),
    PublicRequest(403, "/admin/login/", method="POST"),
    PublicRequest(404, "/static/nothing.css"),
)
"""The log-in form without a token, and an address of the admin's own files."""


@pytest.mark.usefixtures("shipped_site")
@pytest.mark.parametrize("public_request", [*PUBLIC_REQUESTS, *ADMIN_REQUESTS], ids=str)
def test_each_response_of_an_https_site_has_the_header(
    public_request: PublicRequest, settings: Settings
) -> None:
    response = send_request_as_browser(public_request)
    settings.SITE_ROOT = "http://studio.example"

    assert (response.status_code, response[HSTS]) == (public_request.status, TWO_YEARS)
    assert HSTS not in send_request_as_browser(public_request)


@pytest.mark.parametrize(
    ("seconds", "subdomains", "value"),
    [
        (300, False, "max-age=300"),
        (0, True, None),
    ],
)
def test_live_frozen_and_hosted_responses_have_the_value_of_the_settings(
    seconds: int, subdomains: bool, value: str | None, tmp_path: Path
) -> None:
    sites.make_site()
    with override_settings(SECURE_HSTS_SECONDS=seconds, SECURE_HSTS_INCLUDE_SUBDOMAINS=subdomains):
        sites.freeze_into(tmp_path / "site")
        live = send_request(PublicRequest(200, "/api/v1/apps"))
    frozen = release.read_release(tmp_path / "site" / "current")
    values = {
        live.get(HSTS),
        *(document.headers.get(HSTS) for document in frozen.documents),
        *(error.headers.get(HSTS) for error in frozen.errors),
        *(redirect.headers.get(HSTS) for redirect in frozen.redirects),
        responses.options_headers(frozen, "/api/v1/apps").get(HSTS),
        responses.moved_headers(frozen, "/about/").get(HSTS),
    }

    assert values == {value}


def send_request_as_browser(request: PublicRequest) -> Any:
    """Send a request; one to the admin is checked for a CSRF token, as from a browser."""
    if not request.address.startswith("/admin/"):
        return send_request(request)
    return Client(enforce_csrf_checks=True).generic(request.method, request.address)
