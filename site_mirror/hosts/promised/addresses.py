"""Addresses that lead elsewhere, and those that lead nowhere."""

from collections.abc import Iterator

from site_mirror.hosts import answers
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.promised.promise import (
    NOTHING,
    Content,
    Form,
    Promise,
    asking,
    both,
    needing,
    of_bytes,
    of_problem,
)
from site_mirror.hosts.release import API, Release, scope_of

UNKNOWN = (
    *("/nothing-here", "/nothing-here.md", "/blog/nothing/here", "/api", "/api/v1/nothing"),
    *("/blog/years/0000", "/blog/years/0001.md", "/vi/blog/years/9999", "/sitemap-0.xml"),
    *("/api/v999", "/api/v999/", "/api/v999/nothing"),
)
"""Among them another version of the API, whose answers do not announce the end of this one."""
ENCODED = ("/api%2Fv1%2Fapps", "/api/v1%2fapps", "/api/v1/apps%2F", "/api%2f/v1/apps/", "/%2Fabout")
FILES = ("/manifest.json", "/index.html", "/404.md", "/api/404.json", "/errors/404.md")
UPWARD = (
    "/api/v1/apps/..",
    "/api/v1/../v1/apps",
    "/%2e%2e/manifest.json",
    "/..%2fmanifest.json",
    "/../manifest.json",
)
HOSTILE = ("/api/%00", "/api/v1/apps/%00", "/%00", "/api/%ff", "/api/v1/apps%5c")
FEW = ("{0}/",)
SLASHES = (*FEW, "/{0}", "{0}//", "{1}//", "{0}/?x=1&y=%2F")
"""An address with slashes too many, as it is and in capital letters."""


def promises(release: Release) -> Iterator[Promise]:
    yield from unknown(release)
    for file in files_that_are_no_address(release):
        yield missing(release, file, Ability.NOTHING_ELSE)
    for path in ENCODED:
        yield missing(release, path, Ability.ENCODED_SLASHES)
    for path in UPWARD:
        yield nothing(path, Ability.UPWARD_PATHS)
    for path in HOSTILE:
        yield nothing(path, Ability.HOSTILE_PATHS)
    for entry in release.documents:
        yield from astray(release, entry.address, SLASHES if entry in release.examples else FEW)
    for redirect in release.redirects:
        yield from both(
            Promise(
                needing(Ability.REDIRECTS),
                asking(redirect.address),
                (redirect.status,),
                redirect.headers,
                NOTHING,
            )
        )


def unknown(release: Release) -> Iterator[Promise]:
    """What is like an address and is none, and what was one."""
    known = {*release.by_address, *(redirect.address for redirect in release.redirects)}
    alike = (f"{entry.address}~" for entry in release.documents)
    upper = (answers.canonical(entry.address.upper()) for entry in release.documents)
    for address in (*UNKNOWN, *alike, *upper, *release.removed):
        if address not in known:
            yield from both(missing(release, address, Ability.NOT_FOUND))


def nothing(path: str, ability: Ability) -> Promise:
    return Promise(needing(ability), asking(path), (400, 404), None, Form.NO_PAGE)


def missing(release: Release, address: str, ability: Ability) -> Promise:
    return Promise(
        needing(ability),
        asking(address),
        (404,),
        answers.refused(release, address, 404),
        error_body(release, address, 404),
    )


def error_body(release: Release, address: str, status: int) -> Content:
    scope = scope_of(address)
    body = release.bodies[scope, status]
    return of_problem(body) if scope == API else of_bytes(body)


def files_that_are_no_address(release: Release) -> Iterator[str]:
    """Paths in the snapshot that nobody published, and files beside it."""
    files = (f"/{file}" for entry in release.documents for file in entry.files)
    known = release.by_address
    yield from (path for path in dict.fromkeys((*files, *FILES)) if path not in known)


def astray(release: Release, address: str, forms: tuple[str, ...]) -> Iterator[Promise]:
    """The same path with slashes too many, a query kept."""
    bare = address.rstrip("/")
    for form in (form.format(bare, bare.upper()) for form in forms):
        path, question, query = form.partition("?")
        location = release.root + answers.canonical(path) + question + query
        if answers.canonical(path) != path:
            yield from both(elsewhere(release, form, location))


def elsewhere(release: Release, form: str, location: str) -> Promise:
    headers = answers.moved(release, form, location)
    return Promise(needing(Ability.CANONICAL), asking(form), (308,), headers, NOTHING)
