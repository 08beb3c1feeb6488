"""What a reader sees first, in a browser with Android's serif; fonts and scripts arrive late."""

import re
from collections.abc import Iterable, Iterator
from math import pi, sqrt
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browsers import PATIENCE_MILLISECONDS, running_chromium
from tests.pages.published.lighthouse import find_longest_pages
from tests.pages.published.release import ROOT, Release
from tests.requirements import needs_file

pytestmark = pytest.mark.browser

Faults = dict[str, tuple[float, list[str]]]
PHONE, DESKTOP = (390, 844), (1280, 800)
MOST_SHIFT = 0.02
PIXELS_PER_METRE = 96 / 0.0254
FONT = Path("/usr/share/fonts/truetype/noto/NotoSerif-Regular.ttf")
PAGES = (
    *("/", "/apps/wheria", "/vi/science", "/docs/api", "/search"),
    *("/vi/blog/breathing-at-six-per-minute", "/blog/a-pendulum-in-your-pocket"),
)
OBSERVE_SHIFTS = """
window.painted = new Promise((painted) => {
  new PerformanceObserver(painted).observe({ type: "paint", buffered: true });
});
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
SHOW = """new Promise((shown) => {
  requestAnimationFrame(() => requestAnimationFrame(shown));
})"""
FIND_UNMARKED_CUTS = """
() => [...document.querySelectorAll("main *")]
  .filter((each) => getComputedStyle(each).overflowX === "auto")
  .filter((each) => each.scrollWidth > each.clientWidth)
  .filter((each) => !getComputedStyle(each).backgroundAttachment.includes("local, local, scroll"))
  .concat(...[...document.querySelectorAll(".table")]
    .filter((each) => each.scrollWidth === each.clientWidth)
    .map((each) => [...each.querySelectorAll(":is(th, td):last-child")]))
  .filter((each) => !each.matches("th, td") || each.getBoundingClientRect().right
    - parseFloat(getComputedStyle(each).paddingRight) > innerWidth - 16)
  .map((each) => each.outerHTML.slice(0, 120))
"""
"""Also finds the cells of a table that fits whose text would touch the edge of the window."""
FIND_TORN_TEXTS = """
() => [...document.querySelectorAll(".facts a, td:has(time), td:first-child:nth-last-child(n + 4)")]
  .map((each) => [each.textContent.trim(), each.getBoundingClientRect().height
    / parseFloat(getComputedStyle(each).lineHeight)])
  .map(([text, lines]) => [text, Math.round(lines - 0.2), text.split(/\\s+/).length])
  .filter(([, lines, words]) => lines > 1 && words !== 2 && lines > 0.7 * words)
"""
"""Finds addresses, dates and first cells of wide tables with about a word in a line, or less."""

FIND_LONG_WORDS_OUTSIDE = """
() => {
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  const apart = "pre, .table, math, svg, .statistics dd, .note, .follow";
  const words = texts.filter((each) => each.data.trim() && !each.parentElement.closest(apart));
  for (const each of words) each.data = "Rindfleischetikettierung".repeat(4);
  for (const each of document.querySelectorAll(".statistics dd")) each.textContent = "1,000,000+";
  for (const each of document.querySelectorAll(".prose p > math")) {
    each.innerHTML = each.innerHTML.repeat(60);
  }
  const range = document.createRange();
  const isOutside = (text) => {
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    const list = text.parentElement.closest(".items") ?? document.documentElement;
    return left < list.getBoundingClientRect().left || right > innerWidth;
  };
  return words.filter(isOutside).map((each) => each.parentElement.outerHTML.slice(0, 60))
    .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is wider"] : []);
}
"""


@pytest.fixture(scope="module")
def browser(live_port: int) -> Iterator[Browser]:
    needs_file(FONT, "fonts-noto-core")
    host = ROOT.removeprefix("http://")
    with running_chromium(f"--host-resolver-rules=MAP {host}:80 127.0.0.1:{live_port}") as browser:
        yield browser


def open_page(browser: Browser, size: tuple[int, int], address: str) -> Page:
    """Open a page whose fonts and scripts arrive after its first paint, one after the other."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    page = context.new_page()
    page.add_init_script(OBSERVE_SHIFTS)
    held = list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"\.(woff2|js)$"), hold)
    page.goto(ROOT + address, wait_until="commit")
    page.evaluate("window.painted")
    while held or page.evaluate("document.fonts.status") == "loading":
        if held:
            last = held.pop()
            last.continue_()
            last.request.response()
            page.evaluate(SHOW)
    page.wait_for_load_state()
    page.evaluate(SHOW)
    return page


