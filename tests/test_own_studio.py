"""A studio of one's own, from an empty database to a release, as `docs/start.md` describes it."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import models
from django.test import Client

from catalogue.models import App, Page, Post, Studio
from tests.admin_pages import admin_address, form_data, form_errors
from tests.freeze.commands import freeze

STUDIO = {
    "name": "Northlight",
    "tagline_en": "Apps for long evenings",
    "description_en": "Two people in Tromsø make apps for dark winters.",
    "founded": "2024",
    "country": "NO",
    "country_name": "Norway",
    "email": "hello@northlight.example",
    "languages": "en",
    "security_contact": "mailto:security@northlight.example",
}
PAGES = (
    {"slug": "privacy", "title_en": "Privacy", "body_en": "We keep nothing."},
    {"slug": "home", "title_en": "Northlight", "body_en": "See [privacy](/privacy)."},
)
PUBLISHED = {"state": "published", "publish_at_0": "2026-03-01", "publish_at_1": "09:00:00"}
APP = {
    "slug": "aurora",
    "name": "Aurora",
    "category": "education",
    "tagline_en": "When the sky lights up",
    "description_en": "It says when to go outside.",
    "on_android": "on",
    "status": "live",
    "since": "2025",
    **PUBLISHED,
}
POST = {
    "slug": "why-green",
    "title_en": "Why it is green",
    "excerpt_en": "Oxygen shines at 557.7 nm.",
    "body_en": "At 100 km oxygen atoms are far apart.",
    "tags": [],
    **PUBLISHED,
}


def add_row(editor: Client, model: type[models.Model], typed: dict[str, Any]) -> None:
    """Open the empty form, fill it in and save it."""
    address = admin_address(model, "add")
    answer = editor.post(address, form_data(editor.get(address)) | typed)

    assert answer.status_code == 302, form_errors(answer)


def test_an_empty_database_becomes_the_release_of_an_own_studio(
    admin_client: Client, tmp_path: Path
) -> None:
    refused = freeze(str(tmp_path / "site"))
    assert (refused.returncode, "docs/start.md" in refused.stderr) == (1, True)

    call_command("load_content", api_only=True)
    add_row(admin_client, Studio, STUDIO)
    for page in PAGES:
        add_row(admin_client, Page, page)
    add_row(admin_client, App, APP)
    add_row(admin_client, Post, POST)
    call_command("load_content")

    assert freeze(str(tmp_path / "site")).stderr == ""
    public = tmp_path / "site/current/public"
    texts = {path: path.read_bytes().lower() for path in public.rglob("*") if path.is_file()}
    assert [str(path) for path, text in texts.items() if b"plumbline" in text] == []
    assert b"northlight" in texts[public / "index.html"]
    assert b"northlight, cc by 4.0" in texts[public / "docs/licence.md"]
    assert (public / "api/v1/apps/aurora.json").is_file()
    assert (public / "blog/why-green.md").is_file()
