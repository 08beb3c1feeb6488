import pytest

from catalogue.texts.markdown import to_html
from catalogue.texts.shown_images import ShownImage


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("List<String> <!-- c -->", "<p>List&lt;String&gt; &lt;!-- c --&gt;</p>"),
        ("<https://a.example>", '<p><a href="https://a.example">https://a.example</a></p>'),
        ("<a@b.example>", '<p><a href="mailto:a@b.example">a@b.example</a></p>'),
        ("https://a.example www.a.example a@b.example",) * 2,
        ("[a](HTTPS://b.example)", '<p><a href="HTTPS://b.example">a</a></p>'),
        ("[a](b/c)", '<p><a href="b/c">a</a></p>'),
        ("[a]()", "<p><a>a</a></p>"),
        (
            "[a <https://b.example> c](/d)",
            '<p>a <a href="https://b.example">https://b.example</a> c</p>',
        ),
    ],
)
def test_html_is_text_and_only_links_of_commonmark_are_links(markdown: str, html: str) -> None:
    assert html in to_html(markdown)


def test_an_image_is_loaded_late_and_knows_its_size() -> None:
    markdown = '![a & b](/images/c?d&e.png "f")\n![g](/h.png)'

    assert to_html(markdown, images=[ShownImage("c?d&e", "png", 640, 480)]) == (
        '<p><img src="/images/c?d&amp;e.png" alt="a &amp; b" title="f" width="640" height="480" '
        'loading="lazy" decoding="async">\n'
        '<img src="/h.png" alt="g" loading="lazy" decoding="async"></p>\n'
    )


def test_an_image_alone_is_a_figure_and_the_first_is_loaded_at_once() -> None:
    known = ShownImage("a", "webp", 1600, 900)
    markdown = '![b](/images/a.webp "C & *d*")\n\n![b](/images/a.webp)'
    files = (
        'width="1600" height="900" srcset="/images/a.640.webp 640w, /images/a.webp 1600w" '
        'sizes="(min-width: 44rem) 39rem, 92vw"'
    )

    assert to_html(markdown, images=[known]) == (
        f'<figure><img src="/images/a.webp" alt="b" {files} decoding="async">'
        "<figcaption>C &amp; *d*</figcaption></figure>\n"
        f'<p><img src="/images/a.webp" alt="b" {files} loading="lazy" decoding="async"></p>\n'
    )


def test_a_table_scrolls_and_its_header_cells_have_a_scope() -> None:
    table = "| | b | *c* $\\beta^2$ |\n| --- | :-: | --: |\n| [1](#e) | 2 | ~~3~~ |"
    html = to_html(table)

    for part in (
        '<div class="table" role="group" tabindex="0" aria-label="Table: b, c β2"><table>',
        '<td></td>\n<th scope="col" class="center">b</th>\n<th scope="col" class="right"><em>c',
        '<td><a href="#e">1</a></td>\n<td class="center">2</td>\n<td class="right"><del>3',
        "</table></div>",
    ):
        assert part in html
    assert 'aria-label="Bảng: b, c β2"' in to_html(table, "vi")
