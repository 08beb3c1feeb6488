"""Visits of pages in a browser: one Chromium with several tabs."""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser, Page, Response, async_playwright

from tests.browsers import PATIENCE_MILLISECONDS
from tests.requirements import ARGUMENTS, needs_chromium, needs_module
from tests.site.published.release import ROOT

TAB_COUNT = 2
MIN_WIDTH_PIXELS = 320
FAULTY_PAGE = "a faulty page"
"""A page with faults, which is visited to prove that visits find faults."""
FAULTY_HTML = """
<script>console.log("a word")</script>
<img src="http://elsewhere.example/icon.svg" width="2000" height="20">
"""
LAYOUTS: list[tuple[int, Literal["light", "dark"]]] = [
    (1280, "light"),
    (1280, "dark"),
    (390, "dark"),
    (390, "light"),
]
AXE_OPTIONS = {
    "resultTypes": ["violations", "incomplete"],
    "runOnly": [
        *("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"),
        "best-practice",
    ],
    "checks": {"color-contrast": {"options": {"ignorePseudo": True}}},
}
"""axe ignores pseudo-elements, which may be lines; `FIND_PAINTED` finds those that are not."""
EXCUSED_REASONS = ["elmPartiallyObscured", "nonBmp", "shortTextContent"]
"""Reasons why axe may not compute a contrast: the text is scrolled away, or a single sign."""
RUN_AXE = """
async ([options, cannotTell]) => {
  const found = await axe.run(document, options);
  const describe = (kind, each) => each.nodes
    .filter((node) => kind !== "incomplete"
      || ![...node.any, ...node.all].every((check) => cannotTell.includes(check.data?.messageKey)))
    .map((node) => `${each.id} (${kind}): ${node.target.join(" ")}: ${node.failureSummary}`);
  return ["violations", "incomplete"].flatMap(
    (kind) => found[kind].flatMap((each) => describe(kind, each)));
}
"""
FIND_OVERFLOW = """
() => {
  const wide = document.documentElement.clientWidth;
  const scrolls = (element) => element !== null && element !== document.body
    && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > wide + 0.5)
    .filter((element) => !scrolls(element.parentElement))
    .map((element) => element.outerHTML.slice(0, 120))
    .concat(document.documentElement.scrollWidth > wide ? ["the page"] : []);
}
"""
FIND_PAINTED = """
() => [...document.querySelectorAll("body, body *")].flatMap(
  (element) => ["::before", "::after"].filter((pseudo) => {
    const style = getComputedStyle(element, pseudo);
    const painted = style.backgroundImage !== "none"
      || !/^(transparent|rgba\\(.*, 0\\))$/.test(style.backgroundColor);
    return style.content !== "none" && style.display !== "none" && painted
      && Math.min(parseFloat(style.width), parseFloat(style.height)) > 10;
  }).map((pseudo) => `${element.tagName}.${element.className}${pseudo}`))
"""
FORCE_LAYOUT = """
() => {
  for (const element of document.querySelectorAll("main *")) {
    if (getComputedStyle(element).contentVisibility === "auto") {
      element.style.contentVisibility = "visible";
    }
  }
}
"""
"""The style lets a browser skip parts outside the view, but axe must examine the whole page."""
Visit = dict[str, Any]
"""The `problems` and `requests` of a page, and `axe`, `painted` and `overflow` by layout."""


def read_visits(file: Path) -> dict[str, Visit]:
    return dict(json.loads(file.read_text()))


def write_visits(addresses: Iterable[str], port: int, file: Path) -> None:
    """Visit all addresses of an origin and write the visits to a file, as JSON."""
    executable = needs_chromium()
    axe = needs_module("axe-core/axe.min.js").read_text()
    visits = asyncio.run(visit_addresses(list(addresses), port, executable, axe))
    file.write_text(json.dumps(visits))


async def visit_addresses(
    addresses: list[str], port: int, executable: Path, axe: str
) -> dict[str, Visit]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=executable, args=[*ARGUMENTS, resolver_option(port)]
        )
        visits: dict[str, Visit] = {}
        remaining = iter(addresses)
        await asyncio.gather(
            *(visit_in_a_tab(browser, remaining, axe, visits) for _ in range(TAB_COUNT))
        )
        await browser.close()
    return visits


def resolver_option(port: int) -> str:
    """Return the option with which a browser finds the site at a port, and no other host."""
    host = ROOT.removeprefix("http://")
    return f"--host-resolver-rules=MAP {host}:80 127.0.0.1:{port}, MAP * ~NOTFOUND"


async def visit_in_a_tab(
    browser: Browser, remaining: Iterator[str], axe: str, visits: dict[str, Visit]
) -> None:
    """Visit addresses one after the other until none remains."""
    page = await browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MILLISECONDS)
    await page.add_init_script(axe)
    for address in remaining:
        visit: Visit = {"problems": [], "requests": [], "axe": {}, "painted": {}, "overflow": {}}
        visits[address] = visit
        with record_events(page, visit["problems"], visit["requests"]):
            await open_page(page, address)
            await page.evaluate(FORCE_LAYOUT)
            await examine_page(page, visit)


async def open_page(page: Page, address: str) -> None:
    if address == FAULTY_PAGE:
        await page.goto("about:blank")
        await page.set_content(FAULTY_HTML)
    else:
        await page.goto(ROOT + address)


async def examine_page(page: Page, visit: Visit) -> None:
    """Record the findings of axe and the overflow of a page in every layout."""
    for width, scheme in LAYOUTS:
        await page.set_viewport_size({"width": width, "height": 900})
        await page.emulate_media(color_scheme=scheme)
        layout = f"{width} {scheme}"
        visit["axe"][layout] = await page.evaluate(RUN_AXE, [AXE_OPTIONS, EXCUSED_REASONS])
        visit["painted"][layout] = await page.evaluate(FIND_PAINTED)
        visit["overflow"][width] = await page.evaluate(FIND_OVERFLOW)
    await page.set_viewport_size({"width": MIN_WIDTH_PIXELS, "height": 900})
    visit["overflow"][MIN_WIDTH_PIXELS] = await page.evaluate(FIND_OVERFLOW)


@contextmanager
def record_events(page: Page, problems: list[str], requests: list[str]) -> Iterator[None]:
    """Record the requests of a page, its errors, and its messages to the console."""

    def note_answer(answer: Response) -> None:
        if not answer.ok:
            problems.append(f"{answer.status}: {answer.url}")

    listeners: dict[Any, Callable[[Any], None]] = {
        "console": lambda message: problems.append(message.text),
        "pageerror": lambda error: problems.append(str(error)),
        "request": lambda request: requests.append(request.url),
        "requestfailed": lambda request: problems.append(f"failed: {request.url}"),
        "response": note_answer,
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    yield
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
