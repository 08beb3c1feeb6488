"""Standing pages: pages at fixed addresses with a text of the editors, and perhaps more blocks."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import STANDING_PAGES
from catalogue.models import Page as Row
from catalogue.models import Studio
from catalogue.texts.localized import text_in
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages.blocks import Block, EditorText
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.structured import describe_studio
from site_mirror.pages.texts import has_text


class PageOfRows(Struct, frozen=True):
    """The subject of a standing page that shows rows below the editors' text."""

    page: Row
    rows: Sequence[Any]


def summarize_page(frame: Frame, row: Row) -> PageSummary:
    return frame.summarize(
        STANDING_PAGES[row.slug],
        text_in(row, "title", frame.language),
        text_in(row, "summary", frame.language),
        has_twin=has_text(row, "body", frame.other_language),
    )


def compose_standing(
    frame: Frame,
    row: Row,
    blocks: Sequence[Block] = (),
    *,
    style: str = "text",
    studio: Studio | None = None,
    text_last: bool = False,
) -> PageContent:
    """Return a standing page: the editors' text and other blocks, which `text_last` puts first."""
    text = text_in(row, "body", frame.language).replace(addresses.STUDIO_PLACEHOLDER, frame.studio)
    editors = EditorText(text, "text_" if blocks else "", row.shown_images)
    return PageContent(
        page_summary=summarize_page(frame, row),
        style=style,
        blocks=[*blocks, editors] if text_last else [editors, *blocks],
        trail=() if row.slug == "home" else (frame.home,),
        data=[describe_studio(frame, studio)] if studio else [],
    )
