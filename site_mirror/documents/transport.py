"""The header that keeps browsers on https, according to the settings."""

from django.conf import settings

from api.headers import Headers, hsts_headers
from catalogue.addresses import Site


def transport_headers(site: Site) -> Headers:
    """Return `Strict-Transport-Security` for a site over https; nothing for one over http."""
    if not site.root.startswith("https://"):
        return {}
    return hsts_headers(
        settings.SECURE_HSTS_SECONDS, subdomains=settings.SECURE_HSTS_INCLUDE_SUBDOMAINS
    )
