"""The lists of the admin: their columns, their filters, and what they cost."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from selectolax.lexbor import LexborHTMLParser

from catalogue.models import Page, Post, State, Tag
from site_mirror.desk.models import HistoryEntry
from site_mirror.desk.roles import EDITOR
from tests import factories
from tests.admin_pages import admin_address, save_form
from tests.desk.people import make_person

pytestmark = pytest.mark.django_db

LAST_YEAR = datetime(2025, 3, 1, 2, tzinfo=UTC)
LATER = {"publish_at": datetime(2999, 1, 1, tzinfo=UTC)}
VIETNAMESE = {"title_vi": "Bản đồ", "excerpt_vi": "Một.", "body_vi": "Hai."}
STATES: dict[str, dict[str, Any]] = {
    "Draft": {"state": State.DRAFT},
    "Scheduled": LATER,
    "Published": {"publish_at": LAST_YEAR, **VIETNAMESE},
}
MAX_QUERIES = 15
MAX_BYTES = 200_000
MANY_WORDS = "A word of an article. " * 500


def texts(page: HttpResponse, selector: str) -> list[str]:
    found = LexborHTMLParser(page.content.decode()).css(selector)
    return [" ".join(each.text().split()) for each in found]


def cells(page: HttpResponse, column: str) -> list[str]:
    """Return the texts of a column, from the first row to the last."""
    return texts(page, f"tbody .field-{column}")


@pytest.fixture
def posts() -> None:
    for number, (title, changes) in enumerate(STATES.items()):
        factories.make_post(slug=f"post-{number}", title_en=title, **changes)


@pytest.mark.usefixtures("posts")
def test_a_row_shows_its_state_its_languages_and_who_changed_it_last(editor: Client) -> None:
    for name in ("an", "lan"):
        editor.force_login(User.objects.create_superuser(name, first_name=name.title()))
        save_form(editor, Post.objects.get(slug="post-2"), excerpt_en=f"By {name}.")
    page = editor.get(admin_address(Post, "changelist"))
    states = dict(zip(cells(page, "title"), cells(page, "stage"), strict=True))
    published = cells(page, "title").index("Published Bản đồ")

    assert states == {title + " Bản đồ" * (title == "Published"): title for title in STATES}
    assert sorted(cells(page, "languages")) == ["EN", "EN", "EN VI"]
    assert cells(page, "languages")[published] == "EN VI"
    assert cells(page, "appears")[published] == "1 Mar 2025, 09:00"
    assert cells(page, "changed")[published].startswith("Lan ")
    assert sum(map(bool, cells(page, "changed"))) == 1


@pytest.mark.usefixtures("posts")
@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("?languages=both", ["Published Bản đồ"]),
        ("?languages=en&state=draft", ["Draft"]),
        ("?languages=both&state=draft", []),
    ],
)
def test_a_filter_is_in_the_address(editor: Client, query: str, titles: list[str]) -> None:
    page = editor.get(admin_address(Post, "changelist") + query)

    assert cells(page, "title") == titles
    tabs = ["All 3", "Draft 1", "In review 0", "Scheduled 1", "Changed 0", "Published 1"]
    assert texts(page, ".desk-tabs a") == tabs


def test_a_list_costs_little_and_the_same_for_any_number_of_rows(client: Client) -> None:
    app, tag = factories.make_app(), factories.make_tag()
    author = make_person(EDITOR)
    client.force_login(author)

    def cost(query: str) -> tuple[int, int]:
        address = admin_address(Post, "changelist") + query
        client.get(address)  # The first search reads the texts that are new.
        with CaptureQueriesContext(connection) as queries:
            page = client.get(address)
        assert not any(MANY_WORDS in str(query) for query in queries)
        assert "body_en" not in "".join(query["sql"] for query in queries)
        # The save of a session is a savepoint in the transaction of a test.
        asked = [query for query in queries if "SAVEPOINT" not in query["sql"]]
        return len(asked), len(page.content)

    def add_posts(numbers: range) -> None:
        for number in numbers:
            post = factories.make_post(
                slug=f"post-{number}",
                title_en="A title as long as titles of articles are " * 3,
                app=app,
                **VIETNAMESE | {"body_en": MANY_WORDS, "body_vi": MANY_WORDS},
            )
            post.tags.add(tag)
            HistoryEntry.objects.create(
                kind="post", row=post.pk, author=author, data={}, made_at=timezone.now()
            )

    add_posts(range(2))
    few = [cost(query)[0] for query in ("", "?q=word")]
    add_posts(range(2, 60))
    many, sizes = zip(*map(cost, ("", "?q=word")), strict=True)

    assert few == [*many]
    assert max(many) <= MAX_QUERIES
    assert max(sizes) <= MAX_BYTES


def test_a_list_has_50_rows_on_a_page(editor: Client) -> None:
    for number in range(51):
        factories.make_post(slug=f"post-{number}")
    first, second = (
        editor.get(admin_address(Post, "changelist") + query) for query in ("", "?p=2")
    )

    assert [len(cells(page, "title")) for page in (first, second)] == [50, 1]
    assert "1 to 50 of 51" in first.content.decode()


def test_pages_and_tags_are_listed_with_their_addresses(editor: Client) -> None:
    factories.make_page(slug="privacy", title_en="Privacy")
    factories.make_tag(slug="maps")

    assert cells(editor.get(admin_address(Page, "changelist")), "address") == ["/privacy"]
    assert cells(editor.get(admin_address(Tag, "changelist")), "address") == ["/blog/tags/maps"]
