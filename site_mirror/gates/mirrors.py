"""The gate `mirrors`: a page agrees with its mirror and with its translations.

A page and its mirror, and two translations, each make the same statement about the pair. If only
one of them makes it, they disagree, whichever of the two is wrong.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping

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
    pairs = {(each.page, each.other) for each in release.evidence.statements}
    disputes = (find_dispute(release, *pair) for pair in sorted(pairs))
    return release.verdict(GATE, "pages and mirrors", filter(None, disputes))


def find_dispute(release: StagedRelease, page: str, other: str) -> str:
    """Describe how two documents disagree about a pair; nothing if they agree.

    Their files are read, because one of them may be reused and so was not checked.
    """
    made = [each for address in (page, other) for each in read_statements(release, address)]
    counts = Counter(each for each in made if (each.page, each.other) == (page, other))
    if set(counts.values()) == {DOCUMENTS_PER_STATEMENT}:
        return ""
    if any(each.is_translation for each in counts):
        return f"{page} and {other} do not name the same alternates"
    if counts.total() < DOCUMENTS_PER_STATEMENT:
        return f"{page} and its mirror {other} do not name each other"
    titles = " and ".join(sorted(each.said for each in counts))
    return f"{page} and its mirror {other} have different titles: {titles}"


def read_statements(release: StagedRelease, address: str) -> Iterator[Statement]:
    if page := release.read_document(address, "text/html"):
        yield from statements_of_page(address, read_page(page), release.root)
    elif mirror := release.read_document(address, "text/markdown"):
        statement = statement_of_mirror(address, release.headers_of(address), mirror, release.root)
        if statement and links_to_page(mirror, statement.page, release.root):
            yield statement
