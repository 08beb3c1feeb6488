"""Apps and posts have the moment of their last edit, however they are edited."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core import serializers
from django.core.management import call_command
from django.utils import timezone

from catalogue import questions
from catalogue.models import App, Post, Revision, State
from site_mirror.registry.contexts import context_at
from tests import factories
from tests.catalogue import write_operations
from tests.factories import FACTORIES
from tests.freeze import sites
from tests.freeze.live_requests import ask
from tests.pages.page_reader import SITE, render_documents

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

DATED = pytest.mark.parametrize("model", [App, Post], ids=lambda model: model.__name__)
CHANGING = [write_operations.save_changed, write_operations.queryset_update]
LONG_AGO = datetime(2026, 2, 1, tzinfo=UTC)
EDITS_SHOWN = ("/blog/older", "/blog/feed.xml", "/blog/feed.json", "/sitemap.xml")


@pytest.mark.parametrize("way", CHANGING, ids=lambda way: way.__name__)
@DATED
def test_every_way_of_editing_dates_the_row(
    model: Any, way: Callable[[Any], write_operations.Write]
) -> None:
    write = way(model)
    before = model.objects.get()
    write()
    after = model.objects.get()

    assert (before.edited_at, before.changed_at) == (None, factories.PAST)
    assert abs(timezone.now() - after.edited_at) < timedelta(hours=1)
    assert after.changed_at == after.edited_at
    model.objects.update(publish_at=timezone.now() + timedelta(days=1))
    assert model.objects.get().changed_at == model.objects.get().publish_at, "not yet seen"


@DATED
def test_a_write_without_an_edit_keeps_the_moment_of_the_last_edit(
    model: Any, tmp_path: Path
) -> None:
    row = FACTORIES[model]()
    row.state = State.DRAFT
    row.save()
    row.state, row.publish_at = State.PUBLISHED, LONG_AGO
    row.save()
    App.objects.update(position=7)
    assert (model.objects.get().edited_at, model.objects.get().changed_at) == (None, LONG_AGO)

    model.objects.update(slug="renamed")
    edited = model.objects.get().edited_at
    row.slug = "renamed"
    row.save()
    assert row.edited_at is None, "it was read before"
    assert model.objects.get().edited_at == edited is not None

    file = tmp_path / "rows.json"
    file.write_text(serializers.serialize("json", model.objects.all()))
    model.objects.all().delete()
    call_command("loaddata", str(file), verbosity=0)
    restored = edited.replace(microsecond=edited.microsecond // 1000 * 1000)
    assert model.objects.get().edited_at == restored


def test_no_document_shows_an_edit_of_a_clock_that_was_ahead() -> None:
    """Until its moment, which is due like that of a scheduled row."""
    sites.make_site()
    ahead = timezone.now().replace(microsecond=0) + timedelta(days=4000)
    for model in (App, Post):
        model.objects.update(edited_at=ahead)
    Revision.objects.update(public_changed_at=ahead)

    assert find_naming(ahead.year) == set()
    assert "Last-Modified" not in ask("/blog/older")
    assert questions.next_due(timezone.now()) == ahead
    with time_machine.travel(ahead + timedelta(seconds=1)):
        assert {*EDITS_SHOWN} <= find_naming(ahead.year)


def find_naming(year: int) -> set[str]:
    """Return the addresses of the documents in which a year is found."""
    documents = render_documents(context_at(SITE, timezone.now()))
    return {each.address for each in documents if b"%d-" % year in bytes(each.body())}
