"""Headings have anchors."""

import re

import pytest

from catalogue.texts.markdown import to_html


@pytest.mark.parametrize(
    ("markdown", "names"),
    [
        ("## Rate limit exceeded", ["rate-limit-exceeded"]),
        ("## Điều chỉnh ở Đà Nẵng", ["dieu-chinh-o-da-nang"]),
        ("## ĐƯỜNG ĐI", ["duong-di"]),
        ("## One & *two*, `three`", ["one-two-three"]),
        ("## “Don’t” – 20 °C", ["dont-20-c"]),
        ("## `max_age` of [a link](/a)", ["max-age-of-a-link"]),
        ("## The length $L$", ["the-length-l"]),
        ("## ½ ﬁne", ["12-fine"]),
        ("## 日本\n\n##", ["section", "section-1"]),
        ("Two\nlines\n---", ["two-lines"]),
        ("## A\n\n## A\n\n### A", ["a", "a-1", "a-2"]),
        ("## A\n\n## A 1\n\n## A", ["a", "a-1", "a-2"]),
        ("## Má\n\n## Mà", ["ma", "ma-1"]),
        ("> ## A\n\n- ## A", ["a", "a-1"]),
        ("## A[^1]\n\n[^1]: b", ["a"]),
    ],
)
def test_a_heading_has_a_readable_anchor_of_its_own(markdown: str, names: list[str]) -> None:
    assert re.findall(r'<h[1-6] id="([^"]+)"', to_html(markdown)) == names


def test_a_heading_has_a_link_to_itself() -> None:
    assert to_html("## Tốc độ *âm thanh*", "vi") == (
        '<div class="heading"><h2 id="toc-do-am-thanh">Tốc độ <em>âm thanh</em></h2>'
        '<a class="anchor" href="#toc-do-am-thanh" '
        'aria-label="Liên kết đến mục “Tốc độ âm thanh”"></a></div>\n'
    )


def test_a_prefix_begins_every_anchor_and_every_link_to_one() -> None:
    html = to_html("## A\n\n[to A](#a) and [elsewhere](/b#c) n[^1]\n\n[^1]: o", prefix="x_")

    assert re.findall(r' id="([^"]*)"', html) == ["x_a", "x_fnref_1", "x_fn_1"]
    assert re.findall(r'href="([^"]*)"', html) == [
        *("#x_a", "#x_a", "/b#c", "#x_fn_1", "#x_fnref_1"),
    ]
