"""Every page in a real browser: wide and narrow, light and dark."""

from collections.abc import Iterator

import pytest

from tests.site.published.faults import none_in
from tests.site.published.release import ROOT, Release
from tests.site.published.visits import FAULTY, LAYOUTS, NARROWEST, Seen

pytestmark = pytest.mark.browser
Visits = dict[str, Seen]


def pages(seen: Visits) -> Iterator[tuple[str, Seen]]:
    return ((address, found) for address, found in seen.items() if address != FAULTY)


def test_every_page_was_visited_in_every_layout(seen: Visits, release: Release) -> None:
    layouts = {(address, *found["axe"]) for address, found in pages(seen)}

    names = [f"{width} {scheme}" for width, scheme in LAYOUTS]
    assert layouts == {(address, *names) for address in release.pages} != set()


def test_axe_finds_nothing(seen: Visits) -> None:
    faults = {
        f"{address} at {layout}": found
        for address, visit in pages(seen)
        for layout, found in visit["axe"].items()
    }

    none_in(faults)


def test_nothing_is_painted_behind_a_text_that_axe_does_not_see(seen: Visits) -> None:
    none_in(
        {
            f"{address} at {layout}": found
            for address, visit in pages(seen)
            for layout, found in visit["painted"].items()
        }
    )


def test_no_page_is_wider_than_its_window(seen: Visits) -> None:
    wide = {
        f"{address} at {width}": found
        for address, visit in pages(seen)
        for width, found in visit["overflow"].items()
    }

    none_in(wide)


def test_no_page_asks_another_host_for_anything(seen: Visits) -> None:
    foreign = {
        address: [url for url in visit["requests"] if not url.startswith(f"{ROOT}/")]
        for address, visit in pages(seen)
    }

    none_in(foreign)


def test_nothing_fails_and_nothing_is_written_to_the_console(seen: Visits) -> None:
    none_in({address: visit["problems"] for address, visit in pages(seen)})


def test_a_faulty_page_has_every_fault_that_is_looked_for(seen: Visits) -> None:
    found = seen[FAULTY]

    assert all(any("image-alt" in each for each in faults) for faults in found["axe"].values())
    assert found["overflow"].keys() == {"1280", "390", str(NARROWEST)}
    assert all(found["overflow"].values())
    assert "http://elsewhere.example/icon.svg" in found["requests"]
    assert {"a word", "failed: http://elsewhere.example/icon.svg"} <= set(found["problems"])
