"""`/.well-known/api-catalog`: links to the API and to its descriptions.

Sources: RFC 9727 (the address and its profile), RFC 9264 (link sets), RFC 8631 (relations).
"""

from typing import Any

from api.contract import JSON
from catalogue import addresses
from catalogue.addresses import Site

HTML_LINK_TYPE = "text/html"
MARKDOWN_LINK_TYPE = "text/markdown"


def linkset(site: Site) -> dict[str, Any]:

    def target(address: str, media_type: str) -> dict[str, str]:
        return {"href": site.url(address), "type": media_type}

    api = addresses.api_address("/")
    documentation = addresses.DOCUMENTATION
    catalogue = {"anchor": site.url(addresses.API_CATALOG), "item": [target(api, JSON)]}
    links = {
        "anchor": site.url(api),
        "service-desc": [target(addresses.OPENAPI, JSON)],
        "service-doc": [
            target(documentation, HTML_LINK_TYPE),
            target(addresses.mirror_of(documentation), MARKDOWN_LINK_TYPE),
        ],
        "service-meta": [target(addresses.AGENTS, MARKDOWN_LINK_TYPE)],
        "status": [target(addresses.api_address("/health"), JSON)],
    }
    return {"linkset": [catalogue, links]}
