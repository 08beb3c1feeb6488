"""Where links of pages lead; the gates of each freeze refuse links that lead nowhere."""

from urllib.parse import urlsplit

from tests.pages.published.release import ROOT, Release

EXTERNAL_SCHEMES = {"https", "mailto"}


def test_every_external_link_has_an_encrypted_scheme(release: Release) -> None:
    targets = {each for page in release.pages.values() for each in page.values("[href]", "href")}
    external = {each for each in targets if urlsplit(each).scheme and not each.startswith(ROOT)}

    assert external
    assert {each for each in external if urlsplit(each).scheme not in EXTERNAL_SCHEMES} == set()


def test_every_page_can_be_reached_from_the_home_page(release: Release) -> None:
    reached, pending = set(), ["/"]
    while pending:
        page = release.pages[pending.pop()]
        reached.add(page.address)
        paths = {urlsplit(target).path for target in page.values("body a[href]", "href")}
        pending += [path for path in paths & release.pages.keys() if path not in reached]

    assert release.pages.keys() - reached == set()
