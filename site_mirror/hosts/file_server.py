"""Any server that hands out a folder, such as `python -m http.server`."""

from collections.abc import Mapping

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.host import Place
from site_mirror.hosts.release import Release

NO_RULES = "it has no rules, only files"
OWN_HEADERS = "it sends what it makes of a file's name and date"


class FileServer:
    """A folder over HTTP, the least that a host can be."""

    name = "file-server"
    cannot: Mapping[Ability, str] = {
        Ability.ADDRESSES: "a file is found by its whole name",
        Ability.MEDIA_TYPES: OWN_HEADERS,
        Ability.VALIDATORS: OWN_HEADERS,
        Ability.HEADERS: OWN_HEADERS,
        Ability.VARIANTS: "it does not look for a compressed file beside the one that is asked for",
        Ability.ETAG_CONDITIONS: "it has no entity tags",
        Ability.DATE_CONDITIONS: "the date of a file is when it was written, not the manifest's",
        Ability.OLD_DATES: "it reads none but today's format",
        Ability.PRECONDITIONS: "it ignores them",
        Ability.NEGOTIATION: NO_RULES,
        Ability.NOT_FOUND: "its 404 is a page of its own",
        Ability.NOTHING_ELSE: "it hands out whatever is in the folder, and lists folders",
        Ability.METHODS: "it answers 501",
        Ability.UNKNOWN_METHODS: "it answers 501",
        Ability.TRACE: "it answers 501",
        Ability.METHOD_CASE: "it answers 501",
        Ability.PREFLIGHT: "it answers 501",
        Ability.CANONICAL: NO_RULES,
        Ability.REDIRECTS: NO_RULES,
        Ability.WRONG_HOST: "it answers for every name",
        Ability.UPWARD_PATHS: "it resolves dots, and lists folders",
        Ability.ENCODED_SLASHES: "it decodes a path before it looks for a file",
        Ability.HOSTILE_PATHS: "it hangs up at a zero byte",
        Ability.RATE_LIMIT: "it does not count",
    }
    adds: frozenset[str] = frozenset()

    def files(self, release: Release, place: Place) -> dict[str, bytes]:
        return {}
