"""Strict-Transport-Security is in all responses of a site with an https root."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings
from pytest_django import Settings

from site_mirror.hosts import release, responses
from tests.freeze import sites
from tests.live.public_answers import OTHER_REQUESTS, PublicRequest, send_request

HSTS = "Strict-Transport-Security"
TWO_YEARS = "max-age=63072000; includeSubDomains"
REQUESTS = (
    *(
        PublicRequest(200, address)
        for address in ("/api/v1/apps", "/api/v1/health", "/about", "/about.md", "/robots.txt")
    ),
    *OTHER_REQUESTS,
    PublicRequest(302, "/admin/"),
    PublicRequest(200, "/admin/login/"),
    PublicRequest(403, "/admin/login/", method="POST"),
    PublicRequest(404, "/static/nothing.css"),
)
"""Public ones, and of the admin: the log-in form without a token, and one of its own files."""


def send_request_as_browser(request: PublicRequest) -> Any:
    """Send a request; one to the admin is checked for a CSRF token, as from a browser."""
    if not request.address.startswith("/admin/"):
        return send_request(request)
    return Client(enforce_csrf_checks=True).generic(request.method, request.address)


@pytest.mark.parametrize(
    ("root", "value"), [("https://studio.example", TWO_YEARS), ("http://studio.example", None)]
)
def test_each_response_of_an_https_site_has_the_header(
    shipped_site: None, settings: Settings, root: str, value: str | None
) -> None:
    settings.SITE_ROOT = root
    for request in REQUESTS:
        response = send_request_as_browser(request)

        assert (response.status_code, response.get(HSTS)) == (request.status, value), request


@pytest.mark.parametrize(
    ("seconds", "subdomains", "value"), [(300, False, "max-age=300"), (0, True, None)]
)
def test_live_frozen_and_hosted_responses_have_the_value_of_the_settings(
    db: None, seconds: int, subdomains: bool, value: str | None, tmp_path: Path
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
