"""GitHub Pages: files that are found by their names, and one page for all errors.

Pages serves `about.html` at `/about`. A document of another type has a file at its address; if a
folder has that name, the file ends with `.html`, and Pages finds it at the address, too.
"""

from pathlib import PurePosixPath

from comrak import render_markdown

from catalogue import addresses
from site_mirror.gates.reading import read_links, target_of
from site_mirror.hosts.capabilities import (
    MOVED_PAGES,
    ONLY_FILES,
    OWN_VALIDATORS,
    RANGES,
    Capability,
)
from site_mirror.hosts.folder import Files
from site_mirror.hosts.host import Deployment, Host, UnsuitableRelease, render_template
from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE, ServedRelease
from site_mirror.snapshot.entries import Redirect

ARTIFACT_FOLDER = "public"
OWN_ERRORS = "its errors are HTML pages: `404.html`, or one of GitHub's"
OWN_REFUSAL = "its 405 is an HTML page, without `Allow`"


class GitHubPages(Host):
    """A Pages site with a domain of its own; a workflow uploads the folder as its artifact."""

    name = "github-pages"
    cannot = {
        Capability.MEDIA_TYPES: "it derives the type from the suffix of a file",
        Capability.VALIDATORS: OWN_VALIDATORS,
        Capability.HEADERS: "it sends only headers of its own",
        Capability.VARIANTS: "it compresses documents by itself",
        Capability.ETAG_CONDITIONS: OWN_VALIDATORS,
        Capability.DATE_CONDITIONS: OWN_VALIDATORS,
        Capability.PRECONDITIONS: OWN_VALIDATORS,
        Capability.NO_RANGES: RANGES,
        Capability.NEGOTIATION: ONLY_FILES,
        Capability.NOT_FOUND: OWN_ERRORS,
        Capability.NOTHING_ELSE: "it sends every file of the folder",
        Capability.METHODS: OWN_REFUSAL,
        Capability.PREFLIGHT: "it answers OPTIONS with 405",
        Capability.CANONICAL: ONLY_FILES,
        Capability.REDIRECTS: MOVED_PAGES,
        Capability.WRONG_HOST: "another name is another site of GitHub, with its own HTML page",
        Capability.RATE_LIMIT: "it limits requests by rules of its own",
    }

    def files(self, release: ServedRelease, deployment: Deployment) -> Files:
        refuse_lost_links(release)
        files = {
            **{entry.file: release.public / entry.file for entry in release.documents},
            **address_files(release),
            **moved_pages(release),
            # Without `.nojekyll`, Pages leaves out files whose names begin with a dot.
            ".nojekyll": b"",
            "404.html": not_found_html(release),
        }
        return {f"{ARTIFACT_FOLDER}/{name}": content for name, content in files.items()}


def address_files(release: ServedRelease) -> Files:
    """Return files for the addresses at which Pages does not find a file of the snapshot."""
    # The `x` is below an address that ends with a slash, and part of the name of any other.
    folders = {
        each for address in release.by_address for each in PurePosixPath(f"{address}x").parents
    }
    return {
        file_at_address(address, folders): release.public / entry.file
        for address, entry in release.by_address.items()
        if f"/{entry.file}" not in (address, f"{address}.html", f"{address}index.html")
    }


def file_at_address(address: str, folders: set[PurePosixPath]) -> str:
    path = address.removeprefix("/")
    if path.endswith("/"):
        return f"{path}index.html"
    return f"{path}.html" if PurePosixPath(address) in folders else path


def moved_pages(release: ServedRelease) -> Files:
    """Return HTML pages that redirect former pages.

    Former addresses for programs have none, because a program understands a 404 better.
    """
    return {
        f"{redirect.address.removeprefix('/')}.html": moved_page(redirect)
        for redirect in release.redirects
        if is_page_redirect(redirect)
    }


def refuse_lost_links(release: ServedRelease) -> None:
    """Raise `UnsuitableRelease` for links to former addresses that are 404 on hosts of files."""
    lost = {each.address: each.location for each in release.redirects if not is_page_redirect(each)}
    faults = []
    for entry in release.documents if lost else ():
        for link in dict.fromkeys(read_links(entry.media_type, release.file(entry))):
            target = addresses.without_fragment(target_of(link, entry.address, release.root))
            if today := lost.get(target):
                faults.append(
                    f"{entry.address} links to {link}, a former address, which this host cannot "
                    f"redirect: use {today}."
                )
    if faults:
        raise UnsuitableRelease("\n".join(faults))


def is_page_redirect(redirect: Redirect) -> bool:
    last = redirect.address.rpartition("/")[2]
    return not redirect.address.startswith(API_SCOPE) and "." not in last


def moved_page(redirect: Redirect) -> bytes:
    return render_template("github_page.html", {"moved_to": redirect.location})


def not_found_html(release: ServedRelease) -> bytes:
    """Return the site's 404 as an HTML page."""
    text = release.bodies[SITE_SCOPE, 404].decode()
    body = render_markdown(text).strip()
    title = text.partition("\n")[0].lstrip("# ")
    return render_template("github_page.html", {"moved_to": "", "title": title, "body": body})
