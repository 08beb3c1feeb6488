"""A bucket that answers requests as a website: objects by their keys, and no rules."""

from collections.abc import Mapping

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.host import Place
from site_mirror.hosts.release import Release

NO_RULES = "it has no rules, only objects"
OWN_VALIDATORS = "its tags and dates are its own, of the upload"
ONE_ERROR = (
    "it has one body for all errors, which is the site's Markdown, and sends it with its media "
    "type and no other header"
)


class Bucket:
    """What `manage.py publish --website` fills; behind a CDN, the CDN's rules come on top."""

    name = "bucket"
    cannot: Mapping[Ability, str] = {
        Ability.VALIDATORS: OWN_VALIDATORS,
        Ability.HEADERS: (
            "all but a few headers of an object come back as `x-amz-meta-…`, and what exceeds "
            "2,048 bytes of them is left out, as the report says"
        ),
        Ability.VARIANTS: "one object, one coding",
        Ability.ETAG_CONDITIONS: OWN_VALIDATORS,
        Ability.DATE_CONDITIONS: OWN_VALIDATORS,
        Ability.OLD_DATES: OWN_VALIDATORS,
        Ability.PRECONDITIONS: OWN_VALIDATORS,
        Ability.NO_RANGES: "it answers ranges with 206",
        Ability.NEGOTIATION: NO_RULES,
        Ability.NOT_FOUND: ONE_ERROR,
        Ability.NOTHING_ELSE: ONE_ERROR,
        Ability.METHODS: "it answers 403, 404 or 405, without `Allow`",
        Ability.UNKNOWN_METHODS: "it answers as to any other method",
        Ability.TRACE: "it answers as to any other method",
        Ability.METHOD_CASE: "it answers as to any other method",
        Ability.PREFLIGHT: "it answers by a CORS configuration of its own, with 200 or 403",
        Ability.CANONICAL: NO_RULES,
        Ability.REDIRECTS: "its objects that lead elsewhere answer 301, and send only `Location`",
        Ability.WRONG_HOST: "the name of a request is that of a bucket",
        Ability.ENCODED_SLASHES: "it decodes a path before it looks for an object",
        Ability.UPWARD_PATHS: "it may resolve dots, and then answers as for the path without",
        Ability.RATE_LIMIT: "it does not count",
    }
    adds: frozenset[str] = frozenset()

    def files(self, release: Release, place: Place) -> dict[str, bytes]:
        return {}
