"""The response headers of pages, their mirrors, and files."""

from django.conf import settings

from api.headers import (
    CORS,
    CROSS_ORIGIN_RESOURCE,
    DOCUMENT_CACHING,
    HSTS,
    SECURITY_HEADERS,
    VARY_ENCODING,
    Headers,
)
from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.documents.assets import FIXED_ADDRESSES
from site_mirror.documents.context import Context

HTML_TYPE = "text/html; charset=utf-8"
MARKDOWN_TYPE = "text/markdown; charset=utf-8"
SVG_TYPE = "image/svg+xml"
WEBP_TYPE = "image/webp"
TEXT_TYPE = "text/plain; charset=utf-8"
XML_TYPE = "application/xml; charset=utf-8"
ATOM_TYPE = "application/atom+xml; charset=utf-8"
JSON_FEED_TYPE = "application/feed+json"
JSON_TYPE = "application/json"
WEB_MANIFEST_TYPE = "application/manifest+json"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": SVG_TYPE,
    ".txt": TEXT_TYPE,
    ".webp": WEBP_TYPE,
    ".woff2": "font/woff2",
}
"""Media types of static assets by suffix."""
AI_CATALOG_TYPE = "application/ai-catalog+json"
LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

DESCRIBED_BY_LINK = f'<{addresses.LLMS}>; rel="describedby"; type="text/plain"'
API_CATALOG_LINK = f'<{addresses.API_CATALOG}>; rel="api-catalog"'
SERVICE_LINK = f'<{addresses.OPENAPI}>; rel="service-desc"; type="application/json"'

PAGE_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; "
    "manifest-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; script-src 'self'"
)
"""All pages can be read without their scripts."""
VARY_NEGOTIATED = {"Vary": "Accept, Accept-Encoding"}
"""The `Vary` of a page, of its mirror at the page's address, and of a 406."""
BODY_HEADERS = ("Content-Length", "Content-Type", "Content-Encoding", "Content-Language")
"""Headers that describe a body: a 304 does not have them (RFC 9110, section 15.4.5)."""
ASSET_CACHING = {"Cache-Control": "max-age=31536000, immutable"}
PERMISSIONS = "camera=(), geolocation=(), microphone=()"
DRAWING_SECURITY_POLICY = "default-src 'none'"
IMAGE_SECURITY_POLICY = f"{DRAWING_SECURITY_POLICY}; style-src 'unsafe-inline'"
"""Drawings of texts have colours for light and for dark pages, which need a style sheet."""


PAGE_HEADERS = DOCUMENT_CACHING | VARY_NEGOTIATED | SECURITY_HEADERS
FILE_HEADERS = DOCUMENT_CACHING | VARY_ENCODING | CORS | SECURITY_HEADERS | CROSS_ORIGIN_RESOURCE
ASSET_HEADERS = ASSET_CACHING | VARY_ENCODING | CORS | SECURITY_HEADERS | CROSS_ORIGIN_RESOURCE


def page_headers(language: str, context: Context, address: str) -> Headers:
    link = f'<{addresses.mirror_of(address)}>; rel="alternate"; type="text/markdown"'
    return PAGE_HEADERS | {
        "Content-Language": language,
        "Content-Security-Policy": PAGE_SECURITY_POLICY,
        "Permissions-Policy": PERMISSIONS,
        "Link": f"{link}, {DESCRIBED_BY_LINK}, {API_CATALOG_LINK}, {SERVICE_LINK}",
    }


def mirror_headers(language: str, context: Context, address: str) -> Headers:
    page = context.site.url(addresses.page_of_mirror(address))
    return FILE_HEADERS | {"Content-Language": language, "Link": f'<{page}>; rel="canonical"'}


def file_headers(context: Context, address: str) -> Headers:
    return FILE_HEADERS


def asset_headers(context: Context, address: str) -> Headers:
    """Return the headers of an asset: one whose address has a digest never changes."""
    return FILE_HEADERS if address in FIXED_ADDRESSES.values() else ASSET_HEADERS


def catalogue_headers(context: Context, address: str) -> Headers:
    """Return the headers of the API catalogue, which links to itself (RFC 9727, section 2)."""
    return file_headers(context, address) | {"Link": API_CATALOG_LINK}


def image_headers(policy: str, context: Context, address: str) -> Headers:
    """Return the headers of an image, which must not run scripts if it is opened by itself."""
    return file_headers(context, address) | {"Content-Security-Policy": policy}


def transport_headers(site: Site) -> Headers:
    """Return the header of every response of a site over https (RFC 6797, section 6.1)."""
    seconds = settings.SECURE_HSTS_SECONDS if site.root.startswith("https://") else 0
    scope = "; includeSubDomains" if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS else ""
    return {HSTS: f"max-age={seconds}{scope}"} if seconds else {}
