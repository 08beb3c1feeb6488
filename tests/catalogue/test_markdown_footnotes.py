"""Footnotes and their references link to each other."""

import re

from catalogue.texts.markdown import to_html

MARKDOWN = "a[^x] b[^y] c[^x]\n\n[^y]: two\n[^x]: one"


def test_a_footnote_and_its_references_lead_to_each_other() -> None:
    assert to_html(MARKDOWN) == (
        '<p>a<sup class="footnote-ref"><a href="#fn_1" id="fnref_1" aria-label="Footnote 1">1</a>'
        '</sup> b<sup class="footnote-ref"><a href="#fn_2" id="fnref_2" aria-label="Footnote 2">2'
        '</a></sup> c<sup class="footnote-ref"><a href="#fn_1" id="fnref_1_2" '
        'aria-label="Footnote 1">1</a></sup></p>\n'
        '<div class="footnotes" role="group" aria-label="Footnotes">\n<ol>\n'
        '<li id="fn_1">\n<p>one <a href="#fnref_1" class="footnote-backref" '
        'aria-label="Back to reference 1">↩\ufe0e</a> <a href="#fnref_1_2" '
        'class="footnote-backref" aria-label="Back to reference 1-2">↩\ufe0e<sup>2</sup></a></p>\n'
        '</li>\n<li id="fn_2">\n<p>two <a href="#fnref_2" class="footnote-backref" '
        'aria-label="Back to reference 2">↩\ufe0e</a></p>\n</li>\n</ol>\n</div>\n'
    )


def test_labels_of_footnotes_are_in_the_language_of_their_page() -> None:
    labels = re.findall('aria-label="([^"]*)"', to_html(MARKDOWN, "vi"))

    assert labels == [
        *("Chú thích 1", "Chú thích 2", "Chú thích 1", "Chú thích"),
        *("Về lại chỗ dẫn chú thích 1", "Về lại chỗ dẫn chú thích 1-2"),
        "Về lại chỗ dẫn chú thích 2",
    ]
