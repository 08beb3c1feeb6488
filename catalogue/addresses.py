"""Addresses of documents, as pure functions of slugs.

An address is a path on the site, such as `/apps/stashio`. `Site.url` makes it absolute.
"""

import re
from urllib.parse import quote

from msgspec import Struct

from catalogue.texts.localized import VIETNAMESE

API = "/api/v1"
VIETNAMESE_PART = "/vi/"

PATH_SAFE = "/:@!$&'()*+,;=~"
QUERY_SAFE = f"{PATH_SAFE}?"
LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")

STANDING_PAGES = {
    "home": "/",
    "apps": "/apps",
    "blog": "/blog",
    "science": "/science",
    "timeline": "/timeline",
    "about": "/about",
    "privacy": "/privacy",
    "docs-api": "/docs/api",
    "docs-versioning": "/docs/versioning",
    "docs-problems": "/docs/problems",
    "docs-licence": "/docs/licence",
}

HOME = STANDING_PAGES["home"]
BLOG = STANDING_PAGES["blog"]
SCIENCE_PAGE = STANDING_PAGES["science"]
OPENAPI = "/openapi.json"
HEALTH = f"{API}/health"
"""Answered whatever a request's `Host` says, because a load balancer asks a machine by address."""
DOCUMENTATION = STANDING_PAGES["docs-api"]
VERSIONING_POLICY = STANDING_PAGES["docs-versioning"]
PROBLEM_TYPES = STANDING_PAGES["docs-problems"]
RATE_LIMIT_SECTION = f"{PROBLEM_TYPES}#rate-limit-exceeded"
PRIVACY_POLICY = STANDING_PAGES["privacy"]

IMAGES = "/images"
SMALL_IMAGE_WIDTH = 640
"""The width in pixels of the narrower file of an image, which is part of its address."""

LLMS = "/llms.txt"
LLMS_FULL = "/llms-full.txt"
AGENTS = "/agent-instructions.md"
SEARCH = "/search"
SEARCH_INDEX = "/search-index.json"
SITEMAP = "/sitemap.xml"
SITE_MAP = "/sitemap.md"
ROBOTS = "/robots.txt"
SECURITY_TXT = "/.well-known/security.txt"
HUMANS = "/humans.txt"
API_CATALOG = "/.well-known/api-catalog"
AI_CATALOG = "/.well-known/ai-catalog.json"
ATOM_FEED = "/blog/feed.xml"
JSON_FEED = "/blog/feed.json"
CHANGES_FEED = f"{DOCUMENTATION}/changes.xml"
FAVICON = "/favicon.ico"
TOUCH_ICON = "/apple-touch-icon.png"
WEB_MANIFEST = "/site.webmanifest"
SITE_PLACEHOLDER = "{site}"
"""The placeholder for the address of the site in the text of a standing page."""
STUDIO_PLACEHOLDER = "{studio}"
"""The placeholder for the name of the studio in the text of a standing page."""


IMAGE_NAME = re.compile(rf"{IMAGES}/([a-z0-9-]+)\.")
"""The address of an image, which begins so whatever the format of its file is."""
VERSION_INDEX = re.compile(r"/api/v[1-9][0-9]*/")
"""The index of a version of the API, the only address with a final slash."""


class Site(Struct, frozen=True):
    """The one origin that every published address starts with, without a final slash."""

    root: str

    def url(self, address: str) -> str:
        """Make an address absolute; an absolute address is returned unchanged."""
        return self.root + address if address.startswith("/") else address


def api_address(path: str) -> str:
    """Return the address of an endpoint from its path below the base: `/apps` → `/api/v1/apps`."""
    return API + path


def app_document(slug: str) -> str:
    return api_address(f"/apps/{slug}")


def post_document(slug: str) -> str:
    return api_address(f"/posts/{slug}")


def app_page(slug: str) -> str:
    return f"/apps/{slug}"


def app_icon(slug: str) -> str:
    return f"/icons/{slug}.svg"


def image(slug: str, suffix: str) -> str:
    return f"{IMAGES}/{slug}.{suffix}"


def small_image(slug: str) -> str:
    """Return the address of the narrower file of an image; no name of another image has a dot."""
    return image(slug, f"{SMALL_IMAGE_WIDTH}.webp")


def names_of_images(text: str) -> set[str]:
    """Return the names of all images whose addresses are in a text."""
    return {*IMAGE_NAME.findall(text)} if IMAGES in text else set()


def post_page(slug: str) -> str:
    return f"/blog/{slug}"


def tag_page(slug: str) -> str:
    return f"{BLOG}/tags/{slug}"


def year_page(year: str) -> str:
    return f"{BLOG}/years/{year}"


def reference_page(slug: str) -> str:
    """Return the address of a page of the reference of the API, below that of its index."""
    return f"{DOCUMENTATION}/{slug}"


def page_in(language: str, page: str) -> str:
    """Return an English page in a language: in Vietnamese `/` → `/vi`, `/blog/x` → `/vi/blog/x`."""
    if language != VIETNAMESE:
        return page
    return "/vi" if page == "/" else f"/vi{page}"


def is_of_vietnamese_part(path: str) -> bool:
    return f"{path}/".startswith(VIETNAMESE_PART)


def mirror_of(page: str) -> str:
    """Return the Markdown mirror of a page: `/blog/x` → `/blog/x.md`, `/` → `/index.md`."""
    return "/index.md" if page == "/" else f"{page}.md"


def without_fragment(link: str) -> str:
    return link.partition("#")[0]


def picture_of(page: str) -> str:
    """Return the address of the picture of a page that has its own: `/blog/x` → `/blog/x.png`."""
    return f"{page}.png"


def page_of_mirror(address: str) -> str:
    """Return the page of a mirror: `/blog/x.md` → `/blog/x`, `/index.md` → `/`."""
    return "/" if address == "/index.md" else address.removesuffix(".md")


def post_mirror(slug: str) -> str:
    return mirror_of(post_page(slug))


def sitemap_part(number: str) -> str:
    return f"/sitemap-{number}.xml"


def version_index(version: str) -> str:
    return f"/api/{version}/"


def canonical_path(path: str) -> str:
    """Return a path without doubled and final slashes; only the index of a version ends with one.

    The index of another version belongs to another program; here it is an unknown address.
    """
    collapsed = re.sub(r"/{2,}", "/", f"/{path}")
    return collapsed if VERSION_INDEX.fullmatch(collapsed) else collapsed.rstrip("/") or "/"


def is_of_api(path: str) -> bool:
    """Whether a path is below `/api/` or that of the OpenAPI document."""
    return path == OPENAPI or f"{path}/".startswith("/api/")


def is_of_this_version(path: str) -> bool:
    """Whether a path belongs to this version of the API: its description, and everything below its
    base address. Responses of another version do not announce the end of this one.
    """
    return path == OPENAPI or f"{path}/".startswith(f"{API}/")


def encode_target(path: str, query: str) -> str:
    """Return the target of a request, percent-encoded as RFC 3986 requires.

    Existing escapes stay: a server decodes the path of a request, except for bytes that are not
    UTF-8.
    """
    return percent_encode(path, PATH_SAFE) + (
        f"?{percent_encode(query, QUERY_SAFE)}" if query else ""
    )


def percent_encode(text: str, safe: str) -> str:
    return LONE_PERCENT.sub("%25", quote(text, safe=f"{safe}%"))
