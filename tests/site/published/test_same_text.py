"""A page and its mirror say the same: every word and every formula, and in the same order."""

import pytest

from tests.site.published import words
from tests.site.published.faults import none_in
from tests.site.published.release import Release

Said = dict[str, tuple[list[str], list[str]]]
"""The words of each page and of its mirror."""
IN_ORDER = 0.9
"""Share of the words; a page may show a date above a heading that in Markdown stands below it."""


@pytest.fixture(scope="module")
def said(release: Release) -> Said:
    return {
        page.address: (words.of_page(page.html), words.of_mirror(release.mirrors[page.address]))
        for page in release.pages.values()
    }


def test_every_mirror_says_what_its_page_says(said: Said) -> None:
    assert all(page for page, _ in said.values())
    none_in({address: words.unsaid(page, mirror) for address, (page, mirror) in said.items()})


def test_every_page_says_what_its_mirror_says(said: Said) -> None:
    assert all(mirror for _, mirror in said.values())
    none_in({address: words.unsaid(mirror, page) for address, (page, mirror) in said.items()})


def test_both_say_it_in_the_same_order(said: Said) -> None:
    shares = {address: words.in_order(page, mirror) for address, (page, mirror) in said.items()}

    assert {address: share for address, share in shares.items() if share < IN_ORDER} == {}


FORMULA = words.formula("a=b")
HTML = """
<header>Menu</header>
<main>
  <nav class="trail"><a href="/">Home</a></nav>
  <h1>One</h1>
  <p>Two <em>three</em>.<sup class="footnote-ref"><a href="#n">1</a></sup></p>
  <math alttext="a  = b"><mi>a</mi></math>
  <table><tr><td>4</td><td><code>x|y=</code></td></tr></table>
  <pre><code><b>fi</b>ve()</code></pre>
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

[^n]: Note.
"""


def test_what_only_one_of_the_two_can_have_is_left_out() -> None:
    page, mirror = words.of_page(HTML), words.of_mirror(MARKDOWN)

    assert page == mirror
    assert page == ["One", "Two", "three", FORMULA, "4", "x", "y", "=", "five", "Note"]
    assert words.in_order(page, mirror) == 1


@pytest.mark.parametrize(
    ("written", "changed", "lacking"),
    [
        ("Two *three*", "Two", ["three"]),
        ("$a = b$", "$a = c$", [FORMULA]),
        ("| 4 |", "| 5 |", ["4"]),
        ("five()", "six()", ["five"]),
        ("# One", "#", ["One"]),
        ("[^n]: Note.", "[^n]: Remark.", ["Note"]),
    ],
)
def test_what_a_mirror_lacks_is_noticed(written: str, changed: str, lacking: list[str]) -> None:
    mirror = words.of_mirror(MARKDOWN.replace(written, changed))

    assert list(words.unsaid(words.of_page(HTML), mirror)) == lacking


def test_an_order_that_is_another_is_noticed() -> None:
    there, back = ["a", "b", "c", "d"], ["d", "c", "b", "a"]

    assert words.in_order(there, back) == 0.25
