"""Methods that write, OPTIONS, and requests for another site."""

from collections.abc import Iterator

from site_mirror.hosts import answers
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.promised.addresses import error_body
from site_mirror.hosts.promised.promise import NOTHING, Form, Promise, asking, needing
from site_mirror.hosts.release import Release, scope_of
from site_mirror.hosts.wire import Request

WRITING = ("POST", "PUT", "PATCH", "DELETE")
ODD = ("TRACE", "BREW", "PROPFIND")
LOWER = ("get", "head", "post")
STRANGER = "not-this-site.example"
PREFLIGHT = {
    "Origin": "https://elsewhere.example",
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match",
}


def promises(release: Release) -> Iterator[Promise]:
    addresses = [*release.by_address, "/nothing-here", "/api/v1/nothing"]
    for address in addresses:
        for method in WRITING:
            yield refused(release, address, method, Ability.METHODS)
        for headers in ({}, PREFLIGHT, PREFLIGHT | {"Access-Control-Request-Method": "DELETE"}):
            yield options(release, address, headers)
    for entry in {scope_of(entry.address): entry for entry in release.documents}.values():
        for method in ODD:
            yield refused(release, entry.address, method, Ability.METHODS)
        for method in LOWER:
            yield refused(release, entry.address, method, Ability.METHOD_CASE)
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
