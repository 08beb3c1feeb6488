"""The header that keeps browsers on https, as the settings say."""

from django.conf import settings

from api.headers import Headers, transport
from catalogue.addresses import Site


def transport_headers(site: Site) -> Headers:
    """Strict-Transport-Security of a site that is published over https; nothing over http."""
    if not site.root.startswith("https://"):
        return {}
    return transport(
        settings.SECURE_HSTS_SECONDS, subdomains=settings.SECURE_HSTS_INCLUDE_SUBDOMAINS
    )
