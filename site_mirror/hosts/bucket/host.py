"""An S3-compatible bucket with a website endpoint, which has objects by their keys and no rules."""

from site_mirror.hosts.capabilities import (
    MOVED_PAGES,
    NO_BUDGET,
    OWN_VALIDATORS,
    RANGES,
    Capability,
)
from site_mirror.hosts.host import Host

ONLY_OBJECTS = "it has no rules, only objects"
ONE_ERROR = (
    "it has one body for all errors, the site's Markdown, and sends it with its media type and no "
    "other header"
)


class BucketWebsite(Host):
    """A bucket that `manage.py publish` fills. A CDN in front of it may have rules."""

    name = "bucket"
    cannot = {
        Capability.VALIDATORS: OWN_VALIDATORS,
        Capability.HEADERS: "it stores only `Cache-Control` and those that describe the body",
        Capability.VARIANTS: "it has one coding of each object",
        Capability.ETAG_CONDITIONS: OWN_VALIDATORS,
        Capability.DATE_CONDITIONS: OWN_VALIDATORS,
        Capability.PRECONDITIONS: OWN_VALIDATORS,
        Capability.NO_RANGES: RANGES,
        Capability.NEGOTIATION: ONLY_OBJECTS,
        Capability.NOT_FOUND: ONE_ERROR,
        Capability.NOTHING_ELSE: ONE_ERROR,
        Capability.METHODS: "it answers 403, 404 or 405, without `Allow`",
        Capability.PREFLIGHT: "it answers OPTIONS with 200 or 403, by its CORS configuration",
        Capability.CANONICAL: ONLY_OBJECTS,
        Capability.REDIRECTS: MOVED_PAGES,
        Capability.WRONG_HOST: "the host name of a request selects a bucket",
        Capability.RATE_LIMIT: NO_BUDGET,
    }
