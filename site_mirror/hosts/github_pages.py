"""GitHub Pages: files, found by their names, and one page for all errors.

`/about` is `about.html` there. A document of another type has a file at its very address, and
where a folder is in the way, one with `.html` after it, which Pages finds at the address too.
"""

from collections.abc import Iterator, Mapping
from html import escape

from comrak import render_markdown

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.folder import Files
from site_mirror.hosts.host import Place
from site_mirror.hosts.release import API, SITE, Release
from site_mirror.snapshot.entries import Redirect

PUBLIC = "public"
NO_RULES = "it has no rules, only files"
OWN_HEADERS = "it sends headers of its own, and no others"
OWN_VALIDATORS = "its tags and dates are its own, of the upload"
OWN_ERRORS = "whatever fails is a page: `404.html`, or one of GitHub's"
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
{head}
</head>
<body>
{body}
</body>
</html>
"""


class GitHubPages:
    """What a workflow uploads as the artifact of a Pages site, at a domain of its own."""

    name = "github-pages"
    cannot: Mapping[Ability, str] = {
        Ability.MEDIA_TYPES: "it knows types by suffixes, and is told none",
        Ability.VALIDATORS: OWN_VALIDATORS,
        Ability.HEADERS: OWN_HEADERS,
        Ability.VARIANTS: "it compresses by itself",
        Ability.ETAG_CONDITIONS: OWN_VALIDATORS,
        Ability.DATE_CONDITIONS: OWN_VALIDATORS,
        Ability.OLD_DATES: OWN_VALIDATORS,
        Ability.PRECONDITIONS: OWN_VALIDATORS,
        Ability.NO_RANGES: "it answers ranges with 206",
        Ability.NEGOTIATION: NO_RULES,
        Ability.NOT_FOUND: OWN_ERRORS,
        Ability.NOTHING_ELSE: "it hands out whatever is in the folder",
        Ability.METHODS: "its 405 is a page, without `Allow`",
        Ability.UNKNOWN_METHODS: "its 405 is a page, without `Allow`",
        Ability.TRACE: "its 405 is a page, without `Allow`",
        Ability.METHOD_CASE: "its 400 is a page",
        Ability.PREFLIGHT: "it answers 405",
        Ability.CANONICAL: NO_RULES,
        Ability.REDIRECTS: "a former page leads on by a page that says so; nothing else does",
        Ability.WRONG_HOST: "another name is another site of GitHub's, with a page of its own",
        Ability.UPWARD_PATHS: "dots in a path are resolved before it looks for a file",
        Ability.ENCODED_SLASHES: "a path is decoded before it looks for a file",
        Ability.HOSTILE_PATHS: OWN_ERRORS,
        Ability.RATE_LIMIT: "it counts by rules of its own",
    }
    adds: frozenset[str] = frozenset()

    def files(self, release: Release, place: Place) -> Files:
        found = {**snapshot(release), **at_addresses(release), **former(release)}
        own = {".nojekyll": b"", "404.html": not_found(release)}
        return {f"{PUBLIC}/{name}": content for name, content in {**found, **own}.items()}


def snapshot(release: Release) -> Files:
    return {entry.file: release.public / entry.file for entry in release.documents}


def at_addresses(release: Release) -> Files:
    """Files for addresses at which Pages would find none of the snapshot."""
    folders = set(folders_of(release))
    return {
        file_at(address, folders): release.public / entry.file
        for address, entry in release.by_address.items()
        if f"/{entry.file}" not in (address, f"{address}.html", f"{address}index.html")
    }


def file_at(address: str, folders: set[str]) -> str:
    path = address.removeprefix("/")
    if path.endswith("/"):
        return f"{path}index.html"
    return f"{path}.html" if path in folders else path


def folders_of(release: Release) -> Iterator[str]:
    """Of every address, the paths that are folders because it lies in them."""
    for address in release.by_address:
        parts = address.strip("/").split("/")
        end = len(parts) + (1 if address.endswith("/") else 0)
        yield from ("/".join(parts[:count]) for count in range(1, end))


def former(release: Release) -> Files:
    """Pages that lead on. What programs read has none: a 404 tells them more than a page."""
    return {
        f"{redirect.address.removeprefix('/')}.html": leading_on(redirect)
        for redirect in release.redirects
        if is_of_a_page(redirect)
    }


def is_of_a_page(redirect: Redirect) -> bool:
    last = redirect.address.rpartition("/")[2]
    return not redirect.address.startswith(API) and "." not in last


def leading_on(redirect: Redirect) -> bytes:
    to = escape(redirect.location)
    head = (
        f'<title>{to}</title>\n<link rel="canonical" href="{to}">\n'
        f'<meta http-equiv="refresh" content="0; url={to}">'
    )
    return page(head, f'<p>This page has moved: <a href="{to}">{to}</a></p>')


def not_found(release: Release) -> bytes:
    """The Markdown of the site's 404 as a page."""
    text = release.bodies[SITE, 404].decode()
    title = escape(text.partition("\n")[0].lstrip("# "))
    head = f'<title>{title}</title>\n<meta name="robots" content="noindex">'
    return page(head, render_markdown(text).strip())


def page(head: str, body: str) -> bytes:
    return PAGE.format(head=head, body=body).encode()
