"""Each person chooses the language of the desk, and nothing public depends on it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import product
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.contrib import admin
from django.contrib.auth.models import User
from django.core import mail
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from django.utils.translation import get_language, override
from pytest_django import Settings

from catalogue.accounts.languages import LANGUAGE_KEY, ChosenLanguage
from catalogue.addresses import Site
from catalogue.models import Image
from site_mirror.desk.models import Language
from site_mirror.desk.places import place_of
from site_mirror.desk.roles import EDITOR, RIGHTS, WRITER
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data
from tests.desk.people import browser_of

pytestmark = pytest.mark.django_db

CHOICE = "/admin/language/"


def choose(client: Client, code: str, page: str = "") -> Any:
    return client.post(CHOICE, {"language": code}, headers={"Referer": page})


def vietnamese_browser(role: str = EDITOR) -> Client:
    client = browser_of(role)
    choose(client, "vi")
    return client


def language_of(response: HttpResponse) -> str:
    return response.content.decode().partition('<html lang="')[2][:2]


@pytest.mark.parametrize("role", RIGHTS)
def test_a_person_chooses_and_stays_on_the_page(role: str) -> None:
    client, other = browser_of(role), browser_of(WRITER, "other")
    here = "http://testserver/admin/catalogue/post/?state=draft"

    assert choose(client, "vi", here)["Location"] == here

    assert language_of(client.get(here)) == "vi"
    assert language_of(client.get("/admin/nothing-here/")) == "vi"
    assert language_of(other.get(here)) == "en"
    again = Client(headers={"Accept-Language": "en"})
    again.force_login(User.objects.get(username=role.lower()))
    assert language_of(again.get("/admin/")) == "vi"
    choose(client, "en")
    assert language_of(client.get("/admin/")) == "en"


def test_only_known_languages_and_own_pages_are_taken() -> None:
    client = browser_of(WRITER)
    assert choose(client, "fr", "http://elsewhere.example/admin/")["Location"] == "/admin/"
    assert client.get(CHOICE).status_code == 405
    assert not Language.objects.exists()


def test_before_the_log_in_the_browser_decides() -> None:
    for asked, language in (("vi-VN,vi;q=0.9", "vi"), ("en-GB", "en"), ("fr", "en"), ("", "en")):
        page = Client().get("/admin/login/", headers={"Accept-Language": asked})
        assert language_of(page) == language


def test_threads_that_answer_at_once_keep_their_languages() -> None:
    together = Barrier(2, timeout=20)

    def answer(request: HttpRequest) -> HttpResponse:
        together.wait()
        return HttpResponse(get_language() or "")

    def ask(code: str) -> set[bytes]:
        request = RequestFactory().get("/admin/")
        request.session = {LANGUAGE_KEY: code}  # type: ignore[assignment]
        return {ChosenLanguage(answer)(request).content for _ in range(20)}  # type: ignore[attr-defined]

    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(ask, ("vi", "en"))] == [{b"vi"}, {b"en"}]
        assert [*pool.map(get_language_of_thread, range(2))] == ["en", "en"]


def get_language_of_thread(number: int) -> str | None:
    return get_language()


def test_a_mail_is_in_the_language_of_its_reader(settings: Settings) -> None:
    settings.MAIL_IS_SENT = True
    user = User.objects.create_user("lan", "lan@studio.example", "một mật khẩu", is_staff=True)
    Language.objects.create(user=user, code="vi")

    Client().post("/admin/password-reset/", {"email": user.email})

    [message] = mail.outbox
    assert message.subject == "Mật khẩu mới cho studio.example"
    assert "mật khẩu mới" in str(message.body)


def test_public_answers_are_the_same_for_a_vietnamese_editor() -> None:
    factories.make_one_of_each()
    client, addresses = vietnamese_browser(), {each.template for each in FAMILIES}
    # Within the second of a change responses have no `Last-Modified`.
    with time_machine.travel(timezone.now() + timedelta(minutes=5), tick=False):
        for address in sorted(addresses | {"/no/such/page", "/api/v1/nothing", "/vi/nothing"}):
            assert language_of(client.get("/admin/nothing-here/")) == "vi"
            seen = client.get(address, headers={"Accept-Language": "vi"})
            plain = Client().get(address)
            assert (seen.status_code, seen.content) == (plain.status_code, plain.content)
            assert dict(seen.headers) == dict(plain.headers)
            assert "Set-Cookie" not in seen
            assert "Accept-Language" not in seen.get("Vary", "")


def test_previews_are_the_published_bytes_for_a_vietnamese_editor() -> None:
    factories.make_one_of_each()
    client, compared = vietnamese_browser(), 0
    drafted = {each for each in admin.site._registry if each._meta.app_label == "catalogue"}
    for model in drafted - {Image}:
        row = model._default_manager.first()
        data = form_data(client.get(form_address(row)))
        shown, languages = ("page", "list", "markdown", "json"), ("en", "vi")
        for form, language in product(shown, languages):
            public = Client().get(place_of(row).address(form, language))
            if public.status_code == 200:
                seen = client.post(
                    admin_address(model, "preview", row.pk),
                    {**data, "_show": form, "_language": language},
                )
                assert seen.content == public.content, (model, form, language)
                compared += 1
    assert compared == 40


def test_no_document_depends_on_the_active_language() -> None:
    factories.make_one_of_each()
    at = timezone.now()

    def render(code: str) -> dict[str, bytes]:
        with override(code):
            context = context_at(Site("https://studio.example"), at)
            documents = (each for family in FAMILIES for each in family.documents(context))
            return {document.address: document.body() for document in documents}

    vietnamese, english = render("vi"), render("en")
    assert vietnamese == english
    assert len(english) > 60
