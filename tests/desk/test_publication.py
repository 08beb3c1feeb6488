"""A freeze publishes every row that a form of the admin accepts."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.db import transaction
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client

from api.contract import API_VERSION
from catalogue.models import ApiVersion, TeamMember
from tests.admin_pages import admin_address, form_address, form_data, model_label, save_form
from tests.freeze import commands, processes
from tests.gates.conftest import released, site

__all__ = ["released", "site"]

admin.autodiscover()
MODELS = sorted(
    (model for model in admin.site._registry if model._meta.app_label == "catalogue"),
    key=model_label,
)
OTHERS = pytest.mark.exhaustive("freezes the site for every field of every form")
VALUES = ("", "changed-2", "2025-02-11", "9.9.9")
"""Texts that some field of each kind accepts; an empty one is a part that is taken away."""


def expect_publication(site: Path, act: Callable[[], HttpResponse]) -> bool:
    """Do what an editor does, freeze if it was accepted, and take it back."""
    with transaction.atomic():
        accepted = act().status_code == 302
        if accepted:
            done = commands.freeze(str(site), "--jobs=1", "--check")
            assert done.returncode in (processes.PUBLISHED, processes.UNCHANGED), done.stderr
        transaction.set_rollback(True)
    return accepted


def list_edits(data: dict[str, Any]) -> Iterator[dict[str, str]]:
    for name, value in data.items():
        if not name.endswith(("_FORMS", "-id")):
            yield from ({name: each} for each in VALUES if each != value)


@pytest.mark.parametrize(
    "model",
    [pytest.param(each, marks=() if each is ApiVersion else OTHERS) for each in MODELS],
    ids=model_label,
)
def test_what_a_form_accepts_can_be_published(
    site: Path, admin_client: Client, model: type[Model]
) -> None:
    """An edit of any field, and the end of any row."""
    row = model._default_manager.first()
    assert row
    address = form_address(row)
    data = form_data(admin_client.get(address))
    accepted = [
        edit
        for edit in list_edits(data)
        if expect_publication(site, partial(admin_client.post, address, data | edit))
    ]
    for each in model._default_manager.all():
        address, delete = form_address(each), admin_address(model, "delete", each.pk)
        withdraw = form_data(admin_client.get(address)) | {"_withdraw": "1"}
        expect_publication(site, partial(admin_client.post, delete, {"post": "yes"}))
        expect_publication(site, partial(admin_client.post, address, withdraw))

    assert accepted


def test_another_short_name_of_an_author_can_be_published(site: Path, admin_client: Client) -> None:
    """Articles link to the place of their author on another page."""
    author = TeamMember.objects.filter(posts__isnull=False).first()
    assert author
    address = form_address(author)
    data = form_data(admin_client.get(address)) | {"handle": "changed-2"}

    assert expect_publication(site, partial(admin_client.post, address, data))


def test_a_version_that_this_program_does_not_serve_is_refused(
    site: Path, admin_client: Client
) -> None:
    version = ApiVersion.objects.get()
    page = save_form(admin_client, version, api_version="9.9.9")

    assert f"This program serves {API_VERSION}" in page.context["faults"][0]["text"]
    ApiVersion.objects.update(api_version="9.9.9")  # As after a restore of another backup.
    assert save_form(admin_client, version, released="2025-01-01").status_code == 302
    assert save_form(admin_client, version, api_version=API_VERSION).status_code == 302
