"""The desk in Vietnamese: no text of any page is the same as in English, unless it is a name."""

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model
from django.test import Client
from django.utils.translation import override
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from catalogue.accounts.languages import translate_around
from catalogue.admin.passwords import password_link
from catalogue.models import App, Image, Post, Tag, TimelineEntry
from catalogue.texts.fields import Line, Prose
from site_mirror.desk.faults import VARYING
from site_mirror.desk.roles import ADMINISTRATOR, EDITOR, RIGHTS
from tests import factories
from tests.admin_pages import admin_address, form_address, form_data
from tests.desk.people import make_person

pytestmark = pytest.mark.django_db

CONTENT = "Cầu vồng"
"""The text of all content, which is no text of the desk."""
NAMES = re.compile(
    r"Studio Catalogue|Cầu vồng|English|Tiếng Việt|Markdown|JSON|YAML|UTC|Studio|API|iOS|Android"
    r"|App Store|Google Play|Chrome Web Store|GitHub|LaTeX|EN|VI|TOTP|Atom|Git|SVG|SDK|Email|xyzzy"
    r"|\blan\b|\blinh\b|\binstruments\b|[/#?]\S+|\S+@\S+|[a-z0-9.]+([-.][a-z0-9]+)+|\d\S*|studio",
    re.IGNORECASE,
)
ENGLISH = re.compile(
    r"\b(the|and|of|is|are|you|your|this|that|not|with|for|from|it|be|or|command|minutes)\b"
)
OTHER_WORDS = re.compile(
    r"tập tin|kí tự|khoá|mục tiêu|người (sử )?dùng|đã tồn tại|hoặc ít hơn|thành công| \.$",
    re.IGNORECASE,
)
"""Words of the translations of Django and of the theme for which the desk has another one."""
SPOKEN = ("aria-label", "placeholder", "title", "alt")
SILENT = ("script", "style", "textarea", "pre", "code", "dd", "blockquote")
"""Elements with code, or with content."""


