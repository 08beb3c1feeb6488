"""The search of the desk: it finds texts of all kinds, whatever their case and marks."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from selectolax.lexbor import LexborHTMLParser

from catalogue.models import App, Post, State
from site_mirror.desk.models import Draft, PostText
from tests import factories
from tests.admin_pages import admin_address

ADDRESSES = reverse_lazy("admin:addresses")
LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def search(editor: Client, typed: str) -> HttpResponse:
    return editor.get(reverse("admin:search"), {"q": typed})


def found(page: HttpResponse) -> dict[str, list[str]]:
    """Return the titles that a page lists, by the name of their kind."""
    sections = LexborHTMLParser(page.content.decode()).css("main section")
    return {
        section.css("h2")[0].text(): [
            " ".join(link.text().split()) for link in section.css("li > a")
        ]
        for section in sections
    }


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Bản đồ", "BAN DO"),
        ("Bản đồ", "bản đồ"),
        ("Đà Nẵng", "da nang"),
        ("Đà Nẵng", "ĐÀ NẴNG"),
        ("đường", "Duong"),
        ("Straße", "STRASSE"),
        ("λ is a length", "Λ"),
        ("50% of 10_000", "50% of 10_0"),
        ("two\nlines", "two lines"),
    ],
)
def test_case_and_marks_are_no_matter(editor: Client, written: str, typed: str) -> None:
    """Twice, because the second search of posts compares what the first one has stored."""
    factories.make_post(slug="p", title_en="P", body_en=f"Here: {written}!")
    factories.make_post(slug="q", title_en="Q", body_en="Here: nothing.")
    factories.make_principle(slug="r", title_en="R", statement_en=f"Here: {written}!")
    first, second = (found(search(editor, typed)) for _ in range(2))

    assert first == second == {"Posts": ["P"], "Principles": ["R"]}


def test_every_kind_is_found_by_title(editor: Client) -> None:
    factories.make_app(name="Echo")
    factories.make_post(title_en="Echo")
    factories.make_topic(name_en="Echo")
    factories.make_principle(title_en="Echo")
    factories.make_entry(title_en="Echo")
    factories.make_tag(name_en="Echo")
    factories.make_page(title_en="Echo")
    factories.make_team_member(role_en="Echo")
    factories.make_statistic(label_en="Echo")
    factories.make_image(slug="echo")

    assert found(search(editor, "echo")).keys() == {
        *("Apps", "Images", "Pages", "Posts", "Principles", "Science topics"),
        *("Statistics", "Tags", "Team members", "Timeline"),
    }


def test_a_search_asks_as_often_however_many_rows_it_finds(editor: Client) -> None:
    def count_queries(rows: int) -> int:
        for number in range(rows):
            factories.make_image(slug=f"echo-{rows}-{number}")
            tag = factories.make_tag(slug=f"tag-{rows}-{number}", name_en="Echo")
            post = factories.make_post(slug=f"post-{rows}-{number}", title_en="Echo")
            post.tags.add(tag)
            Draft.objects.create(key=uuid4(), kind="tag", row=tag.pk, saved_at=timezone.now())
        search(editor, "echo")
        with CaptureQueriesContext(connection) as queries:
            found_now = found(search(editor, "echo"))
        assert len(found_now["Images"]) >= rows
        return len(queries)

    assert count_queries(1) == count_queries(2)


def test_a_title_has_the_words_in_any_order_and_a_text_as_they_stand(editor: Client) -> None:
    factories.make_post(slug="in-text", title_en="A", body_en="The red fox ran.")
    factories.make_post(slug="in-title", title_en="Fox, the red", publish_at=LONG_AGO)
    factories.make_post(slug="apart", title_en="B", body_en="The red. Then the fox.")

    assert found(search(editor, "red fox")) == {"Posts": ["Fox, the red", "A"]}


@pytest.mark.parametrize("means", ["form", "update", "sql", "delete"])
def test_a_post_is_found_as_it_is_now_by_whatever_means_it_was_changed(
    editor: Client, means: str
) -> None:
    post = factories.make_post(title_en="Old words")
    assert found(search(editor, "old words"))
    if means == "form":
        post.title_en = "New words"
        post.save()
    elif means == "update":
        Post.objects.update(title_en="New words")
    elif means == "sql":
        with connection.cursor() as cursor:
            cursor.execute("UPDATE catalogue_post SET title_en = 'New words'")
    else:
        Post.objects.all().delete()

    assert found(search(editor, "old words")) == {}
    assert found(search(editor, "new words")) == (
        {} if means == "delete" else {"Posts": ["New words"]}
    )


def test_the_texts_of_a_post_are_stored_once(editor: Client) -> None:
    factories.make_post()
    search(editor, "a post")
    [stored] = PostText.objects.values()
    PostText.objects.update(title="kept")
    search(editor, "a post")

    assert stored["title"] == "a post a-post"
    assert PostText.objects.get().title == "kept"


def test_the_first_results_of_a_list_are_of_the_rows_that_its_filters_leave(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_mirror.desk.search.MAX_POSTS", 2)
    factories.make_post(slug="title", title_en="Echo")
    factories.make_post(slug="draft", title_en="Draft", body_en="Echo.", state=State.DRAFT)
    for name in ("a", "b", "c"):
        factories.make_post(slug=name, title_en=name, body_en="Echo.")

    for state, titles in (("", {"Echo", "c"}), ("draft", {"Draft"})):
        page = editor.get(admin_address(Post, "changelist"), {"q": "ÉCHÒ", "state": state})
        assert {str(post) for post in page.context["cl"].result_list} == titles


def test_more_results_than_a_page_shows_are_in_the_list(editor: Client) -> None:
    for number in range(9):
        factories.make_app(slug=f"app-{number}", name=f"Echo {number}")
    page = search(editor, "echo")
    [titles] = found(page).values()

    assert len(titles) == 9
    assert titles[-1].startswith("Show all")
    link = LexborHTMLParser(page.content.decode()).css("section a")[-1].attributes["href"]
    assert link == f"{admin_address(App, 'changelist')}?q=echo"
    assert len(editor.get(link).context["cl"].result_list) == 9


def test_a_text_without_a_row_is_found(editor: Client) -> None:
    data = {"title_en": ["Đo sâu"], "body_en": ["A long echo."]}
    key = uuid4()
    Draft.objects.create(key=key, kind="post", data=data, saved_at=timezone.now())
    for typed in ("do sau", "long echo"):
        page = search(editor, typed)

        assert found(page) == {"Unfinished": ["Đo sâu"]}
    assert f"/admin/catalogue/post/add/?draft={key}" in page.content.decode()


def test_a_link_is_offered_the_public_pages_with_the_words_in_their_titles(
    editor: Client,
) -> None:
    factories.make_translated_post(slug="tides", title_en="Tides", title_vi="Thủy triều Đà Nẵng")
    factories.make_post(slug="draft", title_en="Tides in a draft", state=State.DRAFT)
    factories.make_post(slug="body", title_en="Waves", body_en="The tides of Da Nang.")
    factories.make_page(slug="science")
    factories.make_topic(slug="tidal", name_en="Tides of the sea")
    factories.make_tag(slug="tides", name_en="Tides")

    def offered(typed: str, language: str = "en") -> dict[str, str]:
        answer = editor.get(str(ADDRESSES), {"q": typed, "language": language}).json()
        return {each["address"]: each["title"] for each in answer["found"]}

    assert offered("TIDES") == {"/blog/tides": "Tides", "/science#tidal": "Tides of the sea"}
    assert offered("da nang", "vi") == {"/vi/blog/tides": "Thủy triều Đà Nẵng"}
    assert offered("sea", "vi") == {"/science#tidal": "Tides of the sea"}
    assert offered(" ") == {}


def test_nobody_finds_what_he_may_not_see(client: Client) -> None:
    reader = User.objects.create_user("an", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_app"))
    client.force_login(reader)
    factories.make_post(title_en="Echo")
    factories.make_app(name="Echo")
    Draft.objects.create(
        key=uuid4(), kind="post", data={"title_en": ["Echo"]}, saved_at=timezone.now()
    )

    assert found(search(client, "echo")) == {"Apps": ["Echo"]}
    client.logout()
    assert search(client, "echo").status_code == 302


@pytest.mark.parametrize("typed", ["", " ", "\u0301", "\0", "%", "_", "x" * 5000])
def test_a_search_for_nothing_finds_nothing(editor: Client, typed: str) -> None:
    factories.make_post()
    page = search(editor, typed)

    assert (page.status_code, found(page)) == (200, {})
    assert b'class="desk-empty"' in page.content
