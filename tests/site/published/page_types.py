"""Prints the address of one page of each type, the longest: `page_types.py TARGET`."""

import sys
from collections.abc import Iterable
from pathlib import Path

from site_mirror.snapshot.target import Target
from tests.site.published.release import Page, Release


def longest_of_each(pages: Iterable[Page]) -> list[Page]:
    """English, for both languages have the same template and the same style."""
    longest: dict[str, Page] = {}
    for page in sorted(pages, key=lambda page: len(page.html)):
        if not page.in_vietnamese:
            longest[page.kind] = page
    return list(longest.values())


if __name__ == "__main__":
    target = Path(sys.argv[1])
    found = Target(target).manifest()
    assert found is not None, f"{target} has no release"
    for page in longest_of_each(Release(target).pages.values()):
        sys.stdout.write(f"{found.site_root}{page.address}\n")
