"""Capabilities: the promises of the contract that a host may or may not fulfil."""

from enum import Enum

ONLY_FILES = "it has no rules, only files"
OWN_VALIDATORS = "its tags and dates are those of the upload"
RANGES = "it answers a request for a range with 206"
NO_BUDGET = "it does not count requests"
MOVED_PAGES = "only former pages redirect, by an HTML page"
"""Reasons of several hosts."""


class Capability(Enum):
    """A capability; its value is the promise in words."""

    FILES = "every file of the snapshot, byte for byte, at its own path"
    ADDRESSES = "documents at addresses without a suffix, such as `/about` or `/api/v1/apps`"
    ALIASES = "the other addresses of API documents, such as `/api/v1/apps.json`"
    MEDIA_TYPES = "the exact `Content-Type`"
    VALIDATORS = "the strong `ETag` and the `Last-Modified` of the manifest"
    HEADERS = "all other headers, and no others"
    VARIANTS = "the precompressed variants, each with an `ETag` of its own"
    HEAD = "HEAD as GET, without the body"
    ETAG_CONDITIONS = "304 by `If-None-Match`: one tag, a list, the weak form, `*`"
    DATE_CONDITIONS = "304 by `If-Modified-Since`, for the very date of the document"
    PRECONDITIONS = "412 by `If-Match` and `If-Unmodified-Since`"
    NO_RANGES = "the whole document for a request with `Range`"
    NEGOTIATION = "pages as HTML, as Markdown or as 406, by `Accept`"
    NOT_FOUND = "404 as a problem below `/api/`, as Markdown elsewhere"
    NOTHING_ELSE = "404 for files that are not addresses, such as `/about.html`"
    METHODS = "405 with `Allow` for methods that write"
    PREFLIGHT = "204 for OPTIONS in every slash form, with the preflight headers"
    CANONICAL = "308 from doubled and final slashes"
    REDIRECTS = "308 from former addresses"
    WRONG_HOST = "400 for a request that names another site, except for the health"
    RATE_LIMIT = "429 after 600 requests in 60 seconds"

    @property
    def label(self) -> str:
        return self.name.lower().replace("_", "-")
