"""Swagger UI over the OpenAPI document, on a page of its own, in English like its document."""

from datetime import datetime

from django.db.models import QuerySet

from catalogue import addresses, questions
from catalogue.localized import ENGLISH
from catalogue.models import Page as Row
from site_mirror import assets
from site_mirror.listing import Listed
from site_mirror.pages import structured
from site_mirror.pages.blocks import Explorer, Inline, Link, Links, Paragraph, Phrase
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import Page

ADDRESS = f"{addresses.DOCUMENTATION}/swagger"
TITLE = "Swagger UI"


def link_to_swagger(frame: Frame) -> Link:
    return frame.link(TITLE, ADDRESS, translated=False)


def listed(frame: Frame, row: Row) -> Listed:
    return Listed(
        address=ADDRESS,
        language=ENGLISH,
        title=TITLE,
        summary="The OpenAPI document of the studio's API in Swagger UI, to browse and to try out.",
    )


def row(at: datetime) -> QuerySet[Row]:
    """The text of the reference, which this page is another view of."""
    return questions.page(at, slug="docs-api", language=ENGLISH)


def compose(frame: Frame, row: Row) -> Page:
    page = listed(frame, row)
    reference = frame.link(row.title_en, addresses.DOCUMENTATION, translated=True)
    trail = (frame.home, reference)
    links = [
        reference,
        Link("OpenAPI document", addresses.OPENAPI),
        Link("Licence of Swagger UI", assets.address("swagger-ui-licence.txt")),
    ]
    explorer = Explorer(
        name=TITLE,
        document=addresses.OPENAPI,
        script=assets.address("swagger-ui.js"),
        style=assets.address("swagger-ui.css"),
    )
    return Page(
        listed=page,
        style="swagger",
        blocks=[Paragraph(about(reference)), Links("", links, "contents"), explorer],
        script=assets.address("explorer.js"),
        trail=trail,
        data=[structured.breadcrumbs(frame, trail, page)],
    )


def about(reference: Link) -> Inline:
    before = (
        "Swagger UI runs in your browser. It is loaded from this site when you start it, and it "
        "needs JavaScript; the "
    )
    return Phrase([before, reference, " says the same without."])
