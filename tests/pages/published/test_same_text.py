"""A page and its mirror have the same words and formulas in the same order."""

import re

import pytest

from tests.pages.published import page_words
from tests.pages.published.fault_report import assert_no_faults
from tests.pages.published.release import Release

Texts = dict[str, tuple[list[str], list[str]]]
"""The words of each page and of its mirror."""
MIN_SHARE_IN_ORDER = 0.9
"""A page may have a date above a heading, and its mirror below it."""
PARTED = re.compile(
    r"\d (?:kHz|Hz|m|mm|cm|km|m/s²?|ms|s|dB|MB|kB|°C|rad/s|µT|lx|cd|m/Pa|kg/mol|µmol/L"
    r"|L/\(mol·cm\)|J/\(mol·K\)|bits|bytes?|(?:milli|micro)?(?:metres|seconds)|minutes?|hours"
    r"|degrees|pixels|độ|mét|phút|giây|giờ)(?![\w/])|[\d½)] [±×/] [\d√(]|Đà Nẵng"
)


@pytest.fixture(scope="module")
def texts(release: Release) -> Texts:
    return {
        page.address: (
            page_words.words_of_page(page.html),
            page_words.words_of_mirror(release.mirrors[page.address]),
        )
        for page in release.pages.values()
    }


def test_a_page_and_its_mirror_have_the_same_words_in_the_same_order(texts: Texts) -> None:
    assert all(page and mirror for page, mirror in texts.values())
    assert_no_faults(
        {
            address: (
                page_words.missing_words(page, mirror) + page_words.missing_words(mirror, page)
            )
            for address, (page, mirror) in texts.items()
        }
    )
    shares = {address: page_words.share_in_order(*pair) for address, pair in texts.items()}
    assert {address: share for address, share in shares.items() if share < MIN_SHARE_IN_ORDER} == {}


FORMULA = page_words.formula_word("a=b")
HTML = """
<header>Menu</header>
<main>
  <nav class="trail"><a href="/">Home</a></nav>
  <h1>One</h1>
  <p>Two <em>three</em>.<sup class="footnote-ref"><a href="#n">1</a></sup></p>
  <math alttext="a  = b"><mi>a</mi></math>
  <table><tr><td>4</td><td><code>x|y=</code></td></tr></table>
  <pre><code><b>fi</b>ve()</code></pre>
  <figure><img src="/a.webp" alt="Six"><figcaption>Seven</figcaption></figure>
  <section class="footnotes"><ol><li>Note. <a class="footnote-backref">↩</a></li></ol></section>
</main>
"""
MARKDOWN = r"""# One

Page: <https://a.example/> · Index: <https://a.example/llms.txt>

Two *three*.[^n] $a = b$

| 4 | `x\|y=` |
| - | ------ |

```python
five()
```

![Six](/a.webp "Seven")

[^n]: Note.
"""


CHANGES = [
    ("Two *three*", "Two", ["three"]),
    ("$a = b$", "$a = c$", [FORMULA]),
    ("| 4 |", "| 5 |", ["4"]),
    ("five()", "six()", ["five"]),
    (' "Seven"', "", ["Seven"]),
    ("# One", "#", ["One"]),
    ("[^n]: Note.", "[^n]: Remark.", ["Note"]),
]


def test_a_missing_word_and_a_reversed_order_are_found() -> None:
    assert page_words.words_of_page(HTML) == page_words.words_of_mirror(MARKDOWN)
    for written, changed, lacking in CHANGES:
        mirror = page_words.words_of_mirror(MARKDOWN.replace(written, changed))
        missing = page_words.missing_words(page_words.words_of_page(HTML), mirror)
        assert list(missing) == lacking, written
    assert page_words.share_in_order(["a", "b", "c", "d"], ["d", "c", "b", "a"]) == 0.25


def test_numbers_stay_with_units_and_parts_of_a_name_together_but_in_code(release: Release) -> None:
    """A formula counts as a number. The mirror has ordinary spaces, for searches and sums."""
    parted, bound = {}, 0
    for page in release.pages.values():
        main = page.html.partition("<main")[2].partition("</main>")[0]
        code = "".join(re.findall("<code.*?</code>", main, re.DOTALL))
        main = re.sub("<math.*?</math>", "0", main, flags=re.DOTALL)
        texts = re.sub("<code.*?</code>|<[^>]*>", "\n", main, flags=re.DOTALL)
        parted[page.address] = PARTED.findall(texts)
        bound += texts.count("\N{NO-BREAK SPACE}")
        assert "\N{NO-BREAK SPACE}" not in code + release.mirrors[page.address], page.address
    assert_no_faults(parted)
    assert bound > 500
