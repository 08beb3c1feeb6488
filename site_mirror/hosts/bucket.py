"""A bucket that answers requests itself: objects by their keys, and no rules."""

from collections.abc import Mapping

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.host import Place
from site_mirror.hosts.release import Release

NO_RULES = "it has no rules, only objects"
OWN_VALIDATORS = "its tags and dates are its own, of the upload"
OWN_ERRORS = "its errors are XML"


class Bucket:
    """What `manage.py publish` fills; behind a CDN, the CDN's rules come on top."""

    name = "bucket"
    cannot: Mapping[Ability, str] = {
        Ability.VALIDATORS: OWN_VALIDATORS,
        Ability.HEADERS: "all but a few headers of an object come back as `x-amz-meta-…`",
        Ability.VARIANTS: "one object, one coding",
        Ability.ETAG_CONDITIONS: OWN_VALIDATORS,
        Ability.DATE_CONDITIONS: OWN_VALIDATORS,
        Ability.OLD_DATES: OWN_VALIDATORS,
        Ability.PRECONDITIONS: OWN_VALIDATORS,
        Ability.NO_RANGES: "it answers ranges with 206",
        Ability.NEGOTIATION: NO_RULES,
        Ability.NOT_FOUND: OWN_ERRORS,
        Ability.NOTHING_ELSE: OWN_ERRORS,
        Ability.METHODS: OWN_ERRORS,
        Ability.UNKNOWN_METHODS: OWN_ERRORS,
        Ability.METHOD_CASE: OWN_ERRORS,
        Ability.PREFLIGHT: "it answers by a CORS configuration of its own, with 200 or 403",
        Ability.CANONICAL: NO_RULES,
        Ability.REDIRECTS: NO_RULES,
        Ability.WRONG_HOST: "the name of a request is that of a bucket",
        Ability.RATE_LIMIT: "it does not count",
    }
    adds: frozenset[str] = frozenset()

    def files(self, release: Release, place: Place) -> dict[str, bytes]:
        return {}
