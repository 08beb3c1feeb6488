"""Responses of the admin: their headers, and refusals as pages of the admin."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

pytestmark = pytest.mark.django_db

POLICY = {
    "default-src 'none'",
    "script-src 'self' 'unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
}
HEADERS = {
    "Cache-Control": "no-store, private",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
}


@pytest.fixture
def desk(client: Client) -> Client:
    """The browser of a user who may only view posts."""
    editor = User.objects.create_user("linh", is_staff=True)
    editor.user_permissions.add(Permission.objects.get(codename="view_post"))
    client.force_login(editor)
    return client


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/admin/", 200),
        ("/admin/login/", 302),
        ("/admin/jsi18n/", 200),
        ("/admin/catalogue/post/", 200),
        ("/admin/catalogue/app/", 403),
        ("/admin/nothing-here/", 404),
        ("/admin/password-reset/", 200),
        ("/admin/set-password/x/y/", 200),
    ],
)
def test_every_response_has_the_policy_and_the_security_headers_and_no_inline_script(
    desk: Client, address: str, status: int
) -> None:
    answer = desk.get(address)

    assert answer.status_code == status
    assert set(answer["Content-Security-Policy"].split("; ")) == POLICY
    assert {name: answer[name] for name in HEADERS} == HEADERS
    assert "Access-Control-Allow-Origin" not in answer
    page = desk.get(address, follow=True).content.decode()
    assert page.count("<script") == len(re.findall(r'<script (?:type="module" )?(?:src|id)=', page))


@pytest.mark.parametrize("address", ["/about", "/api/v1/nope", "/nope", "/admin", "/static/x"])
def test_a_public_response_has_no_policy_of_the_admin(address: str) -> None:
    answer = Client().get(address)

    assert "unsafe-eval" not in answer.get("Content-Security-Policy", "")
    assert "no-store" not in answer.get("Cache-Control", "")


def test_a_refusal_is_a_page_of_the_admin(desk: Client) -> None:
    for answer, status, words in (
        (desk.get("/admin/catalogue/app/"), 403, "Your account does not have the permission"),
        (desk.post("/admin/catalogue/post/add/"), 403, "does not have the permission"),
        (desk.get("/admin/nothing-here/"), 404, "There is nothing at this address"),
    ):
        page = answer.content.decode()
        assert (answer.status_code, answer["Content-Type"]) == (status, "text/html; charset=utf-8")
        assert words in page
        assert "/admin/catalogue/post/" in page
        assert "/admin/catalogue/app/" not in page


@pytest.mark.parametrize("logged_in", [False, True])
def test_a_form_without_its_token_is_refused_by_a_page_of_the_admin(logged_in: bool) -> None:
    browser = Client(enforce_csrf_checks=True)
    if logged_in:
        browser.force_login(User.objects.create_superuser("linh"))

    answer = browser.post("/admin/login/", {"username": "linh", "password": "x"})

    assert answer.status_code == 403
    assert "The form has expired" in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]


TYPED = {"title_en": "A title <that> took “an hour”", "password": "secret"}
ESCAPED = "A title &lt;that&gt; took “an hour”"


def test_a_refusal_of_a_form_shows_what_was_typed(desk: Client) -> None:
    """Of a row that somebody has deleted, without the permission, and without a token."""
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_superuser("mai"))
    editor = Client()
    editor.force_login(User.objects.get(username="mai"))
    for browser, address, status in (
        (editor, "/admin/catalogue/post/77/change/", 404),
        (editor, "/admin/catalogue/version/77/change/", 404),
        (desk, "/admin/catalogue/post/add/", 403),
        (strict, "/admin/catalogue/post/add/", 403),
    ):
        answer = browser.post(address, TYPED)

        page = answer.content.decode()
        assert (answer.status_code, ESCAPED in page, "secret" in page) == (status, True, False)
        assert ("Send it again" in page) == (status == 404)


LONG = {"title_en": "a" * 5_000_000}
IMAGE = "image/add/"


@pytest.mark.parametrize(
    ("form", "words", "status", "sentence"),
    [
        ("post/add/", {"data": LONG}, 413, "has 4.8\xa0MB; at most 4.0\xa0MB are"),
        (IMAGE, {"CONTENT_LENGTH": f"{10**8}"}, 413, "has 95.4\xa0MB; at most 24.0\xa0MB are"),
        (
            "post/add/",
            {"data": {f"symbols-{number}-symbol": "v" for number in range(2_001)}},
            *(400, "has more than 2,000 inputs"),
        ),
        (
            "post/add/",
            {"data": b"no form", "content_type": "multipart/form-data"},
            *(400, "is not a form of this site"),
        ),
        ("post/add/", {"data": {"_key": "no key", "_draft": ""}}, 400, "is not a form of this"),
    ],
)
def test_a_form_that_cannot_be_read_is_refused_by_a_page_of_the_admin_that_names_the_limit(
    form: str, words: dict[str, Any], status: int, sentence: str
) -> None:
    browser = Client()
    browser.force_login(User.objects.create_superuser("linh"))
    answer = browser.post(f"/admin/catalogue/{form}", **words)

    assert (answer.status_code, answer["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert "no-store" in answer["Cache-Control"]
    assert sentence in answer.content.decode()
