"""Visits of pages in a browser, each in a tab of its own."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, Response

from tests.browsers import PATIENCE_MILLISECONDS, running_chromium
from tests.pages.published.release import ROOT
from tests.requirements import needs_module

MIN_WIDTH_PIXELS = 320
FAULTY_PAGE = "a faulty page"
"""A page with faults, which is visited to prove that visits find faults."""
FAULTY_HTML = """
<script>console.log("a word")</script>
<img src="http://elsewhere.example/icon.svg" width="2000" height="20">
"""
Layout = tuple[int, Literal["light", "dark"]]
LAYOUTS: list[Layout] = [(1280, "light"), (1280, "dark"), (390, "dark"), (390, "light")]
WIDE_AND_LIGHT, NARROW_AND_DARK = LAYOUTS[0], LAYOUTS[2]
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
    axe = needs_module("axe-core/axe.min.js").read_text()
    host = ROOT.removeprefix("http://")
    only_site = f"--host-resolver-rules=MAP {host}:80 127.0.0.1:{port}, MAP * ~NOTFOUND"
    with running_chromium(only_site) as browser:
        file.write_text(json.dumps({each: visit_page(browser, each, axe) for each in addresses}))


def visit_page(browser: Browser, address: str, axe: str) -> Visit:
    """Open a page in a tab of its own and examine it."""
    visit: Visit = {"problems": [], "requests": [], "axe": {}, "painted": {}, "overflow": {}}
    page = browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MILLISECONDS)
    page.add_init_script(axe)
    record_events(page, visit["problems"], visit["requests"])
    if address == FAULTY_PAGE:
        page.goto("about:blank")
        page.set_content(FAULTY_HTML)
    else:
        page.goto(ROOT + address)
    page.evaluate(FORCE_LAYOUT)
    examine_page(page, visit)
    page.close()
    return visit


def record_events(page: Page, problems: list[str], requests: list[str]) -> None:
    """Record the requests of a page, its errors, and its messages to the console."""

    def note_answer(answer: Response) -> None:
        if not answer.ok:
            problems.append(f"{answer.status}: {answer.url}")

    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.on("requestfailed", lambda request: problems.append(f"failed: {request.url}"))
    page.on("response", note_answer)


def examine_page(page: Page, visit: Visit, layouts: Sequence[Layout] = LAYOUTS) -> None:
    """Record the findings of axe and the overflow of a page in layouts."""
    for width, scheme in layouts:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        layout = f"{width} {scheme}"
        visit["axe"][layout] = page.evaluate(RUN_AXE, [AXE_OPTIONS, EXCUSED_REASONS])
        visit["painted"][layout] = page.evaluate(FIND_PAINTED)
        visit["overflow"][width] = page.evaluate(FIND_OVERFLOW)
    page.set_viewport_size({"width": MIN_WIDTH_PIXELS, "height": 900})
    visit["overflow"][MIN_WIDTH_PIXELS] = page.evaluate(FIND_OVERFLOW)
