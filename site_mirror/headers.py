"""The header table of the site: pages, their mirrors, and files."""

from http import HTTPStatus

from api.headers import (
    ALLOW,
    CACHED_REFUSALS,
    CORS,
    DOCUMENT_CACHING,
    NO_STORE,
    REFUSAL_CACHING,
    SECURITY,
    SHARED,
    UNAVAILABLE,
    VARY_ENCODING,
    Headers,
)
from catalogue import addresses
from site_mirror.assets import FIXED_ADDRESSES
from site_mirror.context import Context

HTML = "text/html; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
SVG = "image/svg+xml"
CSS = "text/css; charset=utf-8"
JAVASCRIPT = "text/javascript; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
XML = "application/xml; charset=utf-8"
ATOM = "application/atom+xml; charset=utf-8"
JSON_FEED = "application/feed+json"
WEB_MANIFEST = "application/manifest+json"
MEDIA_TYPES = {
    ".css": CSS,
    ".ico": "image/vnd.microsoft.icon",
    ".js": JAVASCRIPT,
    ".png": "image/png",
    ".svg": SVG,
    ".txt": TEXT,
    ".woff2": "font/woff2",
}
"""Of the static assets, by suffix."""
LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

DESCRIBED_BY = f'<{addresses.LLMS}>; rel="describedby"; type="text/plain"'
CATALOGUED = f'<{addresses.API_CATALOG}>; rel="api-catalog"'
SERVICE = f'<{addresses.OPENAPI}>; rel="service-desc"; type="application/json"'

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; "
    "manifest-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SCRIPTED_POLICY = f"{CONTENT_SECURITY_POLICY}; script-src 'self'"
"""Of pages that have a script; nobody needs one to read them."""
VARY_NEGOTIATED = {"Vary": "Accept, Accept-Encoding"}
"""Of a page in either representation, and of the refusal of both."""
ASSET_CACHING = {"Cache-Control": "max-age=31536000, immutable"}
PERMISSIONS = "camera=(), geolocation=(), microphone=()"
DRAWING_SECURITY_POLICY = "default-src 'none'"


PAGE = DOCUMENT_CACHING | VARY_NEGOTIATED | SECURITY
FILE = DOCUMENT_CACHING | VARY_ENCODING | CORS | SECURITY | SHARED
ASSET = ASSET_CACHING | VARY_ENCODING | CORS | SECURITY | SHARED


def page_headers(language: str, policy: str, context: Context, address: str) -> Headers:
    """Headers of a page; `policy` says what it may load (Content-Security-Policy)."""
    link = f'<{addresses.mirror(address)}>; rel="alternate"; type="text/markdown"'
    return PAGE | {
        "Content-Language": language,
        "Content-Security-Policy": policy,
        "Permissions-Policy": PERMISSIONS,
        "Link": f"{link}, {DESCRIBED_BY}, {CATALOGUED}, {SERVICE}",
    }


def mirror_headers(language: str, context: Context, address: str) -> Headers:
    page = context.site.url(addresses.mirrored(address))
    return FILE | {"Content-Language": language, "Link": f'<{page}>; rel="canonical"'}


def file_headers(context: Context, address: str) -> Headers:
    return FILE


def asset_headers(context: Context, address: str) -> Headers:
    """An asset whose address has a digest never changes; one at a fixed address may."""
    return FILE if address in FIXED_ADDRESSES.values() else ASSET


def catalogue_headers(context: Context, address: str) -> Headers:
    """The catalogue of APIs names itself, so that HEAD finds it (RFC 9727, section 2)."""
    return file_headers(context, address) | {"Link": CATALOGUED}


def drawing_headers(context: Context, address: str) -> Headers:
    """An icon may be shown anywhere and run nothing, even opened by itself."""
    return file_headers(context, address) | {"Content-Security-Policy": DRAWING_SECURITY_POLICY}


def refusal_headers(status: int) -> Headers:
    """Headers of an error outside `/api/`."""
    caching = REFUSAL_CACHING if status in CACHED_REFUSALS else NO_STORE
    more: Headers = {
        HTTPStatus.METHOD_NOT_ALLOWED: ALLOW,
        HTTPStatus.SERVICE_UNAVAILABLE: UNAVAILABLE,
    }.get(HTTPStatus(status), {})
    return caching | more | CORS | SECURITY | SHARED | {"Content-Language": "en"}
