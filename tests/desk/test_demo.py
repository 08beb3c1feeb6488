"""`demo`, which `make run` starts each time: accounts that work, and texts that no reader sees."""

from datetime import datetime
from io import StringIO
from itertools import chain
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpRequest
from django.utils import timezone
from pytest_django import Settings

from catalogue.addresses import Site
from catalogue.models import Post
from catalogue.shipped import load_fixtures
from site_mirror.desk.forms import bind_forms, with_data
from site_mirror.desk.models import Draft
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES
from tests.desk.people import make_person

pytestmark = pytest.mark.django_db


def print_people() -> dict[str, str]:
    out = StringIO()
    call_command("demo", stdout=out)
    lines = out.getvalue().splitlines()
    return dict(line.split(maxsplit=1) for line in lines[1:])


def test_each_role_has_an_account_whose_password_is_printed_again(settings: Settings) -> None:
    printed = print_people()

    assert [*printed] == ["writer", "editor", "administrator"]
    assert len({*printed.values()}) == 3
    for name, password in printed.items():
        user = User.objects.get(username=name)
        assert user.check_password(password)
        assert (user.is_staff, user.is_superuser) == (True, False)
        assert [group.name.lower() for group in user.groups.all()] == [name]
    assert print_people() == printed
    settings.SECRET_KEY = "another key, as long as a key must be"  # noqa: S105
    assert {*print_people().values()} == {"one of your own"}


def test_a_changed_password_and_a_changed_role_stay() -> None:
    print_people()
    writer = User.objects.get(username="writer")
    writer.set_password("tám quả dọi")
    writer.save()
    writer.groups.clear()

    assert print_people()["writer"] == "one of your own"
    writer.refresh_from_db()
    assert writer.check_password("tám quả dọi")
    assert not writer.groups.exists()


def read_site(at: datetime) -> dict[str, Any]:
    context = context_at(Site(site_settings.SITE_ROOT), at)
    documents = chain.from_iterable(family.documents(context) for family in FAMILIES)
    return {document.address: (document.headers, document.content) for document in documents}


def test_drafts_are_valid_are_added_once_and_no_reader_sees_them() -> None:
    print_people()
    assert not Draft.objects.exists()
    load_fixtures()
    at = timezone.now()
    before = read_site(at)
    print_people()
    print_people()

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
