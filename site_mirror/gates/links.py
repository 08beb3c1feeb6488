"""The gate `links`: every link to this site leads to something that is published."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct, field

from catalogue.addresses import without_fragment
from site_mirror.documents.family import file_of
from site_mirror.gates.reading import Page, header_links, read_links, read_page, target_of
from site_mirror.gates.staged import StagedRelease
from site_mirror.snapshot import files
from site_mirror.snapshot.layout import ANCHORS, PUBLIC
from site_mirror.snapshot.verdicts import Verdict

GATE = "links"
MAX_NEEDLES = 50
"""Names that are searched in a text one by one, because that is faster than reading its links."""


class DocumentLinks(Struct):
    """The links of a document: to this site, to other sites, and to anchors of its own."""

    targets: set[str] = field(default_factory=set)
    outside: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)


def sort_links(links: Iterable[str], address: str, root: str) -> DocumentLinks:
    found, own = DocumentLinks(), f"{address}#"
    for link in {*links}:  # Navigation and footer repeat many.
        target = target_of(link, address, root)
        if not target:
            found.outside.append(link)
        elif target.startswith(own):
            found.anchors.add(target.removeprefix(own))
        else:
            found.targets.add(target)
    return found


def find_missing_anchors(address: str, found: DocumentLinks, page: Page) -> Iterator[str]:
    for name in sorted(found.anchors - page.anchors):
        yield f"{address} links to #{name}, which it does not have"


def find_wrong_self(address: str, body: Any, root: str) -> Iterator[str]:
    """Yield a sentence if a body of the API says that it is at another address."""
    own = root + address
    if isinstance(body, dict) and body.get("self", own) != own:
        yield f"{address} says that it is {body['self']}"


def judge(release: StagedRelease, removed: frozenset[str]) -> Verdict:
    """Return the verdict; `removed` addresses are answered by the published release only."""
    redirects = {
        each.address: target_of(each.location, "/", release.root)
        for each in release.candidate.manifest.redirects
    }
    failures = [
        f"{address} leads to {release.root}{target}, which is not a document"
        for address, target in redirects.items()
        if not release.publishes(target)
    ]
    release.documents.published.update(redirects)  # A link may lead to one: browsers follow it.
    pages = {without_fragment(target) for target in release.evidence.targets}
    dead = {page for page in pages if not release.publishes(page)}
    dead |= find_dead_anchors(release, redirects)
    # Reused documents are not among the evidence, and may link to what is no longer there.
    dead |= removed if release.documents.reused else set()
    failures += find_dead_links(release, dead)
    failures += find_dead_links_of_errors(release)
    checked = len(redirects) + len(release.candidate.manifest.errors)
    return release.verdict(GATE, "links", failures, checked)


def find_dead_anchors(release: StagedRelease, redirects: dict[str, str]) -> set[str]:
    """Return anchors of published pages that documents link to and that are not there."""
    linked = {target for target in release.evidence.targets if "#" in target}
    reused = read_reused_anchors(release)
    write_anchors(release, linked | reused)
    linked |= {each for each in reused if is_new(release, without_fragment(each))}
    dead = set[str]()
    for address, anchors in groupby(sorted(linked), key=without_fragment):
        if release.publishes(address):
            body = release.read_document(redirects.get(address, address), "text/html") or b""
            names = read_page(body).anchors
            dead |= {anchor for anchor in anchors if anchor.partition("#")[2] not in names}
    return dead


def is_new(release: StagedRelease, address: str) -> bool:
    """Whether the file of a page is not that of the published release."""
    workspace, file = release.candidate.workspace, f"{PUBLIC}/{file_of(address, 'text/html')}"
    staged = workspace.staging / file
    try:
        return not (workspace.published and staged.samefile(workspace.published / file))
    except OSError:
        return staged.is_file()


def read_reused_anchors(release: StagedRelease) -> set[str]:
    """Return anchors that reused documents may link to; some links may no longer exist."""
    published = release.candidate.workspace.published
    if not release.documents.reused or published is None:
        return set()
    with suppress(FileNotFoundError):
        return {*files.read_file(published, ANCHORS).decode().splitlines()}
    return set()


def write_anchors(release: StagedRelease, anchors: set[str]) -> None:
    """Store the anchors with links, because the links of reused documents are not read again."""
    lines = "".join(f"{anchor}\n" for anchor in sorted(anchors))
    path = Path(release.candidate.workspace.staging, ANCHORS)
    files.write_file(str(path), lines.encode(), files.PRIVATE_FILE_MODE)


def find_dead_links(release: StagedRelease, dead: set[str]) -> Iterator[str]:
    """Yield a sentence for each document and dead target, read from all files of the release."""
    # The last part of an address is in each link to it, also in a relative one.
    needles = {without_fragment(target).rpartition("/")[2].encode() for target in dead}
    for text in release.candidate.manifest.documents.raw_lines() if dead else ():
        line = orjson.loads(text)
        address, links = line["document"], header_links(line["headers"])
        for words in describe_dead_links(release, links, address, dead):
            yield f"the header Link of {address} leads to {words}"
        body = release.read_file(line["file"]) or b""
        if len(needles) > MAX_NEEDLES or any(needle in body for needle in needles):
            links = read_links(line["mediaType"], body)
            for words in describe_dead_links(release, links, address, dead):
                yield f"{address} links to {words}"


def find_dead_links_of_errors(release: StagedRelease) -> Iterator[str]:
    for error in release.candidate.manifest.errors:
        links = read_links(error.media_type, release.read_error_body(error.file))
        pages = map(without_fragment, sort_links(links, error.scope, release.root).targets)
        dead = {page for page in pages if not release.publishes(page)}
        for words in describe_dead_links(release, links, error.scope, dead):
            yield f"the body of a {error.status} below {error.scope} links to {words}"


def describe_dead_links(
    release: StagedRelease, links: Iterable[str], address: str, dead: set[str]
) -> Iterator[str]:
    for target in sorted(sort_links(links, address, release.root).targets):
        page = without_fragment(target)
        if page in dead:
            yield f"{target}, where nothing is published"
        elif target in dead:
            yield f"{target}, and {page} has no such place"
