"""Pages whose text is an editor's: the standing pages, and the openings of the others."""

from collections.abc import Sequence

from catalogue import addresses
from catalogue.addresses import STANDING_PAGES
from catalogue.localized import in_language
from catalogue.models import Page as Row
from site_mirror.listing import Listed
from site_mirror.pages import structured
from site_mirror.pages.blocks import Block, Link, Prose
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page
from site_mirror.pages.structured import Thing
from site_mirror.pages.texts import written


def listed(frame: Frame, row: Row) -> Listed:
    address = STANDING_PAGES[row.slug]
    return Listed(
        address=frame.here(address),
        language=frame.language,
        title=in_language(row, "title", frame.language),
        summary=in_language(row, "summary", frame.language),
        twin=frame.twin(address) if written(row, "body", frame.other) else None,
    )


def standing(
    frame: Frame,
    row: Row,
    blocks: Sequence[Block] = (),
    *,
    style: str = "text",
    data: Sequence[Thing] = (),
) -> Page:
    """The text of a standing page, and below it what else the page shows."""
    page = listed(frame, row)
    trail = trail_to(frame, row)
    crumbs = [structured.breadcrumbs(frame, trail, page)] if trail else []
    return Page(
        listed=page,
        style=style,
        blocks=[Prose(text(frame, row), prefix="text_" if blocks else ""), *blocks],
        trail=trail,
        data=[*data, *crumbs],
    )


def text(frame: Frame, row: Row) -> str:
    """What the editor wrote, with the address of the site where it says `{site}`."""
    return in_language(row, "body", frame.language).replace(addresses.SITE_MARK, frame.site.root)


def trail_to(frame: Frame, row: Row) -> tuple[Link, ...]:
    return () if row.slug == "home" else (frame.home,)
