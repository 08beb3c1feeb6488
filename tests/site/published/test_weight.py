"""What has to arrive before the home page can be shown."""

import pytest

from tests.site.published.release import ROOT, Release

MOST = 30_000
"""Bytes."""


def compressed(release: Release, address: str) -> int:
    """Bytes of a document in the encoding that every browser takes."""
    entry = release.entries[address]
    return next(found.size for found in entry.encodings if found.encoding == "gzip")


@pytest.mark.parametrize("address", ["/", "/vi"])
def test_the_home_page_and_its_style_are_under_thirty_kilobytes(
    release: Release, address: str
) -> None:
    styles = release.pages[address].values('link[rel="stylesheet"]', "href")
    sizes = {part: compressed(release, part.removeprefix(ROOT)) for part in [address, *styles]}

    assert len(sizes) > 1
    assert sum(sizes.values()) < MOST, sizes
