"""Pictures of pages, which other sites show beside a link: drawn when a row is saved."""

import re
from io import BytesIO
from pathlib import Path
from string import ascii_letters, digits

import pytest
from django.core.management.sql import emit_post_migrate_signal
from django.db.migrations import Migration
from PIL import Image, ImageDraw

from catalogue.models import App, Post, PostPicture, State
from site_mirror.documents.assets import ASSET_FOLDER
from site_mirror.sharing import drawing, pictures
from site_mirror.sharing.drawing import BELOW, KIND, TITLE, Card
from tests import factories
from tests.freeze import sites
from tests.freeze.target_files import read_body, read_entries
from tests.pages.page_reader import SITE, ask, read_document

LETTERS = "ăâđêôơưáàảãạắằẳẵặấầẩẫậéèẻẽẹếềểễệíìỉĩịóòỏõọốồổỗộớờởỡợúùủũụứừửữựýỳỷỹỵ"
LETTERS += f"{LETTERS.upper()}{ascii_letters}{digits}"
CARD = re.escape(SITE.root) + r"/assets/card-{}\.\w+\.png"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pictures_are_drawn")]


def named_picture(page: str) -> tuple[str, str]:
    """Return the address and the words of the picture that a page names."""
    tags = re.compile(r'<meta (?:property|name)="(\S+)" content="([^"]*)">')
    found = dict(tags.findall(read_document(page)))
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert found["og:image:alt"] == found["twitter:image:alt"]
    return found["og:image"], found["og:image:alt"]


def statuses(*addresses: str) -> list[int]:
    return [ask(address).status_code for address in addresses]


def test_each_app_article_and_topic_has_a_picture_in_each_language(tmp_path: Path) -> None:
    sites.make_site()
    Post.objects.get(slug="newer").tags.add(factories.make_tag(name_vi="Thẻ"))
    for row in (*App.objects.all(), *Post.objects.all()):
        row.save()
    titles = {
        "/apps/an-app": "An App",
        "/vi/apps/an-app": "An App",
        "/blog/newer": "A post",
        "/vi/blog/newer": "Bài",
        "/blog/tags/a-tag": "Articles on A tag",
        "/vi/blog/tags/a-tag": "Bài viết về chủ đề Thẻ",
        "/blog/older": "A post",
    }
    assert {page: named_picture(page) for page in titles} == {
        page: (f"{SITE.root}{page}.png", title) for page, title in titles.items()
    }
    for page, language in (("/blog", "en"), ("/vi/search", "vi")):
        name, words = named_picture(page)
        assert re.fullmatch(CARD.format(language), name)
        assert words == "A Studio"
    assert statuses("/vi/blog/older.png", "/blog.png") == [404, 404]

    sites.freeze_into(tmp_path / "site")

    entries, seen = read_entries(tmp_path / "site"), set[bytes]()
    assert {each for each in entries if re.fullmatch(r"/(vi/)?(apps|blog)/.*\.png", each)} == {
        f"{page}.png" for page in titles
    }
    for page in titles:
        frozen, live = entries[f"{page}.png"], ask(f"{page}.png")
        body = read_body(tmp_path / "site", frozen)
        assert (live.content, live["Content-Type"]) == (body, "image/png")
        assert frozen.media_type == "image/png"
        with Image.open(BytesIO(body)) as picture:
            assert (picture.format, picture.size) == ("PNG", (1200, 630))
        seen.add(body)
    assert len(seen) == len(titles) - 1, "two articles have one title"


def test_a_picture_is_drawn_anew_when_it_shows_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[Card] = []
    draw_card = pictures.draw_card
    monkeypatch.setattr(pictures, "draw_card", lambda card: drawn.append(card) or draw_card(card))

    post = factories.make_translated_post()
    assert [card.title for card in drawn] == ["A post", "Bài"]
    post.body_en = "Another body."
    post.save()
    post.title_en = "Another title"
    post.save()
    assert [card.title for card in drawn[2:]] == ["Another title"]
    Post.objects.update(title_vi="", excerpt_vi="", body_vi="")
    Post.objects.get().save()
    assert [each.language for each in PostPicture.objects.all()] == ["en"]

    app = factories.make_app()
    app.icon_svg = sites.ICON
    app.save()
    assert [card.icon for card in drawn[3:]] == ["", sites.ICON]


