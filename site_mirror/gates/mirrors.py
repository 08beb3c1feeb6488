"""The gate `mirrors`: a page agrees with its mirror and with its translations.

A page and its mirror, and two translations, each make the same statement about the pair. If only
one of them makes it, they disagree, whichever of the two is wrong.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby

from site_mirror.gates.reading import Page, read_page, target_of
from site_mirror.gates.staged import StagedRelease
from site_mirror.snapshot.evidence import Evidence, Statement
from site_mirror.snapshot.verdicts import Verdict

GATE = "mirrors"
DOCUMENTS_PER_STATEMENT = 2
POINTER_BYTES = 4096
"""The beginning of a mirror, which links to its page."""

_CANONICAL_LINK = re.compile(r'<([^>]*)>; rel="canonical"')
_MARKDOWN_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])|&#?\w+;")


def check_page(evidence: Evidence, address: str, page: Page, root: str) -> Iterator[str]:
    """Add the statements of a page, and yield its own faults."""
    canonical = target_of(page.canonical, address, root)
    if len(page.titles) != 1:
        yield f"{address} has {len(page.titles)} headings of the first level, not one"
    if canonical != address:
        yield f"{address} names {canonical or 'no page'} as its canonical address"
    if not page.mirror:
        yield f"{address} names no Markdown mirror"
    if page.translations and address not in translations_of(page, root).values():
        yield f"{address} is not among its own alternates"
    evidence.checked[GATE] += 1
    evidence.statements |= {*statements_of_page(address, page, root)}


def statements_of_page(address: str, page: Page, root: str) -> Iterator[Statement]:
    translations = translations_of(page, root)
    group = " ".join(f"{language}={each}" for language, each in sorted(translations.items()))
    for other in {*translations.values()} - {address}:
        one, two = sorted((address, other))
        yield Statement(one, two, is_translation=True, said=group)
    if page.mirror:
        mirror = target_of(page.mirror, address, root)
        title = page.titles[0] if page.titles else ""
        yield Statement(address, mirror, is_translation=False, said=title)


def translations_of(page: Page, root: str) -> dict[str, str]:
    return {language: target_of(link, "/", root) for language, link in page.translations.items()}


def check_mirror(
    evidence: Evidence, address: str, headers: Mapping[str, str], body: bytes, root: str
) -> Iterator[str]:
    """Add the statement of a mirror; a Markdown file without a canonical page is not one."""
    statement = statement_of_mirror(address, headers, body, root)
    if statement is None:
        return
    if not links_to_page(body, statement.page, root):
        yield f"{address} does not link to its page"
    evidence.checked[GATE] += 1
    evidence.statements.add(statement)


def statement_of_mirror(
    address: str, headers: Mapping[str, str], body: bytes, root: str
) -> Statement | None:
    canonical = _CANONICAL_LINK.search(headers.get("Link", ""))
    if canonical is None:
        return None
    page = target_of(canonical[1], address, root)
    return Statement(page, address, is_translation=False, said=title_of_mirror(body))


def links_to_page(body: bytes, page: str, root: str) -> bool:
    return f"<{root}{page}>".encode() in body[:POINTER_BYTES]


def title_of_mirror(body: bytes) -> str:
    """Return the text of the first line, or nothing if it is not a title."""
    first = body.partition(b"\n")[0]  # Front matter or a blank line is a fault.
    if not first.startswith(b"# "):
        return ""
    return _MARKDOWN_ESCAPE.sub(
        lambda escaped: escaped[1] or html.unescape(escaped[0]), first[2:].decode()
    ).strip()


def judge(release: StagedRelease) -> Verdict:
    disputed = find_disputed(release, release.evidence.statements)
    return release.verdict(GATE, "pages and mirrors", describe_disputes(disputed))


def find_disputed(release: StagedRelease, unmatched: set[Statement]) -> set[Statement]:
    """Return the statements that only one of two documents makes, read from the files of both.

    The other document of an unmatched statement may be one that is reused and was not checked.
    """
    pairs = {(each.page, each.other, each.is_translation) for each in unmatched}
    pages = {page for page, _, _ in pairs} | {other for _, other, both in pairs if both}
    mirrors = {other for _, other, both in pairs if not both}
    made = Counter(each for page in pages for each in read_statements_of_page(release, page))
    made.update(filter(None, (read_statement_of_mirror(release, each) for each in mirrors)))
    return {
        each
        for each in unmatched | made.keys()
        if made[each] < DOCUMENTS_PER_STATEMENT
        and (each.page, each.other, each.is_translation) in pairs
    }


def read_statements_of_page(release: StagedRelease, address: str) -> Iterator[Statement]:
    body = release.read_document(address, "text/html")
    if body:
        yield from statements_of_page(address, read_page(body), release.root)


def read_statement_of_mirror(release: StagedRelease, address: str) -> Statement | None:
    body = release.read_document(address, "text/markdown") or b""
    statement = statement_of_mirror(address, release.headers_of(address), body, release.root)
    if statement and links_to_page(body, statement.page, release.root):
        return statement
    return None


def describe_disputes(disputed: set[Statement]) -> Iterator[str]:
    for (page, other, is_translation), group in groupby(
        sorted(disputed), key=lambda each: (each.page, each.other, each.is_translation)
    ):
        titles = [each.said for each in group]
        if is_translation:
            yield f"{page} and {other} do not name the same alternates"
        elif len(titles) == 1:
            yield f"{page} and its mirror {other} do not name each other"
        else:
            yield f"{page} and its mirror {other} have different titles: {' and '.join(titles)}"
