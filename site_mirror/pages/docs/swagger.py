"""The page with Swagger UI, in English because the OpenAPI document is in English."""

from catalogue import addresses
from catalogue.models import Page as Row
from catalogue.texts.localized import ENGLISH
from site_mirror.documents import assets
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages.blocks import Explorer, Link, Links, Paragraph, Phrase
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent

SWAGGER_ADDRESS = f"{addresses.DOCUMENTATION}/swagger"
SWAGGER_TITLE = "Swagger UI"


def summarize(frame: Frame, row: Row) -> PageSummary:
    return PageSummary(
        address=SWAGGER_ADDRESS,
        language=ENGLISH,
        title=SWAGGER_TITLE,
        summary="The OpenAPI document of the studio's API in Swagger UI, to browse and to try out.",
    )


def compose(frame: Frame, row: Row) -> PageContent:
    reference = frame.link(row.title_en, addresses.DOCUMENTATION, translated=True)
    notice = (
        "Swagger UI runs in your browser. It is loaded from this site when you start it, and it "
        "needs JavaScript; the "
    )
    links = [
        reference,
        Link("OpenAPI document", addresses.OPENAPI),
        Link("Licence of Swagger UI", assets.asset_address("swagger-ui-licence.txt")),
    ]
    explorer = Explorer(
        name=SWAGGER_TITLE,
        document=addresses.OPENAPI,
        script=assets.asset_address("swagger-ui.js"),
        style=assets.asset_address("swagger-ui.css"),
    )
    return PageContent(
        page_summary=summarize(frame, row),
        style="swagger",
        blocks=[
            Paragraph(Phrase([notice, reference, " says the same without."])),
            Links("", links, "contents"),
            explorer,
        ],
        script=assets.asset_address("explorer.js"),
        trail=(frame.home, reference),
    )
