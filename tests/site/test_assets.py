"""Static assets: names made of their content, kept for ever, none missing and none idle."""

import json
import re
import struct
import unicodedata
from itertools import chain, product

import pytest
from django.test import Client

from catalogue import addresses
from site_mirror import headers
from site_mirror.assets import ASSETS, FIXED_ADDRESSES, Asset, UnknownAsset, published
from site_mirror.registry import FAMILIES
from site_mirror.views import live_context
from tests.site.reading import served

ADDRESS = re.compile(r"/assets/[\w.-]+|/favicon\.ico|/apple-touch-icon\.png")
FACE = re.compile(r"@font-face \{ font-family: ([^;]+);(.*?)\}")
RANGE = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")

STYLE = b'@font-face { src: url("a.woff2"); }'
TONES = ("", "\u0300", "\u0301", "\u0303", "\u0309", "\u0323")
VIETNAMESE = [
    unicodedata.normalize("NFC", vowel + tone) for vowel, tone in product("aăâeêioôơuưy", TONES)
]

STYLESHEETS = [asset for asset in ASSETS.values() if asset.suffix == ".css"]
EACH_ASSET = pytest.mark.parametrize("asset", ASSETS.values(), ids=ASSETS.keys())
EACH_LASTING_ASSET = pytest.mark.parametrize(
    "asset",
    [asset for name, asset in ASSETS.items() if name not in FIXED_ADDRESSES],
    ids=lambda asset: asset.name,
)
EACH_STYLESHEET = pytest.mark.parametrize("sheet", STYLESHEETS, ids=lambda sheet: sheet.name)


def pages() -> list[str]:
    """Every page of the site as HTML."""
    context = live_context()
    families = [family for family in FAMILIES if family.media_type == headers.HTML]
    documents = chain.from_iterable(family.documents(context) for family in families)
    return [document.body().decode() for document in documents]


def covered(ranges: str) -> set[int]:
    """The code points of a `unicode-range`."""
    found = ((int(first, 16), int(last or first, 16)) for first, last in RANGE.findall(ranges))
    return set(chain.from_iterable(range(first, last + 1) for first, last in found))


def test_a_name_tells_the_content() -> None:
    assert Asset("icon.svg", b"<svg/>").address == "/assets/icon.d4dc5666.svg"


def test_other_content_has_another_name() -> None:
    assert Asset("icon.svg", b"<svg/>").address != Asset("icon.svg", b"<svg />").address


def test_a_stylesheet_names_the_addresses_of_what_it_needs() -> None:
    assets = published({"site.css": STYLE, "a.woff2": b"font"})

    assert f'url("{assets["a.woff2"].address}")'.encode() in assets["site.css"].body


def test_a_stylesheet_has_another_name_when_its_font_has_other_content() -> None:
    before = published({"site.css": STYLE, "a.woff2": b"font"})
    after = published({"site.css": STYLE, "a.woff2": b"another"})

    assert before["site.css"].address != after["site.css"].address


def test_a_stylesheet_that_names_a_missing_asset_is_refused() -> None:
    with pytest.raises(UnknownAsset, match=r"no asset 'a.woff2'; there are b.woff2"):
        published({"site.css": STYLE, "b.woff2": b"font"})


@pytest.mark.django_db
@EACH_LASTING_ASSET
def test_an_asset_is_kept_for_a_year_without_asking(client: Client, asset: Asset) -> None:
    response = client.get(asset.address)

    assert response.status_code == 200
    assert response["Cache-Control"] == "max-age=31536000, immutable"
    assert "CDN-Cache-Control" not in response
    assert response.content == asset.body


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "address"), FIXED_ADDRESSES.items())
def test_an_icon_at_a_fixed_address_is_asked_for_again(
    client: Client, name: str, address: str
) -> None:
    response = client.get(address)

    assert response.status_code == 200
    assert response["Cache-Control"] == headers.FILE["Cache-Control"]
    assert response["Content-Type"].startswith("image/")
    assert response.content == ASSETS[name].body


@pytest.mark.django_db
@EACH_ASSET
def test_an_asset_has_no_lasting_address_without_its_digest(client: Client, asset: Asset) -> None:
    assert client.get(f"/assets/{asset.name}").status_code == 404


def test_the_pages_and_stylesheets_name_every_asset_and_no_other(shipped_site: None) -> None:
    manifest = served(addresses.WEB_MANIFEST)
    texts = [manifest, *pages(), *(sheet.body.decode() for sheet in STYLESHEETS)]
    named = set(chain.from_iterable(ADDRESS.findall(text) for text in texts))

    assert named == {asset.address for asset in ASSETS.values()}


@EACH_STYLESHEET
def test_a_stylesheet_loads_nothing_but_assets(sheet: Asset) -> None:
    text = sheet.body.decode()
    loaded = re.findall(r"""url\(\s*["']?([^"')]{1,80})""", text)

    assert [name for name in loaded if not name.startswith(("/assets/", "data:"))] == []
    assert "@import" not in text
    assert "image-set(" not in text


def test_every_typeface_has_every_vietnamese_letter() -> None:
    faces: dict[str, set[int]] = {}
    for family, description in FACE.findall(ASSETS["site.css"].body.decode()):
        if "vietnamese" in description or "latin" in description:
            style = "italic" if "font-style: italic" in description else "upright"
            faces.setdefault(f"{family} {style}", set()).update(covered(description))
    letters = {ord(letter) for letter in [*VIETNAMESE, "đ"]}
    letters |= {ord(chr(letter).upper()) for letter in letters}

    assert len(faces) == 4
    assert [name for name, points in faces.items() if letters - points] == []


def test_the_icons_of_the_web_manifest_have_the_size_that_it_says(shipped_site: None) -> None:
    manifest = json.loads(served(addresses.WEB_MANIFEST))

    assert manifest["name"] == "Plumbline Studio"
    sizes = {icon["src"]: icon["sizes"] for icon in manifest["icons"]}
    by_address = {asset.address: asset.body for asset in ASSETS.values()}
    for address, size in sizes.items():
        if address.endswith(".png"):
            width, height = struct.unpack(">II", by_address[address][16:24])
            assert f"{width}x{height}" == size
    assert "any" in sizes.values()
