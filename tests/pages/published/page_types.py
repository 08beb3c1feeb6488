"""Prints the address of one page of each type, the longest: `page_types.py TARGET`."""

import sys
from collections.abc import Iterable
from pathlib import Path

from site_mirror.snapshot.target import Target
from tests.pages.published.release import Page, Release


def find_longest_pages(pages: Iterable[Page]) -> list[Page]:
    """Return the longest page of each type in English; both languages have the same templates."""
    longest: dict[str, Page] = {}
    for page in sorted(pages, key=lambda page: len(page.html)):
        if not page.in_vietnamese:
            longest[page.kind] = page
    return list(longest.values())


if __name__ == "__main__":
    target = Path(sys.argv[1])
    manifest = Target(target).manifest()
    assert manifest is not None, f"{target} has no release"
    for page in find_longest_pages(Release(target).pages.values()):
        sys.stdout.write(f"{manifest.site_root}{page.address}\n")
