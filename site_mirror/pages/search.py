"""The page on which readers search all pages of a language; without JavaScript it has lists."""

from django.utils.translation import gettext as _

from catalogue import addresses
from catalogue.models import Studio
from site_mirror.documents import assets
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages.blocks import Link, Links, Search
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent


def summarize_page(frame: Frame, studio: Studio) -> PageSummary:
    summary = _("Find a passage in the apps, the articles and the documentation of %(studio)s.")
    return frame.summarize(
        addresses.SEARCH,
        _("Search"),
        summary % {"studio": frame.studio},
        has_twin=True,
        lists_pages=True,
    )


def compose_page(frame: Frame, studio: Studio) -> PageContent:
    index = frame.address_here(addresses.SEARCH_INDEX)
    return PageContent(
        page_summary=summarize_page(frame, studio),
        style="search",
        blocks=[
            Search(index, assets.asset_address("minisearch.js")),
            Links(
                _("All pages by kind"), [*frame.navigation, Link(_("Site map"), addresses.SITE_MAP)]
            ),
        ],
        script=assets.asset_address("search.js"),
        trail=(frame.home,),
    )
