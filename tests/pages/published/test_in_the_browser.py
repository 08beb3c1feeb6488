"""Pages in a real browser, wide and narrow, light and dark: two of them, or all."""

from collections.abc import Iterator

import pytest

from tests.pages.published.browser_visits import FAULTY_PAGE, LAYOUTS, MIN_WIDTH_PIXELS, Visit
from tests.pages.published.fault_report import assert_no_faults
from tests.pages.published.release import ROOT

pytestmark = pytest.mark.browser
Visits = dict[str, Visit]


def visits_of_pages(visits: Visits) -> Iterator[tuple[str, Visit]]:
    return ((address, found) for address, found in visits.items() if address != FAULTY_PAGE)


def test_each_page_was_visited_in_every_layout(visits: Visits, visited_pages: list[str]) -> None:
    layouts = {(address, *found["axe"]) for address, found in visits_of_pages(visits)}

    names = [f"{width} {scheme}" for width, scheme in LAYOUTS]
    assert layouts == {(address, *names) for address in visited_pages} != set()


def test_axe_finds_no_violation_and_no_page_is_wider_than_its_window(visits: Visits) -> None:
    """No pseudo-element paints a background, either: axe could not compute a contrast on it."""
    assert_no_faults(
        {
            f"{address} at {layout}": found
            for address, visit in visits_of_pages(visits)
            for kind in ("axe", "painted", "overflow")
            for layout, found in visit[kind].items()
        }
    )


def test_a_page_requests_nothing_from_another_host_and_reports_no_problem(visits: Visits) -> None:
    assert_no_faults(
        {
            address: [
                *(url for url in visit["requests"] if not url.startswith(f"{ROOT}/")),
                *visit["problems"],
            ]
            for address, visit in visits_of_pages(visits)
        }
    )


def test_a_visit_finds_the_faults_of_a_faulty_page(visits: Visits) -> None:
    visit = visits[FAULTY_PAGE]

    assert all(any("image-alt" in fault for fault in faults) for faults in visit["axe"].values())
    assert visit["overflow"].keys() == {"1280", "390", str(MIN_WIDTH_PIXELS)}
    assert all(visit["overflow"].values())
    assert "http://elsewhere.example/icon.svg" in visit["requests"]
    assert {"a word", "failed: http://elsewhere.example/icon.svg"} <= set(visit["problems"])
