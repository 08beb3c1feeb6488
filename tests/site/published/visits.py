"""What a browser sees on every page: in one Chromium, several pages at a time."""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser, Page, Response, async_playwright

from tests.needs import ARGUMENTS, needs_chromium, needs_module
from tests.site.published.release import ROOT

TABS = 2
NARROWEST = 320
FAULTY = "a faulty page"
"""Visited like an address, so that a browser that notices nothing is noticed."""
FAULTS = """
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
"""A line drawn beside a text leaves its contrast as it is; `PAINTED` finds what is no line."""
CANNOT_TELL = ["elmPartiallyObscured", "nonBmp", "shortTextContent"]
"""Why axe may leave a contrast open: part of a text is scrolled away, or it is but a sign."""
RUN_AXE = """
async ([options, cannotTell]) => {
  const found = await axe.run(document, options);
  const told = (kind, each) => each.nodes
    .filter((node) => kind !== "incomplete"
      || ![...node.any, ...node.all].every((check) => cannotTell.includes(check.data?.messageKey)))
    .map((node) => `${each.id} (${kind}): ${node.target.join(" ")}: ${node.failureSummary}`);
  return ["violations", "incomplete"].flatMap(
    (kind) => found[kind].flatMap((each) => told(kind, each)));
}
"""
OVERFLOWING = """
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
PAINTED = """
() => [...document.querySelectorAll("body, body *")].flatMap(
  (element) => ["::before", "::after"].filter((pseudo) => {
    const style = getComputedStyle(element, pseudo);
    const painted = style.backgroundImage !== "none"
      || !/^(transparent|rgba\\(.*, 0\\))$/.test(style.backgroundColor);
    return style.content !== "none" && style.display !== "none" && painted
      && Math.min(parseFloat(style.width), parseFloat(style.height)) > 10;
  }).map((pseudo) => `${element.tagName}.${element.className}${pseudo}`))
"""
LAY_OUT = """
() => {
  for (const element of document.querySelectorAll("main *")) {
    if (getComputedStyle(element).contentVisibility === "auto") {
      element.style.contentVisibility = "visible";
    }
  }
}
"""
"""A browser lays out what is in view; what is judged is the whole page."""
Seen = dict[str, Any]
"""Of a page: `problems` and `requests`; `axe`, `painted` and `overflow`, each by layout."""


def read(file: Path) -> dict[str, Seen]:
    return dict(json.loads(file.read_text()))


def visit_all(addresses: Iterable[str], port: int, file: Path) -> None:
    """Write what is seen at each address of an origin to a file, as JSON."""
    executable = needs_chromium()
    axe = needs_module("axe-core/axe.min.js").read_text()
    seen = asyncio.run(visits(list(addresses), port, executable, axe))
    file.write_text(json.dumps(seen))


async def visits(addresses: list[str], port: int, executable: Path, axe: str) -> dict[str, Seen]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=executable, args=[*ARGUMENTS, nowhere_else(port)]
        )
        seen: dict[str, Seen] = {}
        remaining = iter(addresses)
        await asyncio.gather(*(visit_in_a_tab(browser, remaining, axe, seen) for _ in range(TABS)))
        await browser.close()
    return seen


def nowhere_else(port: int) -> str:
    """The option by which the browser finds the site at a port, and no other host."""
    host = ROOT.removeprefix("http://")
    return f"--host-resolver-rules=MAP {host}:80 127.0.0.1:{port}, MAP * ~NOTFOUND"


async def visit_in_a_tab(
    browser: Browser, remaining: Iterator[str], axe: str, seen: dict[str, Seen]
) -> None:
    """Visit addresses, one after the other, until none remains."""
    page = await browser.new_page(reduced_motion="reduce")
    await page.add_init_script(axe)
    for address in remaining:
        found: Seen = {"problems": [], "requests": [], "axe": {}, "painted": {}, "overflow": {}}
        seen[address] = found
        with listening(page, found["problems"], found["requests"]):
            await go(page, address)
            await page.evaluate(LAY_OUT)
            await look(page, found)


async def go(page: Page, address: str) -> None:
    if address == FAULTY:
        await page.goto("about:blank")
        await page.set_content(FAULTS)
    else:
        await page.goto(ROOT + address)


async def look(page: Page, found: Seen) -> None:
    """Note what axe finds, and what is too wide, in every layout."""
    for width, scheme in LAYOUTS:
        await page.set_viewport_size({"width": width, "height": 900})
        await page.emulate_media(color_scheme=scheme)
        layout = f"{width} {scheme}"
        found["axe"][layout] = await page.evaluate(RUN_AXE, [AXE_OPTIONS, CANNOT_TELL])
        found["painted"][layout] = await page.evaluate(PAINTED)
        found["overflow"][width] = await page.evaluate(OVERFLOWING)
    await page.set_viewport_size({"width": NARROWEST, "height": 900})
    found["overflow"][NARROWEST] = await page.evaluate(OVERFLOWING)


@contextmanager
def listening(page: Page, problems: list[str], requests: list[str]) -> Iterator[None]:
    """Note what a page asks for, and everything that goes wrong or is written to the console."""

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
