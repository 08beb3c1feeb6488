"""An S3-compatible bucket with a website endpoint, which has objects by their keys and no rules."""

from collections.abc import Mapping

from site_mirror.hosts import reasons
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.host import Deployment
from site_mirror.hosts.release import ServedRelease

ONLY_OBJECTS = "it has no rules, only objects"
ONE_ERROR = (
    "it has one body for all errors, the site's Markdown, and sends it with its media type and no "
    "other header"
)


class BucketWebsite:
    """A bucket that `manage.py publish` fills. A CDN in front of it may have rules."""

    name = "bucket"
    cannot: Mapping[Capability, str] = {
        Capability.VALIDATORS: reasons.OWN_VALIDATORS,
        Capability.HEADERS: "it stores only `Cache-Control` and those that describe the body",
        Capability.VARIANTS: "it has one coding of each object",
        Capability.ETAG_CONDITIONS: reasons.OWN_VALIDATORS,
        Capability.DATE_CONDITIONS: reasons.OWN_VALIDATORS,
        Capability.PRECONDITIONS: reasons.OWN_VALIDATORS,
        Capability.NO_RANGES: reasons.RANGES,
        Capability.NEGOTIATION: ONLY_OBJECTS,
        Capability.NOT_FOUND: ONE_ERROR,
        Capability.NOTHING_ELSE: ONE_ERROR,
        Capability.METHODS: "it answers 403, 404 or 405, without `Allow`",
        Capability.PREFLIGHT: "it answers OPTIONS with 200 or 403, by its CORS configuration",
        Capability.CANONICAL: ONLY_OBJECTS,
        Capability.REDIRECTS: reasons.MOVED_PAGES,
        Capability.WRONG_HOST: "the host name of a request selects a bucket",
        Capability.RATE_LIMIT: reasons.NO_BUDGET,
    }
    adds: frozenset[str] = frozenset()

    def files(self, release: ServedRelease, deployment: Deployment) -> dict[str, bytes]:
        return {}
