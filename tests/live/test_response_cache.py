"""The cache of responses answers as Django does, forgets at every change, and stays small."""

import gc
import threading
import tracemalloc
from datetime import datetime, timedelta
from itertools import product

import pytest
from django.core.cache import cache as counts
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from api.contract import BUDGET
from api.schema import openapi_description
from catalogue import addresses
from catalogue.models import App, Post, Revision
from catalogue.triggers.sql import expected_triggers
from site_mirror.live.content_state import read_state
from site_mirror.live.response_cache import ENTRY_BYTES, Entries, KeptResponse, ResponseCache
from tests import factories
from tests.api.wsgi_client import Answer, call_application
from tests.freeze import sites
from tests.live.response_caches import OLD_DATE, Content, Counting, make_response_cache
from tests.revisions import date_changes

ADDRESSES = (
    "/api/v1/apps",
    "/about",
    "/about.md",
    "/blog/feed.xml",
    "/api/v1/apps/nope",
    "/nope",
    "/about/",
)
CONDITIONS: tuple[dict[str, str], ...] = (
    {},
    {"HTTP_IF_NONE_MATCH": "{tag}"},
    {"HTTP_IF_NONE_MATCH": "W/{tag}"},
    {"HTTP_IF_NONE_MATCH": '"other"'},
    {"HTTP_IF_NONE_MATCH": '"other", {tag}'},
    {"HTTP_IF_NONE_MATCH": "*"},
    {"HTTP_IF_NONE_MATCH": ""},
    {"HTTP_IF_MODIFIED_SINCE": "{date}"},
    {"HTTP_IF_MODIFIED_SINCE": OLD_DATE},
    {"HTTP_IF_MODIFIED_SINCE": "yesterday"},
    {"HTTP_IF_NONE_MATCH": '"other"', "HTTP_IF_MODIFIED_SINCE": "{date}"},
    {"HTTP_IF_NONE_MATCH": '"no,tag"', "HTTP_IF_MODIFIED_SINCE": "{date}"},
    {"HTTP_IF_MATCH": "{tag}"},
    {"HTTP_IF_MATCH": '"other"'},
    {"HTTP_IF_UNMODIFIED_SINCE": OLD_DATE},
    {"HTTP_RANGE": "bytes=0-3"},
)
FORMS: tuple[dict[str, str], ...] = (
    *({"HTTP_ACCEPT_ENCODING": coding} for coding in ("gzip", "br", "br;q=0.1, gzip", "zstd")),
    *({"HTTP_ACCEPT": accept} for accept in ("text/markdown", "image/png", "text/html, */*")),
    {"QUERY_STRING": "utm_source=mail"},
    *({"HTTP_HOST": host} for host in ("studio.example:81", "evil.example", "127.0.0.1")),
)


def ask(cache: ResponseCache | None, path: str, method: str = "GET", **environ: str) -> Answer:
    counts.clear()
    return call_application(method, path, cache, **environ)


WITHOUT_A_DATE = timezone.now() + timedelta(days=1)


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        *((path, factories.PAST) for path in ADDRESSES),
        *((path, WITHOUT_A_DATE) for path in ADDRESSES[:2]),
    ],
)
def test_a_kept_response_is_the_one_of_django(db: None, path: str, changed: datetime) -> None:
    sites.make_site()
    date_changes(changed)
    cache = make_response_cache()
    first = ask(None, path)
    tag, date = first.headers.get("etag", '"none"'), first.headers.get("last-modified", OLD_DATE)
    conditions = [
        {name: text.replace("{tag}", tag).replace("{date}", date) for name, text in each.items()}
        for each in CONDITIONS
    ]
    for method, environ in product(("GET", "HEAD", "OPTIONS", "POST"), (*conditions, *FORMS)):
        expected = ask(None, path, method, **environ)
        for _ in ("rendered", "kept"):
            found = ask(cache, path, method, **environ)
            assert found == expected, (method, environ)
            assert [*found.headers] == [*expected.headers]


def test_a_state_that_cannot_be_read_is_not_trusted() -> None:
    from django.db import OperationalError

    content = Content()
    application = Counting(content)
    cache = make_response_cache(application, content)
    ask(cache, "/a")
    cache.read_state = lambda known: (_ for _ in ()).throw(OperationalError("gone"))
    cache.read()
    ask(cache, "/a")
    ask(cache, "/a")

    assert application.paths == ["/a"] * 3


def test_a_response_of_another_state_is_not_kept() -> None:
    content = Content()
    application = Counting(content)
    cache = make_response_cache(application, content)
    application.may_end.clear()
    thread = threading.Thread(target=ask, args=(cache, "/a"))
    thread.start()
    application.begun.wait(30)
    content.revision = 2
    cache.read()
    application.may_end.set()
    thread.join()

    assert ask(cache, "/a").body.strip() == b"2"


def test_the_least_recently_used_leaves_first() -> None:
    content = Content()
    application = Counting(content, size=100_000)
    cache = make_response_cache(application, content, budget=1_000_000)
    for number in range(30):
        ask(cache, f"/{number}")
        ask(cache, "/0")
    generation = cache.generation
    assert generation is not None
    assert 890_000 < generation.documents.used <= 1_000_000
    asked = len(application.paths)

    ask(cache, "/0")
    ask(cache, "/29")
    assert len(application.paths) == asked
    ask(cache, "/1")
    assert len(application.paths) == asked + 1


