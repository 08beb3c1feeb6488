"""`/.well-known/api-catalog`: where the API is, and what describes it.

Sources: RFC 9727 (the address and its profile), RFC 9264 (link sets), RFC 8631 (relations).
"""

from typing import Any

from api.contract import JSON
from catalogue import addresses
from catalogue.addresses import Site

HTML = "text/html"
MARKDOWN = "text/markdown"


def linkset(site: Site) -> dict[str, Any]:
    """The catalogue's one API, and the links from it."""

    def target(address: str, media_type: str) -> dict[str, str]:
        return {"href": site.url(address), "type": media_type}

    api = addresses.api("/")
    documentation = addresses.DOCUMENTATION
    catalogue = {"anchor": site.url(addresses.API_CATALOG), "item": [target(api, JSON)]}
    links = {
        "anchor": site.url(api),
        "service-desc": [target(addresses.OPENAPI, JSON)],
        "service-doc": [
            target(documentation, HTML),
            target(addresses.mirror(documentation), MARKDOWN),
        ],
        "service-meta": [target(addresses.AGENTS, MARKDOWN)],
        "status": [target(addresses.api("/health"), JSON)],
    }
    return {"linkset": [catalogue, links]}