class Texts(HTMLParser):
    """The texts of a page, with those that are only spoken and those for scripts."""

    def __init__(self, page: Any) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent = 0
        self.feed(page.content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.found += [text for name, text in values.items() if name in SPOKEN and text]
        self.found += [
            text
            for name, text in values.items()
            if name.startswith("data-") and text and " " in text and text[0] not in "[{"
        ]
        # The names of icons are no texts.
        self.silent += tag in SILENT or "material-symbols" in (values.get("class") or "")
        self.icon = "material-symbols" in (values.get("class") or "")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in SILENT or self.icon
        self.icon = False

    icon = False

    def handle_data(self, data: str) -> None:
        if text := "" if self.silent else " ".join(data.split()):
            self.found.append(text)


def find_english(english: Any, vietnamese: Any) -> Iterator[str]:
    """Yield what both pages say, unless it is a name, and what is translated by half or oddly."""
    known = set(Texts(english).found)
    for text in Texts(vietnamese).found:
        rest = NAMES.sub("", text)
        is_english = (text in known and re.search("[A-Za-z]{2}", rest)) or ENGLISH.search(rest)
        if is_english or OTHER_WORDS.search(text):
            yield text


def make_content() -> None:
    factories.make_one_of_each()
    for model in apps.get_app_config("catalogue").get_models():
        fields = [each for each in model._meta.concrete_fields if isinstance(each, Line | Prose)]
        names = [each.name for each in fields if each.name.endswith(("_en", "_vi"))]
        if names:
            model._default_manager.update(**dict.fromkeys(names, CONTENT))
    App.objects.update(name=CONTENT)


def make_browsers(role: str) -> tuple[Client, Client]:
    """Return two browsers of one person, of which the second speaks Vietnamese."""
    user = make_person(role, "lan")
    english, vietnamese = Client(), Client()
    english.force_login(user)
    vietnamese.force_login(user)
    vietnamese.post("/admin/language/", {"language": "vi"})
    return english, vietnamese


def list_addresses(models: set[type[Model]]) -> Iterator[str]:
    yield from ("/admin/", "/admin/search/", "/admin/search/?q=vong", "/admin/search/?q=xyzzy")
    yield from ("/admin/translations/", "/admin/content/", "/admin/second-step/")
    yield from ("/admin/publish/", "/admin/publish/?release=none", "/admin/nothing/")
    yield from ("/admin/password_change/", "/admin/password_change/done/")
    for model in models:
        rows = model._default_manager
        listed = admin_address(model, "changelist")
        yield from (listed, f"{listed}add/")
        yield from (f"{listed}{rows.get().pk}/{page}/" for page in ("change", "history", "delete"))
    posts = admin_address(Post, "changelist")
    yield from (f"{posts}deleted/", f"{posts}?state=draft", f"{posts}?q=xyzzy")
    yield f"/admin/auth/user/{User.objects.get().pk}/password/"


@pytest.mark.parametrize("role", RIGHTS)
def test_every_page_is_in_vietnamese(role: str) -> None:
    """What others see differently is the same for all kinds of rows."""
    make_content()
    models = {*admin.site._registry} if role == ADMINISTRATOR else {Post, Image, TimelineEntry}
    english, vietnamese = make_browsers(role)
    found = {
        address: texts
        for address in list_addresses(models)
        if (texts := [*find_english(english.get(address), vietnamese.get(address))])
    }
    assert found == {}


def act(**typed: Any) -> Callable[[Client], Any]:
    """Return a post of the form of an article with a button, or with more that is typed."""

    def post(client: Client) -> Any:
        row = Post.objects.get()
        data = form_data(client.get(form_address(row))) | typed
        return client.post(form_address(row), data, follow=True)

    return post


def add(kind: str, **typed: Any) -> Callable[[Client], Any]:
    """Return a post of the form of a new row, filled in."""

    def post(client: Client) -> Any:
        address = f"/admin/{kind}/add/"
        return client.post(address, form_data(client.get(address)) | typed)

    return post


def upload(address: str, name: str, file: bytes) -> Callable[[Client], Any]:
    return lambda client: client.post(address, {name: SimpleUploadedFile("x.yaml", file)})


def send(address: str, **typed: Any) -> Callable[[Client], Any]:
    return lambda client: client.post(address, typed, follow=True)


BROKEN = """# One

[a](/nowhere) [b](javascript:x) ![](https://x.example/y.png) $\\def\\x{1}$ [c](http://localhost/)
$\\foo$ [d](/apps/an-app#nowhere) [e](mailto:x@.) \u202e $speed$ ![e](/apps/an-app)
"""
YAML = b"- {model: catalogue.tag, fields: {slug: x, name_en: Rain}}"
ACTS = {
    "a draft": act(_draft="", title_en="Mới"),
    "faults": act(_publish="", body_en=BROKEN, slug="X Y", title_en="", excerpt_vi=""),
    "a later moment": act(_publish="", publish_at_0="2099-01-01", publish_at_1="10:00:00"),
    "no moment": act(_publish="", publish_at_0="x", publish_at_1="1"),
    "a review": act(_review="", _note="Xem", title_en="Mới"),
    "sent back": act(_send_back="", _note="Xem", title_en="Mới"),
    "nothing to review": act(_review=""),
    "discarded": act(_discard=""),
    "published": act(_publish="", title_en="Mới"),
    "withdrawn": act(_withdraw=""),
    "an image": upload("/admin/catalogue/image/add/", "upload", b"x"),
    "an image in HEIC": upload("/admin/catalogue/image/add/", "upload", b"1234ftypheic"),
    "an app": add("catalogue/app", icon_svg="<p/>", name="x", since="x", app_store="x"),
    "a drawing": add("catalogue/app", icon_svg="<svg", downloads="x" * 30, name="x\ny"),
    "a version": add("catalogue/apiversion", version="x", api_version="x", status="sunset"),
    "a milestone": add("catalogue/timelineentry", date="2026-02-30", slug="A B"),
    "a topic": add("catalogue/sciencetopic", formula_latex="\\foo", name_en="x"),
    "a number": add("catalogue/statistic", slug="instruments", value="-1"),
    "a studio": send(
        "/admin/catalogue/studio/1/change/", email="x", country="xx", languages="x y", founded="x"
    ),
    "an image of 100 MB": send("/admin/catalogue/image/add/", CONTENT_LENGTH="100000000"),
    "many inputs": send("/admin/content/", **dict.fromkeys(map(str, range(2_001)), "x")),
    "no form": send("/admin/catalogue/post/add/", _key="no key", _draft=""),
    "content": upload("/admin/content/", "file", YAML),
    "content of no row": upload("/admin/content/", "file", b"- x"),
    "content that is no YAML": upload("/admin/content/", "file", b"a: [1,"),
    "content of no day": upload("/admin/content/", "file", b"a: 2026-13-45"),
    "content of no text": upload("/admin/content/", "file", b"\xff\0"),
    "content of an unknown column": upload(
        "/admin/content/", "file", b"- model: catalogue.tag\n  fields: {colour: red}"
    ),
    "content of an unknown row": upload(
        "/admin/content/",
        "file",
        b"".join(
            b"- {model: catalogue.post, fields: {slug: a, %s}}\n" % column
            for column in (b"app: [nowhere]", b"app: 5", b"publish_at: [1]")
        ),
    ),
    "content with faults": upload("/admin/content/", "file", YAML.replace(b"x,", b"'X Y',")),
    "an account": add("auth/user", username="a b", password1="1", password2="2"),
    "a password": send("/admin/password_change/", old_password="x", new_password1="1"),  # noqa: S106
    "a code": send("/admin/second-step/", otp_token="123456"),  # noqa: S106
    "deleted rows": send(
        "/admin/catalogue/post/", action="delete_selected", _selected_action=["1"], index="0"
    ),
    "no row selected": send("/admin/catalogue/post/", action="delete_selected", index="0"),
    "a deleted row": lambda client: client.post(
        admin_address(Tag, "changelist"),
        {
            "action": "delete_selected",
            "_selected_action": [factories.make_tag(slug="a").pk],
            "post": "yes",
        },
        follow=True,
    ),
    "one deleted row": lambda client: client.post(
        admin_address(Tag, "delete", factories.make_tag(slug="a").pk), {"post": "yes"}, follow=True
    ),
    "a second row": add("catalogue/page", slug="home"),
    "an empty image": upload("/admin/catalogue/image/add/", "upload", b""),
    "a moved row": send("/admin/catalogue/app/move/", up="1"),
    "a release": send("/admin/publish/?release=none"),
}


@pytest.mark.parametrize("name", ACTS)
def test_what_follows_an_act_is_in_vietnamese(name: str) -> None:
    make_content()
    english, vietnamese = make_browsers(ADMINISTRATOR)
    pages = [ACTS[name](client) for client in (english, vietnamese)]

    assert [*find_english(*pages)] == []


def test_the_faults_that_scripts_show_are_in_vietnamese() -> None:
    make_content()
    english, vietnamese = make_browsers(EDITOR)
    row = Post.objects.get()
    typed = {"body_en": BROKEN, "slug": "X Y", "title_en": "", "publish_at_0": "x"}
    data = form_data(english.get(form_address(row))) | typed

    answers = [
        client.post(admin_address(Post, "check", row.pk), data).json()["faults"]
        for client in (english, vietnamese)
    ]

    said, words = (
        {fault[part] for fault in answers[1] for part in ("label", "text")} for _ in "  "
    )
    assert len(answers[0]) == len(answers[1]) > 8
    assert not said & {fault[part] for fault in answers[0] for part in ("label", "text")}
    assert not [text for text in words if ENGLISH.search(NAMES.sub("", text))]


FAILURES = [
    "/a links to /b, where nothing is published",
    "/a links to /b#c, and /b has no such place",
    "/a links to #c, which it does not have",
    "/a links to https://b/c, which has no host that can be read",
    "/a links to https://b.local/c, which leads to a host that is not on the public internet",
    "/a links to https://b.x/c, which leads to this site by another name than https://c.x",
    "/a links to mailto:x@.y, which has no host that can be read",
    "/a says that it is /b",
    "/a leads to https://x/b, which is not a document",
    "the header Link of /a leads to /b, where nothing is published",
    "the body of a 404 below /api/v1 links to /b, where nothing is published",
    "getPost has 2 documents, not one, at /api/v1/posts/{slug}",
    "getPost has 2 documents, and /api/v1/posts lists 3",
    "/api/v1/x belongs to no operation of the OpenAPI document",
    "/api/v1/x does not keep the contract at /data: 1 is not of type",
    "/api/v1/x is text/html, and the contract says application/json",
    "There were no documents to check.",
    "9 of 20 documents would be lost, more than 20 %; if that is intended, use --allow-deletions",
    "/a was published and is missing; if that is intended, use --retire /a",
    "/a has 2 headings of the first level, not one",
    "/a names /b as its canonical address",
    "/a names no page as its canonical address",
    "/a names no Markdown mirror",
    "/a is not among its own alternates",
    "/a.md does not link to its page",
    "/a and /vi/a do not name the same alternates",
    "/a and its mirror /a.md do not name each other",
    "/a and its mirror /a.md have different titles: One and two",
    "/llms-full.txt has 2 links, its texts have 3",
    "/llms-full.txt hides the link to /b of the text “One”",
    "/a and /b would both be written to a.html.",
    (
        "There is no studio to publish. Is the database the right one? In a new one, begin as "
        "docs/start.md describes."
    ),
    (
        "/api/v1/versions says that v1 is at 1.9.0, and this program serves 1.10.0. Correct the "
        "row in the admin, or run the program that it describes."
    ),
    "The content cannot be read: no such table. Is the database migrated?",
    "A worker ended unexpectedly; is there enough memory? --jobs 1 renders in one process.",
    "Another process (12) is at work in /srv/site. Wait until it has ended.",
    "Another job is at work in /srv/site. Wait until it has ended.",
    "/srv/site cannot be written: No space left on device (/srv/site/x).",
    "/srv/site has no release '20261121T023000Z-1f2e3d4c-7'. It has: none.",
    "/srv/site/manifest.jsonl is not as it was written: it has the line",
    "Release 20261121T023000Z-1f2e3d4c-7 is not as it was published: x.",
    "The release is not as it was published: x.",
    "The release is made, and the command that deploys it failed with exit code 7: x",
    "/srv/site has no readable release, but --expect-previous says that one was published: x",
]
"""Failures of gates and of the freeze, which speak English themselves."""


@pytest.mark.parametrize("sentence", FAILURES)
def test_a_failure_is_in_vietnamese(sentence: str) -> None:
    with override("vi"):
        words = translate_around(VARYING, sentence)
    assert words != sentence
    assert VARYING.findall(words) == VARYING.findall(sentence)
    assert not ENGLISH.search(NAMES.sub("", VARYING.sub("", words)))


def test_two_texts_of_one_part_are_asked_for_in_vietnamese() -> None:
    make_content()
    english, vietnamese = make_browsers(EDITOR)
    row = Post.objects.get()
    data = form_data(english.get(form_address(row)))
    for client, title in ((english, "Một"), (vietnamese, "Hai")):
        asked = client.post(form_address(row), data | {"_draft": "", "title_en": title})
    assert asked.status_code == 200
    plain = english.post(form_address(row), data | {"_draft": "", "title_en": "Ba"})
    assert [*find_english(plain, asked)] == []


def post_without_token(client: Client) -> Any:
    client.handler.enforce_csrf_checks = True
    return client.post("/admin/login/")


ANONYMOUS: dict[str, Callable[[Client], Any]] = {
    "the log-in": lambda client: client.get("/admin/login/"),
    "a wrong password": send("/admin/login/", username="lan", password="x"),  # noqa: S106
    "a locked log-in": lambda client: [
        client.post("/admin/login/", {"username": "lan", "password": "x"}) for _ in range(6)
    ][-1],
    "a forgotten password": lambda client: client.get("/admin/password-reset/"),
    "a message": send("/admin/password-reset/", email="lan@studio.example"),
    "no address": send("/admin/password-reset/", email="x"),
    "a used link": lambda client: client.get("/admin/set-password/x/y/"),
    "a new password": lambda client: client.get(
        password_link(User.objects.get()).removeprefix("http://studio.example"), follow=True
    ),
    "a set password": lambda client: client.get("/admin/set-password/done/"),
    "a page that is not there": lambda client: client.get("/admin/nothing/", follow=True),
    "a form without a token": post_without_token,
}


@pytest.mark.parametrize("has_mail", [True, False])
@pytest.mark.parametrize("name", ANONYMOUS)
def test_pages_before_the_log_in_are_in_vietnamese(
    name: str, has_mail: bool, settings: Settings
) -> None:
    settings.MAIL_IS_SENT = has_mail
    User.objects.create_user("lan", "lan@studio.example", "x1", is_staff=True)
    clients = [Client(headers={"Accept-Language": code}) for code in ("en", "vi")]
    pages = [ANONYMOUS[name](client) for client in clients]
    assert [*find_english(*pages)] == []


def test_the_second_step_is_in_vietnamese() -> None:
    english, vietnamese = make_browsers(EDITOR)
    TOTPDevice.objects.create(user=User.objects.get(), confirmed=True, name="App")
    for typed in ({}, {"otp_token": "123456"}):
        pages = [
            client.post("/admin/login/", typed) if typed else client.get("/admin/login/")
            for client in (english, vietnamese)
        ]
        assert [*find_english(*pages)] == []
