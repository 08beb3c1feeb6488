"""A page and its mirror say the same, word for word and in the same order."""

from tests.site.published import words
from tests.site.published.release import Release


def test_every_mirror_says_what_its_page_says(release: Release) -> None:
    missing = {
        page.address: words.missing(words.of_page(page.html), words.of_mirror(mirror))
        for page in release.pages.values()
        if (mirror := release.mirrors[page.address])
    }

    assert len(missing) == len(release.pages) > 0
    assert {address: found for address, found in missing.items() if found} == {}


def test_every_page_says_what_its_mirror_says(release: Release) -> None:
    missing = {
        page.address: words.missing(
            words.of_mirror(release.mirrors[page.address]), words.of_page(page.html)
        )
        for page in release.pages.values()
    }

    assert {address: found for address, found in missing.items() if found} == {}