@pytest.mark.parametrize(
    ("path", "environ", "status"),
    [
        ("/a", {"HTTP_IF_NONE_MATCH": '"old", W/"a"'}, 304),
        ("/a", {"HTTP_IF_NONE_MATCH": "*"}, 304),
        ("/a", {"QUERY_STRING": "utm_source=mail"}, 200),
        ("/missing", {"QUERY_STRING": "utm_source=mail"}, 404),
    ],
)
def test_a_warm_request_asks_django_nothing(
    path: str, environ: dict[str, str], status: int
) -> None:
    application = Counting(content := Content())
    cache = make_response_cache(application, content)
    first = ask(cache, path, **environ)

    assert (ask(cache, path, **environ), first.status) == (first, status)
    assert application.paths == [path]


def test_a_response_that_replaces_another_is_counted_once() -> None:
    entries, entry = Entries(100_000), KeptResponse("200 OK", [], b"a" * 1000)
    for _ in range(20):
        entries.put(("/", ""), entry)
    assert entries.used == 1000 + ENTRY_BYTES


def test_unknown_addresses_leave_the_documents() -> None:
    content = Content()
    application = Counting(content)
    cache = make_response_cache(application, content, budget=1_000_000)
    ask(cache, "/a")
    for number in range(1000):
        ask(cache, f"/missing/{number}")
    asked = len(application.paths)
    ask(cache, "/a")

    assert len(application.paths) == asked
    assert cache.generation is not None
    documents, others = cache.generation.documents, cache.generation.others
    assert others.used <= others.budget
    assert documents.budget + others.budget == 1_000_000


@pytest.mark.parametrize("path", ["/api/v1/apps/none-{}", f"/{{}}/{'a' * 15_000}/"])
def test_kept_errors_occupy_no_more_memory_than_is_counted(db: None, path: str) -> None:
    cache = make_response_cache()
    tracemalloc.start()
    try:
        for number in range(150):
            if number == 50:  # The first requests import and compile.
                tracemalloc.clear_traces()
            ask(cache, path.format(number))
        gc.collect()
        occupied, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert cache.generation is not None
    assert occupied < cache.generation.others.used + 300_000


def test_a_kept_response_counts_in_the_budget(db: None) -> None:
    sites.make_site()
    cache = make_response_cache()
    counts.clear()
    answers = [call_application("GET", "/api/v1/apps", cache) for _ in range(BUDGET.requests)]
    over = call_application("GET", "/api/v1/apps", cache)
    page = call_application("GET", "/about", cache)

    assert {answer.status for answer in answers} == {200}
    assert (over.status, page.status) == (429, 200)


def test_a_state_ends_when_its_date_may_be_sent_and_when_content_falls_due(db: None) -> None:
    sites.make_site()
    now = timezone.now()
    date_changes(now)
    changed = Revision.objects.get().public_changed_at
    assert read_state(None).until == (changed + timedelta(seconds=1)).timestamp()

    date_changes(factories.PAST)
    due = now + timedelta(hours=1)
    factories.make_post(slug="scheduled", publish_at=due)
    date_changes(factories.PAST)
    state = read_state(None)
    assert state.until == due.timestamp()
    assert read_state(state) is state
    before_the_clock_was_set_back = state._replace(since=now.timestamp() + 60)
    assert read_state(before_the_clock_was_set_back).since < now.timestamp() + 60

    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {expected_triggers(connection.vendor)[0].name}")
    assert read_state(state).until == 0.0


def test_the_examples_of_the_api_are_read_before_an_edit_is_shown(
    db: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    sites.make_site()
    state = read_state(None)
    App.objects.update(name="Renamed")
    state = read_state(state)

    with django_assert_max_num_queries(1):  # The date of the last change.
        document = openapi_description(timezone.now())
    assert "Renamed" in str(document)


@pytest.mark.parametrize("limit", [1, 2])
def test_the_text_of_few_pages_is_joined_before_an_edit_is_shown(
    db: None, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr("site_mirror.live.content_state.MAX_PREPARED_POSTS", limit)
    sites.make_site()
    state = read_state(None)
    Post.objects.filter(slug="newer").update(title_en="Renamed")
    read_state(state)

    with CaptureQueriesContext(connection) as queries:
        text = ask(None, "/llms-full.txt").body.decode()
    assert "Renamed" in text
    assert (len(queries) < 10) == (limit == 2)


def test_documents_are_not_kept_while_triggers_are_missing(db: None) -> None:
    sites.make_site()
    for path in (addresses.OPENAPI, addresses.LLMS_FULL):
        ask(None, path)
    with connection.cursor() as cursor:
        for trigger in expected_triggers(connection.vendor):
            cursor.execute(f"DROP TRIGGER {trigger.name}")
    App.objects.update(name="Renamed")
    read_state(None)

    for path in (addresses.OPENAPI, addresses.LLMS_FULL):
        assert b"Renamed" in ask(None, path).body


def test_a_fault_in_the_examples_does_not_stop_the_reading(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sites.make_site()
    state = read_state(None)
    App.objects.update(name="Renamed")
    monkeypatch.delattr("api.examples.example_bodies")

    assert read_state(state).revision != state.revision
