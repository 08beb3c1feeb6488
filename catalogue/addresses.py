"""Where each thing is published, as pure functions from slugs to addresses.

An address is a path on the site, such as `/apps/stashio`. `Site.url` makes it absolute.
"""

import re
from urllib.parse import quote

from msgspec import Struct

API = "/api/v1"

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
SCIENCE = STANDING_PAGES["science"]
LICENCE = STANDING_PAGES["docs-licence"]
OPENAPI = "/openapi.json"
DOCUMENTATION = STANDING_PAGES["docs-api"]
VERSIONING_POLICY = STANDING_PAGES["docs-versioning"]
PROBLEM_TYPES = STANDING_PAGES["docs-problems"]
PRIVACY_POLICY = STANDING_PAGES["privacy"]

LLMS = "/llms.txt"
LLMS_FULL = "/llms-full.txt"
AGENTS = "/agent-instructions.md"
SITEMAP = "/sitemap.xml"
SITE_MAP = "/sitemap.md"
ROBOTS = "/robots.txt"
SECURITY = "/.well-known/security.txt"
HUMANS = "/humans.txt"
API_CATALOG = "/.well-known/api-catalog"
ATOM_FEED = "/blog/feed.xml"
JSON_FEED = "/blog/feed.json"
FAVICON = "/favicon.ico"
TOUCH_ICON = "/apple-touch-icon.png"
WEB_MANIFEST = "/site.webmanifest"
SITE_MARK = "{site}"
"""What the text of a standing page says for the address of the site."""


VERSION_INDEX = re.compile(r"/api/v[1-9][0-9]*/")
"""The index of a version of the API; it alone has a final slash."""


class Site(Struct, frozen=True):
    """The one origin that every published address starts with, without a final slash."""

    root: str

    def url(self, address: str) -> str:
        """Make an address absolute; one that is absolute already stays as it is."""
        return self.root + address if address.startswith("/") else address


def api(path: str) -> str:
    """Address of an endpoint, from its path below the base: `/apps` → `/api/v1/apps`."""
    return API + path


def app_document(slug: str) -> str:
    return api(f"/apps/{slug}")


def post_document(slug: str) -> str:
    return api(f"/posts/{slug}")


def app_page(slug: str) -> str:
    return f"/apps/{slug}"


def app_icon(slug: str) -> str:
    return f"/icons/{slug}.svg"


def post_page(slug: str) -> str:
    return f"/blog/{slug}"


def tag_page(slug: str) -> str:
    return f"{BLOG}/tags/{slug}"


def year_page(year: str) -> str:
    return f"{BLOG}/years/{year}"


def vietnamese(page: str) -> str:
    """The Vietnamese twin of an English page: `/` → `/vi`, `/blog/x` → `/vi/blog/x`."""
    return "/vi" if page == "/" else f"/vi{page}"


def mirror(page: str) -> str:
    """The Markdown mirror of a page: `/blog/x` → `/blog/x.md`, `/` → `/index.md`."""
    return "/index.md" if page == "/" else f"{page}.md"


def mirrored(address: str) -> str:
    """The page of a mirror: `/blog/x.md` → `/blog/x`, `/index.md` → `/`."""
    return "/" if address == "/index.md" else address.removesuffix(".md")


def post_mirror(slug: str) -> str:
    return mirror(post_page(slug))


def sitemap_part(number: str) -> str:
    return f"/sitemap-{number}.xml"


def version_index(version: str) -> str:
    return f"/api/{version}/"


def is_version_index(path: str) -> bool:
    return VERSION_INDEX.fullmatch(path) is not None


def is_of_this_version(path: str) -> bool:
    """Whether this version of the API answers at a path: its base address and what is below, and
    its description. Another version's answers do not announce the end of this one.
    """
    return path == OPENAPI or f"{path}/".startswith(f"{API}/")


def requested(path: str, query: str) -> str:
    """What a request asked for, percent-encoded where RFC 3986 wants it.

    What is encoded already stays as it is: a server hands over a path decoded, but for bytes
    that are not UTF-8.
    """
    return quoted(path, PATH_SAFE) + (f"?{quoted(query, QUERY_SAFE)}" if query else "")


def quoted(text: str, safe: str) -> str:
    return LONE_PERCENT.sub("%25", quote(text, safe=f"{safe}%"))
