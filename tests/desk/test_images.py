"""Images at the desk: uploaded and written anew, shown in the preview, refused in words."""

import json
import re
import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from itertools import chain
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from PIL import ExifTags, Image, ImageCms

from catalogue.models import Image as Row
from catalogue.models import Post, State
from catalogue.texts import limits
from site_mirror.desk.models import Draft
from site_mirror.desk.roles import EDITOR, WRITER
from tests import factories
from tests.admin_pages import admin_address, form_data, save_form
from tests.desk.people import ANONYMOUS, browser_of
from tests.pages.page_reader import ask

pytestmark = pytest.mark.django_db

ADD = "/admin/catalogue/image/add/"
SHOWN = "![Two waves](/images/an-image.webp)"
RED, BLUE = (200, 20, 20), (20, 20, 200)


def encode(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def plain(width: int = 900, height: int = 500, mode: str = "RGB") -> Image.Image:
    return Image.new(mode, (width, height), RED if mode == "RGB" else 0)


def photograph() -> bytes:
    """Return a turned photograph of a phone: red at its left, with a place and a profile."""
    image = plain(2000, 3000)
    image.paste(BLUE, (0, 1500, 2000, 3000))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    exif[ExifTags.Base.ImageDescription] = "at home"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return encode(image, "JPEG", exif=exif, icc_profile=profile)


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def bomb(width: int, height: int, more: bytes = b"") -> bytes:
    """Return a short PNG that says that it is large."""
    size = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + size + more + chunk(b"IDAT", zlib.compress(bytes(10_000)))


def moving(kind: str) -> bytes:
    frames = [Image.new("RGB", (20, 20), BLUE)]
    return encode(plain(20, 20), kind, save_all=True, append_images=frames)


def upload(browser: Client, file: bytes, **texts: str) -> Any:
    values = {"slug": "an-image", "alt_en": "Two waves", "alt_vi": "Hai sóng"} | texts
    named = SimpleUploadedFile("file", file)
    return browser.post(ADD, values | {"upload": named}, follow=True)


def faults_of(page: Any) -> list[str]:
    return [*chain(*page.context["adminform"].form.errors.values())]


def test_an_image_is_written_anew_in_two_widths_upright_and_without_metadata() -> None:
    answer = upload(browser_of(WRITER), photograph() + b"<script>alert(1)</script>")

    row = Row.objects.get()
    assert row.address == "/images/an-image.webp"
    assert (
        f'data-address="{row.address}" data-en="Two waves" data-vi="Hai sóng"'
        in answer.content.decode()
    )
    assert (row.width, row.height, row.format) == (1600, 1067, "webp")
    for file, size in ((row.file, (1600, 1067)), (row.small, (640, 427))):
        image = Image.open(BytesIO(file))
        assert (image.format, image.size) == ("WEBP", size)
        assert b"script" not in file
        assert not image.getexif()
        assert not {"icc_profile", "xmp"} & image.info.keys()
        left, right = image.getpixel((9, 200)), image.getpixel((size[0] - 9, 200))
        assert left[2] > 150 > left[0]
        assert right[0] > 150 > right[2]


def test_colours_of_a_profile_become_those_of_the_web() -> None:
    """A profile in which red and green have changed places shows that it is applied."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, green = (profile.index(name) + 4 for name in (b"rXYZ", b"gXYZ"))
    profile[red : red + 8], profile[green : green + 8] = (
        profile[green : green + 8],
        profile[red : red + 8],
    )

    for slug, icc_profile, shown in (
        ("swapped", bytes(profile), (20, 200, 20)),
        ("damaged", b"no profile", RED),
    ):
        upload(browser_of(WRITER, slug), encode(plain(), icc_profile=icc_profile), slug=slug)
        image = Image.open(BytesIO(Row.objects.get(slug=slug).file)).convert("RGB")
        assert image.getpixel((9, 9)) == pytest.approx(shown, abs=4)


@pytest.mark.parametrize(
    ("mode", "colour", "shown"),
    [
        ("P", 0, (0, 0, 0)),
        ("RGBA", (*BLUE, 255), BLUE),
        ("RGBA", (0, 0, 0, 0), (255,) * 3),
        ("L", 128, (128,) * 3),
        ("I;16", 128 * 256, (128,) * 3),
        ("1", 1, (255,) * 3),
        ("CMYK", (0, 255, 255, 0), (255, 0, 0)),
    ],
)
def test_an_image_of_any_colours_is_accepted_and_a_narrow_one_has_one_file(
    mode: str, colour: Any, shown: tuple[int, ...]
) -> None:
    file = encode(Image.new(mode, (600, 300), colour), "JPEG" if mode == "CMYK" else "PNG")
    upload(browser_of(WRITER), file)
    row = Row.objects.get()
    assert (row.width, row.small) == (600, b"")
    found = Image.open(BytesIO(row.file)).convert("RGB").getpixel((300, 150))
    assert found == pytest.approx(shown, abs=4)


def test_a_photograph_with_a_depth_map_is_taken_without_it() -> None:
    file = encode(plain(), "MPO", save_all=True, append_images=[Image.new("RGB", (9, 9), BLUE)])

    upload(browser_of(WRITER), file)

    shown = Image.open(BytesIO(Row.objects.get().file))
    assert shown.size == (900, 500)
    assert shown.getpixel((9, 9)) == pytest.approx(RED, abs=4)


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "The submitted file is empty."),
    "a text": (lambda: b"hello", "The file is no image in PNG, JPEG"),
    "a document": (lambda: b"%PDF-1.7\n", "The file is no image in PNG, JPEG"),
    "TIFF": (lambda: encode(plain(), "TIFF"), "The file is no image in PNG, JPEG"),
    "SVG": (
        lambda: b'<?xml version="1.0"?>\n<svg><script>alert(1)</script></svg>',
        "SVG drawings are not taken, because they can hold programs.",
    ),
    "HEIC": (lambda: b"\0\0\0\x18ftypheic" + bytes(99), "Photographs in HEIC are not taken"),
    "half a photograph": (lambda: photograph()[:9_000], "The image cannot be read to its end."),
    "half a drawing": (lambda: bomb(3000, 3000), "The image cannot be read to its end."),
    "a broken beginning": (lambda: bomb(9, 9)[:30], "The file is no image in PNG, JPEG"),
    "many pixels": (lambda: bomb(9_000, 9_000), "The image has 9,000 × 9,000 pixels; at most 60,"),
    "a bomb": (lambda: bomb(60_000, 60_000), "The image has 60,000 × 60,000 pixels; at most"),
    "a bomb of text": (
        lambda: bomb(9, 9, chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(9_000_000))) * 20),
        "The image cannot be read to its end.",
    ),
    "GIF that moves": (lambda: moving("GIF"), "The image moves."),
    "WebP that moves": (lambda: moving("WEBP"), "The image moves."),
    "PNG that moves": (lambda: moving("PNG"), "The image moves."),
    "a large file": (
        lambda: bytes(limits.IMAGE_BYTES + 1),
        "The file has 20.0\xa0MB; an image",
    ),
}


@pytest.mark.parametrize(("make", "words"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_or_damaged_file_is_refused_in_words(
    make: Callable[[], bytes], words: str
) -> None:
    answer = upload(browser_of(WRITER), make())

    [fault] = faults_of(answer)
    assert fault.startswith(words)
    assert escape(fault) in answer.content.decode()
    assert not Row.objects.exists()


def test_the_form_names_its_limits() -> None:
    assert "20 MB and 60 million pixels" in browser_of(WRITER).get(ADD).content.decode()
    assert limits.IMAGE_BYTES == 20 * 2**20
    assert limits.IMAGE_PIXELS == 60 * 10**6


def test_names_and_words_are_checked_and_the_form_works_without_a_script() -> None:
    browser = browser_of(WRITER)
    factories.make_image()
    answer = upload(browser, encode(plain()), alt_en="", alt_vi="")
    assert faults_of(answer) == [
        *["This field is required."] * 2,
        "Image with this Name already exists.",
    ]
    file = SimpleUploadedFile("file", encode(plain()))
    texts = {"slug": "another", "alt_en": "Red", "alt_vi": "Đỏ"}
    refused = browser.post(ADD, texts | {"alt_vi": "", "upload": file})
    assert [*refused.context["adminform"].form.errors] == ["alt_vi"]
    file.seek(0)
    saved = browser.post(ADD, texts | {"upload": file})
    assert saved.url == reverse("admin:catalogue_image_change", args=[Row.objects.last().pk])  # type: ignore[union-attr]
    assert "Red" in browser.get(saved.url).content.decode()


@pytest.mark.parametrize(("role", "count"), [(ANONYMOUS, 0), (WRITER, 1), (EDITOR, 1)])
def test_writers_may_upload_and_only_editors_delete(role: str, count: int) -> None:
    browser = browser_of(role)
    upload(browser, encode(plain()))
    assert Row.objects.count() == count
    image = Row.objects.first() or factories.make_image()
    file = browser.get(reverse("admin:catalogue_image_file", args=[image.slug]))
    assert file.status_code == (302 if role == ANONYMOUS else 200)
    delete = reverse("admin:catalogue_image_delete", args=[image.pk])
    assert browser.get(delete).status_code == {ANONYMOUS: 302, WRITER: 403, EDITOR: 200}[role]


def test_a_preview_shows_an_image_that_nobody_else_sees() -> None:
    browser = browser_of(WRITER)
    upload(browser, encode(plain()))
    post = factories.make_post(state=State.DRAFT, publish_at=None)
    page = reverse("admin:catalogue_post_preview", args=[post.pk])
    form = reverse("admin:catalogue_post_change", args=[post.pk])
    data = form_data(browser.get(form)) | {"body_en": f"{SHOWN}\n\n`{SHOWN}`"}

    shown = browser.post(page, data).content.decode()

    assert 'src="/admin/catalogue/image/files/an-image/"' in shown
    assert f"<code>{SHOWN}</code>" in shown
    assert ask("/images/an-image.webp").status_code == 404
    check = browser.post(reverse("admin:catalogue_post_check", args=[post.pk]), data).json()
    assert check == {"valid": True, "faults": []}
    for name, is_dead in (("an-image", False), ("no-image", True)):
        typed = data | {"body_en": f"![a](/images/{name}.webp)", "title_en": ""}
        check = browser.post(reverse("admin:catalogue_post_check", args=[post.pk]), typed).json()
        assert ("where nothing is published" in json.dumps(check)) is is_dead


def test_an_image_of_a_published_text_is_public_and_its_preview_has_its_address() -> None:
    browser = browser_of(EDITOR)
    factories.make_image()
    post = factories.make_post()

    save_form(browser, post, body_en=SHOWN, _publish="")

    assert Post.objects.get().body_en == SHOWN
    assert ask("/images/an-image.webp").status_code == 200
    preview = reverse("admin:catalogue_post_preview", args=[post.pk])
    assert browser.get(preview).content == ask("/blog/a-post").content


def test_an_image_that_is_used_is_not_deleted_and_its_uses_are_named() -> None:
    browser, image = browser_of(EDITOR), factories.make_image()
    post = factories.make_post(body_en=SHOWN)
    form = reverse("admin:catalogue_post_add")
    key = "00000000-0000-4000-8000-000000000000"
    data = form_data(browser.get(form)) | {"_key": key, "title_en": "New", "body_en": SHOWN}
    browser.post(reverse("admin:catalogue_post_draft_new"), data)
    assert Draft.objects.get().is_open
    lists = reverse("admin:catalogue_image_changelist")
    delete = reverse("admin:catalogue_image_delete", args=[image.pk])

    for page in (lists, reverse("admin:catalogue_image_change", args=[image.pk])):
        assert "A post</a>, <a" in browser.get(page).content.decode()
    refused = browser.post(delete, {"post": "yes"}).content.decode()
    assert "“A post” shows the image “an-image”." in refused
    assert "“the draft “New”” shows the image “an-image”." in refused
    post.delete()
    Draft.objects.all().delete()
    browser.post(delete, {"post": "yes"})
    assert not Row.objects.exists()


def test_the_list_has_the_newest_first_or_those_that_are_found() -> None:
    browser = browser_of(WRITER)
    factories.make_image()
    factories.make_image(slug="harbour", alt_vi="Cảng Đà Nẵng")
    address = reverse("admin:catalogue_image_changelist")

    page = browser.get(address).content.decode()
    assert re.findall(r'data-name="([^"]*)"', page) == ["harbour", "an-image"]
    page = browser.get(address, {"q": "da nang"}).content.decode()
    assert re.findall(r'data-address="([^"]*)"', page) == ["/images/harbour.webp"]
    assert 'data-vi="Cảng Đà Nẵng"' in page


def test_the_history_of_an_image_begins_with_its_upload_and_outlives_its_deletion() -> None:
    browser = browser_of(EDITOR)
    upload(browser, photograph())
    image = Row.objects.get()
    files = bytes(image.file), bytes(image.small)
    assert save_form(browser, image, alt_en="Three waves", _publish="").status_code == 302
    assert browser.get("/admin/translations/").context["outdated"][0].title == "an-image"
    browser.post(admin_address(Row, "delete", image.pk), {"post": "yes"})

    deleted = admin_address(Row, "deleted")
    [entry] = browser.get(deleted).context["entries"]
    browser.post(deleted, {"_restore": entry.pk})

    back = Row.objects.get()
    assert (back.pk, back.alt_en, back.alt_vi) == (image.pk, "Three waves", "Hai sóng")
    assert (bytes(back.file), bytes(back.small)) == files
    assert (back.width, back.height, back.format) == (image.width, image.height, image.format)
    page = browser.get(admin_address(Row, "history", image.pk))
    entries = page.context["entries"]
    assert [each.act for each in entries] == ["brought_back", "deleted", "changed", "added"]
    assert {each.author.username for each in entries} == {"editor"}
    compared = browser.get(admin_address(Row, "history", image.pk), {"entry": entries[3].pk})
    assert "<del>Two</del><ins>Three</ins>" in compared.content.decode()
    assert browser.get("/admin/translations/").context["outdated"][0].title == "an-image"


def test_a_deleted_image_does_not_take_the_name_of_another_one() -> None:
    browser, image = browser_of(EDITOR), factories.make_image()
    browser.post(admin_address(Row, "delete", image.pk), {"post": "yes"})
    other = factories.make_image(alt_en="Another")
    deleted = admin_address(Row, "deleted")
    [entry] = browser.get(deleted).context["entries"]

    refused = browser.post(deleted, {"_restore": entry.pk}, follow=True)

    assert "Another image has the name" in refused.content.decode()
    assert [*Row.objects.values_list("pk", "alt_en")] == [(other.pk, "Another")]
