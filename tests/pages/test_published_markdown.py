"""Published Markdown: absolute links, titles without markup, and composed text (NFC)."""

import re
import unicodedata
from collections.abc import Iterator
from html import unescape

from django.apps import apps
from django.db import connection
from django.db.models import CharField, TextField
from django.utils import timezone

from catalogue.models import App, Page, Post
from site_mirror.registry.contexts import context_at
from tests import factories
from tests.freeze.live_requests import ask
from tests.pages.page_reader import SITE, read_document, render_documents
from tests.pages.published.page_words import READER

ABSOLUTE = re.compile(r"https?://|mailto:|#fn")
VARIED_LINKS = """\
[a](/about) [b](stashio) [c](?x=1) [d](#here) [e](//studio.example/about) ![f](/icons/stashio.svg)

| [g](/apps) |
| --- |
| [![h](/icons/stashio.svg)](../science) |

> [r] and [i][s]

## Here

[r]: /timeline 'A title'
[s]:
  <blog>

- Text[^1] and `[code](/nowhere)` and $[x](/nowhere)$

[^1]: [j](/privacy "t")

```
[k](/nowhere)
```
"""


def list_markdown() -> Iterator[tuple[str, str]]:
    """Yield the address and the text of all Markdown documents."""
    for document in render_documents(context_at(SITE, timezone.now())):
        body = document.body()
        kind = document.media_type.partition(";")[0]
        if kind == "text/markdown" or (kind == "text/plain" and body.startswith(b"# ")):
            yield document.address, body.decode()


def relative_targets(markdown: str) -> list[str]:
    """Return the relative targets that an independent parser finds, except footnotes."""
    html = READER.render(markdown)
    targets = re.findall(r'<(?:a|img)[^>]* ?(?:href|src)="([^"]*)"', html)
    return [target for target in targets if not ABSOLUTE.match(target)]


def test_no_published_markdown_has_a_relative_link(shipped_site: None) -> None:
    for row in (Post.objects.first(), Page.objects.get(slug="blog")):
        assert row is not None
        row.body_en = row.body_vi = VARIED_LINKS
        row.save()
    texts = dict(list_markdown())

    assert len(texts) > 80
    assert {"/llms.txt", "/llms-full.txt", "/docs/api.md", "/sitemap.md", "/index.md"} <= set(texts)
    assert {
        address: found for address, text in texts.items() if (found := relative_targets(text))
    } == {}
    assert f"[d]({SITE.root}/blog#text_here)" in texts["/blog.md"]
    assert "[code](/nowhere)" in texts["/blog.md"]
    assert f"[b]({SITE.root}/vi/stashio)" in texts["/vi/blog.md"]


def test_an_error_in_markdown_has_no_relative_link(db: None) -> None:
    for address in ("/nowhere", "/apps/nowhere.md"):
        assert relative_targets(ask(address).content.decode()) == []


def test_titles_in_lists_of_pages_have_no_markup(db: None) -> None:
    title = "A <i>t</i> *y* `c` [b] & &lt; _z_"
    texts = {"tagline_en": "1. *One*", "description_en": "- <u>x</u>"}
    factories.make_studio(name="*A* <b>Studio</b>", **texts)
    factories.make_page()
    factories.make_post(title_en=title, excerpt_en="An *excerpt* <b>here</b>.")

    for address in ("/llms.txt", "/sitemap.md", "/agent-instructions.md", "/llms-full.txt"):
        html = READER.render(read_document(address))
        assert not re.search(r"<(em|i|b|u)>|&lt;</a>", html), address
        if address in ("/llms.txt", "/sitemap.md"):
            shown = unescape(re.sub(r"<[^>]*>", "", html))
            assert title.replace("[b]", "(b)") in shown, address


def decompose() -> None:
    """Decompose all texts of the catalogue with SQL, because the program would compose them."""
    with connection.cursor() as cursor:
        for model in apps.get_app_config("catalogue").get_models():
            columns = [
                field.column
                for field in model._meta.concrete_fields
                if isinstance(field, CharField | TextField)
            ]
            names = ", ".join(columns)
            table, key = model._meta.db_table, model._meta.pk.column
            cursor.execute(f"SELECT {key}, {names or key} FROM {table}")  # noqa: S608
            for number, *texts in cursor.fetchall() if columns else ():
                values = [unicodedata.normalize("NFD", text) for text in texts]
                sets = ", ".join(f"{column} = %s" for column in columns)
                cursor.execute(
                    f"UPDATE {table} SET {sets} WHERE {key} = %s",  # noqa: S608
                    [*values, number],
                )


def test_every_published_text_is_composed(shipped_site: None) -> None:
    App.objects.filter(slug="estua").update(name="Đo Ẩm Độ")
    decompose()

    for document in render_documents(context_at(SITE, timezone.now())):
        if not document.media_type.startswith(("font/", "image/")):
            text = document.body().decode()
            assert unicodedata.is_normalized("NFC", text), document.address


def test_a_formula_that_cannot_be_shown_is_replaced_by_a_message(db: None) -> None:
    factories.make_studio()
    topic = factories.make_topic()
    type(topic).objects.filter(pk=topic.pk).update(formula_latex=r"\frac")
    factories.make_page(slug="science", title_en="Science")

    reason = "This text cannot be shown. The formula “\\frac” cannot be read"
    assert reason in read_document("/science")
    assert "\\frac" in read_document("/science.md")
