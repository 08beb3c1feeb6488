"""The number of queries does not depend on the number of rows: of no document, and of no freeze."""

import re
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.models import App, Post, Tag
from site_mirror.documents import sources
from tests import factories
from tests.api.full_content import ANNOUNCEMENT
from tests.freeze import sites, target_files
from tests.freeze.live_requests import ask

STATISTICS = ("instruments", "audio-sample-rate", "tracking-sdks")


def make_rows(number: int) -> None:
    """Make rows of each model that may have many, with two related rows of each kind."""
    apps = [factories.make_translated_app(slug=f"{each}-{number}") for each in ("app", "old")]
    App.objects.filter(pk=apps[1].pk).update(slug=f"new-{number}")
    for slug in (f"post-{number}", f"old-{number}"):
        at = factories.PAST + timedelta(hours=number)
        factories.make_translated_post(slug=slug, app=apps[0], publish_at=at).tags.set(
            Tag.objects.all()
        )
    Post.objects.filter(slug=f"old-{number}").update(slug=f"new-{number}")
    topic = factories.make_topic(slug=f"topic-{number}")
    topic.apps.set(apps)
    entry = factories.make_entry(slug=f"entry-{number}")
    for name in ("blog", "apps"):
        factories.make_symbol(topic, symbol=name)
        factories.make_link(entry, href=f"/{name}")
    for slug in STATISTICS[number : number + 1]:
        factories.make_statistic(slug=slug)
    factories.make_version(version=f"v{number + 2}", status="deprecated", **ANNOUNCEMENT)
    factories.make_principle(slug=f"principle-{number}")
    factories.make_team_member(handle=f"member-{number}")


def count_queries_of_freeze(target: Path) -> int:
    with CaptureQueriesContext(connection) as captured:
        sites.freeze_into(target, jobs=1)
    return len(captured)


def count_queries_of_pages(addresses: Iterable[str]) -> dict[str, int]:
    """Count the queries of second requests, because values of a moment are kept."""
    counted = {}
    for address in addresses:
        ask(address)
        with CaptureQueriesContext(connection) as captured:
            assert ask(address).status_code == 200
        counted[address] = len(captured)
    return counted


def test_a_freeze_and_a_page_need_as_many_queries_for_one_row_as_for_four(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MEAN_ROWS_IN_GROUP", 1_000_000)  # one group of posts
    factories.make_studio()
    factories.make_version()
    for slug in ("light", "sound"):  # a freeze asks once for the posts of each tag
        factories.make_tag(slug=slug)
    sites.make_pages()
    make_rows(0)
    frozen = count_queries_of_freeze(tmp_path / "one")
    entries = target_files.read_entries(tmp_path / "one")
    skipped = re.compile(r".*/docs/|.*\.md$")
    pages = [each for each in entries if not skipped.match(each)]
    asked = count_queries_of_pages(pages)
    assert asked["/openapi.json"] == 2
    assert max(asked[each] for each in pages if each.startswith("/api/")) <= 5
    for number in (1, 2, 3):
        make_rows(number)

    assert count_queries_of_freeze(tmp_path / "four") == frozen
    assert count_queries_of_pages(pages) == asked
