"""The pictures of the pages of apps, posts and topics, which are drawn when a row is saved.

The receivers are in `site_mirror.apps`, because the imports of this module take long.
"""

from typing import Any

from django.db import connections
from django.utils.translation import gettext, override

from catalogue import questions
from catalogue.models import App, Post, Tag
from catalogue.texts.localized import LANGUAGES, text_in
from catalogue.triggers.installing import is_schema_current
from site_mirror.documents.digests import digest
from site_mirror.sharing.drawing import Card, draw_card


def draw(row: Any) -> None:
    """Draw the pictures of a row that show something else than before."""
    pictures = row.sharing_pictures
    known = dict(pictures.values_list("language", "digest"))
    for language in LANGUAGES:
        card = card_of(row, language)
        shown = digest(card)
        if card and known.get(language) == shown:
            continue
        if png := card and draw_card(card):
            values = {"digest": shown, "png": png}
            pictures.update_or_create(language=language, defaults=values)
        elif language in known:
            pictures.filter(language=language).delete()


def card_of(row: Any, language: str) -> Card | None:
    """Return what the picture of a row shows; `None` if it has no page in a language."""
    with override(language):
        if isinstance(row, Post):
            title = text_in(row, "title", language)
            return Card(gettext("Article"), title) if title else None
        if isinstance(row, Tag):
            return Card(gettext("Topic"), text_in(row, "name", language) or row.name_en)
        if text_in(row, "description", language):
            return Card(gettext("App"), row.name, text_in(row, "tagline", language), row.icon_svg)
    return None


def draw_missing(using: str) -> None:
    """Draw the pictures of rows that an older program has saved."""
    if is_schema_current(connections[using]):
        for model in (App, Post, Tag):
            rows = questions.with_pictures(model._default_manager.using(using))
            for row in rows.exclude(**dict.fromkeys(questions.HAS_PICTURE, True)).iterator():
                draw(row)
