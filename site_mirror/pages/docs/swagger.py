"""The page with Swagger UI. The program and the OpenAPI document are in English."""

from django.utils.translation import gettext as _

from catalogue import addresses
from catalogue.models import Page as Row
from catalogue.texts.localized import text_in
from site_mirror.documents import assets
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages.blocks import Explorer, Link, Links, Paragraph, Phrase
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.texts import has_text

SWAGGER_ADDRESS = f"{addresses.DOCUMENTATION}/swagger"
SWAGGER_TITLE = "Swagger UI"


def summarize_page(frame: Frame, row: Row) -> PageSummary:
    return frame.summarize(
        SWAGGER_ADDRESS,
        SWAGGER_TITLE,
        _("The OpenAPI document of the studio’s API in Swagger UI, to browse and to try out."),
        has_twin=has_text(row, "body", frame.other_language),
    )


def compose_page(frame: Frame, row: Row) -> PageContent:
    title = text_in(row, "title", frame.language)
    reference = frame.link(title, addresses.DOCUMENTATION, translated=True)
    notice = _(
        "Swagger UI runs in your browser. It is loaded from this site when you start it, and it "
        "needs JavaScript; the {reference} says the same without."
    )
    before, _placeholder, after = notice.partition("{reference}")
    links = [
        reference,
        Link(_("OpenAPI document"), addresses.OPENAPI),
        Link(_("Licence of Swagger UI"), assets.asset_address("swagger-ui-licence.txt")),
    ]
    explorer = Explorer(
        name=SWAGGER_TITLE,
        document=addresses.OPENAPI,
        script=assets.asset_address("swagger-ui.js"),
        style=assets.asset_address("swagger-ui.css"),
    )
    return PageContent(
        page_summary=summarize_page(frame, row),
        style="swagger",
        blocks=[
            Paragraph(Phrase([before, reference, after])),
            Links("", links, "contents"),
            explorer,
        ],
        script=assets.asset_address("explorer.js"),
        trail=(frame.home, reference),
    )
