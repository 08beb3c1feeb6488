"""A page as HTML."""

from markupsafe import Markup, escape

from site_mirror.pages.frame import Frame
from site_mirror.pages.inline import inline, words
from site_mirror.pages.page import FIRST_LEVEL, Page
from site_mirror.pages.skeleton import kind_of, names, skeleton, template
from site_mirror.pages.templating import json_ld


def write(frame: Frame, page: Page) -> bytes:
    """The page as HTML, UTF-8. Its language must be the active one."""
    texts = {
        "title": escape(page.title),
        "canonical": escape(frame.site.url(page.address)),
        "mirror": escape(page.listed.mirror),
        "blocks": blocks(frame, page),
        **summaries(page),
        **twins(frame, page),
        **dict(zip(names("data", len(page.data)), map(json_ld, page.data), strict=True)),
        **dict(zip(names("byline", len(page.byline)), map(inline, page.byline), strict=True)),
    }
    return skeleton(frame, kind_of(page)).filled(texts)


def summaries(page: Page) -> dict[str, Markup]:
    """The summary as the value of an attribute, and marked where it is in another language."""
    if not page.summary:
        return {}
    return {"summary": escape(page.summary), "words": words(page.summary)}


def twins(frame: Frame, page: Page) -> dict[str, Markup]:
    """Where the page is in either language, if it is in both."""
    own, twin = page.address, page.listed.twin
    if not twin:
        return {}
    english, vietnamese = (own, twin) if page.listed.in_english else (twin, own)
    return {
        "twin": escape(twin),
        "english": escape(frame.site.url(english)),
        "vietnamese": escape(frame.site.url(vietnamese)),
    }


def blocks(frame: Frame, page: Page) -> str:
    return "".join(
        template(f"blocks/{block.kind}.html").render(
            frame=frame, page=page, block=block, level=FIRST_LEVEL
        )
        for block in page.blocks
    )
