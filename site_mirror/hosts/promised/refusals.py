"""Methods that write, OPTIONS, and requests for another site."""

from collections.abc import Iterator

from site_mirror.hosts import answers
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.promised.addresses import error_body
from site_mirror.hosts.promised.promise import NOTHING, Form, Promise, asking, needing
from site_mirror.hosts.release import Release
from site_mirror.hosts.wire import Request

WRITING = ("POST", "PUT", "PATCH", "DELETE", "PROPFIND")
UNKNOWN, TRACE = "BREW", "TRACE"
IN_LOWER_CASE = ("get", "head", "post")
STRANGER = "not-this-site.example"
PREFLIGHT = {
    "Origin": "https://elsewhere.example",
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match",
}
PREFLIGHTS = (PREFLIGHT, PREFLIGHT | {"Access-Control-Request-Method": "DELETE"})


def promises(release: Release) -> Iterator[Promise]:
    for address in release.by_address:
        yield refused(release, address, "POST", Ability.METHODS)
        yield options(release, address, {})
    for entry in release.examples:
        for form in (f"/{entry.address}", f"{entry.address}//"):
            yield options(release, form, PREFLIGHT)
    examples = (entry.address for entry in release.examples)
    for address in (*examples, "/nothing-here", "/api/v1/nothing"):
        for method in WRITING:
            yield refused(release, address, method, Ability.METHODS)
        yield refused(release, address, UNKNOWN, Ability.UNKNOWN_METHODS)
        yield refused(release, address, TRACE, Ability.TRACE)
        for method in IN_LOWER_CASE:
            yield refused(release, address, method, Ability.METHOD_CASE)
        for headers in PREFLIGHTS:
            yield options(release, address, headers)
    yield from strangers(release)


def refused(release: Release, address: str, method: str, ability: Ability) -> Promise:
    return Promise(
        needing(ability),
        asking(address, method),
        (405,),
        answers.refused(release, address, 405),
        error_body(release, address, 405),
    )


def options(release: Release, address: str, headers: dict[str, str]) -> Promise:
    request = Request(address, "OPTIONS", headers)
    promised = answers.preflight(release, address)
    return Promise(needing(Ability.PREFLIGHT), request, (204,), promised, NOTHING)


def strangers(release: Release) -> Iterator[Promise]:
    """Who names another site gets nothing of this one."""
    api = asking("/api/v1/apps", host=STRANGER)
    headers = answers.refused(release, api.address, 400)
    needs, body = needing(Ability.WRONG_HOST), error_body(release, api.address, 400)
    yield Promise(needs, api, (400,), headers, body)
    for address in ("/", "/nothing-here"):
        request = asking(address, host=STRANGER)
        yield Promise(needs, request, (400,), None, Form.NO_PAGE)