@pytest.mark.postgresql
def test_a_picture_is_seen_with_its_row_and_redirects_with_it() -> None:
    post = factories.make_post(state=State.DRAFT)
    assert statuses("/blog/a-post.png") == [404]
    post.state, post.slug = State.PUBLISHED, "published"
    post.save()
    assert statuses("/blog/published.png", "/blog/a-post.png") == [200, 404]
    post.slug = "renamed"
    post.save()
    moved = ask("/blog/published.png")
    assert (moved.status_code, moved["Location"]) == (308, f"{SITE.root}/blog/renamed.png")
    post.delete()
    assert statuses("/blog/renamed.png", "/blog/published.png") == [404, 404]
    assert not PostPicture.objects.exists()


def test_a_row_without_a_picture_shows_that_of_the_site_until_it_is_drawn() -> None:
    factories.make_studio()
    factories.make_post(slug="older")
    PostPicture.objects.all().delete()
    factories.make_post(slug="unknown", title_en="Hello 世界")

    for page in ("/blog/older", "/blog/unknown"):
        assert re.fullmatch(CARD.format("en"), named_picture(page)[0])
        assert statuses(f"{page}.png") == [404]
    plan = [(Migration("a_migration", "catalogue"), False)]
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default", plan=plan)
    assert statuses("/blog/older.png", "/blog/unknown.png") == [200, 404]


def ink(row: drawing.Row) -> tuple[int, int]:
    """Return where the letters of a line begin and end, from top to bottom."""
    layer = Image.new("L", drawing.SIZE)
    drawing.write(ImageDraw.Draw(layer), row, round(row.middle) + 100)
    box = layer.getbbox()
    assert box
    return box[1], box[3]


def test_all_of_a_title_is_shown() -> None:
    """Each letter is in a font, and the longest texts have room."""
    for style in (KIND, TITLE, BELOW):
        found = {each: drawing.find_font(style.face, each) for each in LETTERS}
        assert {*found.values()} <= {file.format(style.face) for file in drawing.FILES[:2]}
        assert found["ế"] == f"{style.face}.woff2"
    assert all(drawing.find_font(TITLE.face, each) for each in "λπ√→½°—“”’…€")
    for title in ("Ẩm thực", "Ở đâu"):
        kind, first = drawing.arrange({KIND: "Ứng dụng", TITLE: title, BELOW: ""})[0]
        assert ink(kind)[1] < ink(first)[0], "the marks of a capital stand below the line above"
    long = {"words": ("a" * 9 + " ") * 16, "one word": "W" * 160, "narrow words": "Ở " * 80}
    for text in long.values():
        rows, height = drawing.arrange({KIND: "App", TITLE: text, BELOW: text})
        shown = "".join(row.words for row in rows).replace(" ", "")
        assert shown == f"App{text}{text}".replace(" ", "")
        assert height <= drawing.TEXT_HEIGHT
        for row in rows:
            assert drawing.measure(row.style, row.words) * row.size <= drawing.TEXT_WIDTH


@pytest.mark.parametrize(
    ("icon", "is_drawn"),
    [
        ('<rect width="1" height="1"/>', True),
        (f'<image width="1" height="1" href="{ASSET_FOLDER}/card-en.png"/>', False),
        ("<rect", False),
    ],
    ids=["a shape", "a file of this machine", "not well-formed"],
)
def test_an_icon_hangs_from_the_line_unless_it_may_not_be_drawn(icon: str, is_drawn: bool) -> None:
    """The library would read the file that an image in an icon names."""
    source = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">{icon}</svg>'
    with_icon = drawing.draw_card(Card("App", "A", icon=source))

    assert (with_icon != drawing.draw_card(Card("App", "A"))) is is_drawn
