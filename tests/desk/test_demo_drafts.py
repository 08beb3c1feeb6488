"""`demo_drafts`, which `make run` starts each time, adds texts that no reader sees."""

from datetime import datetime
from itertools import chain
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.core.management import call_command
from django.http import HttpRequest
from django.utils import timezone

from catalogue.addresses import Site
from catalogue.models import Post
from catalogue.shipped import load_fixtures
from site_mirror.desk.forms import bind_forms, with_data
from site_mirror.desk.models import Draft
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES
from tests.desk.people import make_person


def read_site(at: datetime) -> dict[str, Any]:
    context = context_at(Site(settings.SITE_ROOT), at)
    documents = chain.from_iterable(family.documents(context) for family in FAMILIES)
    return {document.address: (document.headers, document.content) for document in documents}


@pytest.mark.django_db
def test_demo_drafts_are_valid_are_added_once_and_no_reader_sees_them() -> None:
    call_command("demo_drafts")
    assert not Draft.objects.exists()
    load_fixtures()
    call_command("demo_people")
    at = timezone.now()
    before = read_site(at)
    call_command("demo_drafts")
    call_command("demo_drafts")

    assert read_site(at) == before
    kinds = {(bool(draft.row), draft.in_review, bool(draft.note)) for draft in Draft.objects.all()}
    assert kinds == {(False, False, False), (True, False, False), (False, True, True)}
    assert Draft.objects.count() == 3
    assert Post.objects.order_by("-publish_at")[0].slug == "a-year-of-walking-without-a-signal"
    request: Any = HttpRequest()
    request.user = make_person("Editor", "an")
    for draft in Draft.objects.all():
        row = Post.objects.filter(pk=draft.row).first() if draft.row else None
        forms = bind_forms(admin.site.get_model_admin(Post), with_data(request, draft.data), row)
        assert forms.are_valid(), forms.form.errors