def find_faults(browser: Browser, size: tuple[int, int], addresses: Iterable[str]) -> Faults:
    """Return the pages that move, by how much, and those that cut something without a sign."""
    faults = {}
    for address in addresses:
        page = open_page(browser, size, address)
        shift, cuts = page.evaluate("window.shift"), page.evaluate(FIND_UNMARKED_CUTS)
        if shift > MOST_SHIFT or cuts:
            faults[address] = (round(shift, 3), cuts)
        page.context.close()
    return faults


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_when_fonts_and_scripts_arrive_and_no_cut_is_unmarked(
    browser: Browser, size: tuple[int, int]
) -> None:
    assert not find_faults(browser, size, PAGES)


@pytest.mark.exhaustive("opens each type of page at five widths: four minutes")
@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1920])
def test_nothing_moves_on_any_type_of_page(browser: Browser, release: Release, width: int) -> None:
    pages = release.pages.values()
    found = [
        address
        for is_vietnamese in (False, True)
        for address in find_longest_pages(pages, in_vietnamese=is_vietnamese)
    ]

    assert not find_faults(browser, (width, PHONE[1]), found)


def test_a_formula_is_not_drawn_in_a_font_without_roots(browser: Browser) -> None:
    page = open_page(browser, PHONE, "/blog/a-pendulum-in-your-pocket")

    displays = page.evaluate(
        "[...document.fonts].filter((f) => f.family.includes('Math')).map((f) => f.display)"
    )
    assert displays == ["block"]
    assert page.locator('link[rel="preload"][as="font"]').count() == 1


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize(
    ("address", "selector"),
    [
        ("/", ".pendulum"),
        ("/apps", ".cards li"),
        ("/blog", ".cards li a"),
        ("/apps/wheria", ".stores a"),
    ],
)
def test_what_a_page_is_about_is_in_its_first_screen(
    browser: Browser, size: tuple[int, int], address: str, selector: str
) -> None:
    page = open_page(browser, size, address)
    place = page.locator(selector).first.bounding_box()

    assert place is not None
    assert place["y"] + place["height"] <= size[1]


def test_the_pendulum_swings_once_in_its_true_time(browser: Browser) -> None:
    page = open_page(browser, DESKTOP, "/")
    [timing] = page.evaluate(
        "document.querySelector('.pendulum .swing').getAnimations()"
        ".map((each) => each.effect.getComputedTiming())"
    )
    string = page.locator(".pendulum .mark").first.bounding_box()

    assert string is not None
    length = sqrt(string["width"] ** 2 + string["height"] ** 2) / PIXELS_PER_METRE
    assert timing["duration"] / 1000 == pytest.approx(2 * pi * sqrt(length / 9.81), rel=0.01)
    assert timing["iterations"] == 1


def test_scales_are_equally_long_and_no_link_to_the_other_language_is_alone(
    browser: Browser,
) -> None:
    page = open_page(browser, PHONE, "/")
    for width in (320, PHONE[0], 480, 768, DESKTOP[0]):
        page.set_viewport_size({"width": width, "height": 900})
        lengths = page.evaluate(
            "[...document.querySelectorAll('.statistics dt')]"
            ".map((each) => getComputedStyle(each, '::before').width)"
        )
        assert (len(lengths), len({*lengths})) == (4, 1), width
        tops = page.evaluate(
            "[...document.querySelectorAll('.masthead a')].slice(-2)"
            ".map((each) => each.getBoundingClientRect().top)"
        )
        assert tops[0] == tops[1], width


def test_no_address_date_or_first_cell_is_torn_on_a_small_phone(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 640})
    torn = {}
    for address in ("/about", "/vi/docs/versioning", "/vi/blog/breathing-at-six-per-minute"):
        page.goto(ROOT + address)
        torn[address] = page.evaluate(FIND_TORN_TEXTS)
    assert not any(torn.values()), torn


@pytest.mark.parametrize("width", [320, DESKTOP[0]])
def test_no_long_word_or_formula_of_an_editor_leaves_the_window(
    browser: Browser, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    outside = {}
    for address in ("/", "/apps/wheria", "/blog", "/blog/a-pendulum-in-your-pocket", "/timeline"):
        page.goto(ROOT + address)
        outside[address] = page.evaluate(FIND_LONG_WORDS_OUTSIDE)
    assert not any(outside.values()), outside


def test_a_long_table_beside_a_text_moves_nothing_below_the_text(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": DESKTOP[0], "height": DESKTOP[1]})
    page.goto(ROOT + "/science")
    distances = page.evaluate(
        "[...document.querySelectorAll('.topic > .table ~ .links')].map((each) => Math.round("
        "each.firstElementChild.getBoundingClientRect().top"
        " - each.parentElement.children[2].getBoundingClientRect().bottom))"
    )
    assert (len(distances) > 10, len({*distances})) == (True, 1), distances
