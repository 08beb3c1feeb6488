"""The table of `Accept` values and the form of a page that each selects.

Tests send it to the origin and to `rules.js`, and parity to each host that negotiates.
"""

from site_mirror.live.negotiation import MAX_ACCEPT_BYTES

HTML, MARKDOWN, NEITHER = "html", "markdown", "none"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
LONGEST = "text/markdown;a=".ljust(MAX_ACCEPT_BYTES, "x")

ACCEPT_TABLE = {
    "": HTML,
    "text/html": HTML,
    "text/markdown": MARKDOWN,
    "application/json": NEITHER,
    "*/*": HTML,
    "text/*": HTML,
    BROWSER: HTML,
    "TEXT/Markdown; charset=utf-8": MARKDOWN,
    "text/markdown, text/html, */*": MARKDOWN,
    # The weights decide; equal ones select Markdown, because it is named.
    "text/html, text/markdown;q=0.5": HTML,
    "text/html;q=0.5, text/markdown;q=0.5": MARKDOWN,
    "text/html;q=0.501, text/markdown;q=0.50": HTML,
    "text/markdown;q=0.1, */*;q=0.2": HTML,
    "text/markdown;q=0.3, text/*;q=0.2, */*": MARKDOWN,
    # A range with a parameter is more specific, also with one after the weight.
    "text/html, text/html;level=1;q=0, text/markdown;q=0.5": MARKDOWN,
    "text/html, text/html;q=0;level=1, text/markdown;q=0.5": MARKDOWN,
    # A weight of 0 excludes.
    "text/html;q=0, */*": MARKDOWN,
    "text/markdown;q=0, */*": HTML,
    "text/html;q=0": MARKDOWN,
    "text/markdown;q=0": HTML,
    "text/html;q=0, text/markdown;q=0": NEITHER,
    "image/png, text/markdown;q=0": NEITHER,
    "*/*;q=0": NEITHER,
    # Empty elements, spaces and quoted strings are in the grammar.
    ", text/markdown ;;\tQ=1.,": MARKDOWN,
    'text/markdown;a="x;q=0,\\"";q=1': MARKDOWN,
    'text/plain;a=",text/markdown,"': NEITHER,
    LONGEST: MARKDOWN,
    # A malformed value selects HTML.
    LONGEST + "x": HTML,
    ";;": HTML,
    "text/markdown, html": HTML,
    "text/markdown;q=1.5": HTML,
}
