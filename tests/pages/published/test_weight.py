"""The size of the home page with its style sheets."""

import pytest

from tests.pages.published.release import ROOT, Release

MAX_BYTES = 30_000


def gzip_size(release: Release, address: str) -> int:
    """Return the size of a document in gzip, which every browser accepts."""
    entry = release.entries[address]
    return next(found.size for found in entry.encodings if found.encoding == "gzip")


@pytest.mark.parametrize("address", ["/", "/vi"])
def test_the_home_page_and_its_style_are_under_thirty_kilobytes(
    release: Release, address: str
) -> None:
    styles = release.pages[address].values('link[rel="stylesheet"]', "href")
    sizes = {part: gzip_size(release, part.removeprefix(ROOT)) for part in [address, *styles]}

    assert len(sizes) > 1
    assert sum(sizes.values()) < MAX_BYTES, sizes
