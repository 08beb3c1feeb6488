"""Static assets: addresses with a digest, cached for a year; no asset is missing or unused."""

import json
import re
import struct
import unicodedata
from itertools import chain, product

import pytest
from django.test import Client

from catalogue import addresses
from site_mirror.documents import headers
from site_mirror.documents.assets import ASSETS, FIXED_ADDRESSES, make_assets
from site_mirror.live.views import live_context
from site_mirror.registry.table import FAMILIES
from tests.pages.page_reader import read_document

ADDRESS = re.compile(r"/assets/[\w.-]+|/favicon\.ico|/apple-touch-icon\.png")
FACE = re.compile(r"@font-face \{(.*?)\}")
RANGE = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")

STYLE = b'@font-face { src: url("a.woff2"); }'
TONES = ("", "\u0300", "\u0301", "\u0303", "\u0309", "\u0323")
VIETNAMESE = [
    unicodedata.normalize("NFC", vowel + tone) for vowel, tone in product("aăâeêioôơuưy", TONES)
]

STYLESHEETS = [asset for asset in ASSETS.values() if asset.suffix == ".css"]


def list_html() -> list[str]:
    """Return all pages of the site as HTML."""
    context = live_context()
    families = [family for family in FAMILIES if family.media_type == headers.HTML_TYPE]
    documents = chain.from_iterable(family.documents(context) for family in families)
    return [document.body().decode() for document in documents]


def code_points_of(ranges: str) -> set[int]:
    """Return the code points of a `unicode-range`."""
    found = ((int(first, 16), int(last or first, 16)) for first, last in RANGE.findall(ranges))
    return set(chain.from_iterable(range(first, last + 1) for first, last in found))


def test_a_stylesheet_names_its_fonts_and_has_another_address_if_they_change() -> None:
    before = make_assets({"site.css": STYLE, "a.woff2": b"font"})
    after = make_assets({"site.css": STYLE, "a.woff2": b"another"})

    assert f'url("{before["a.woff2"].address}")'.encode() in before["site.css"].body
    assert before["site.css"].address != after["site.css"].address


def test_a_stylesheet_that_names_a_missing_asset_is_refused() -> None:
    with pytest.raises(KeyError, match=r"a\.woff2"):
        make_assets({"site.css": STYLE, "b.woff2": b"font"})


def test_an_asset_is_cached_for_a_year_and_has_no_address_without_its_digest(
    db: None, client: Client
) -> None:
    for name, asset in ASSETS.items():
        assert client.get(f"/assets/{name}").status_code == 404
        if name not in FIXED_ADDRESSES:
            response = client.get(asset.address)

            assert (response.status_code, response.content) == (200, asset.body)
            assert response["Cache-Control"] == "max-age=31536000, immutable"
            assert "CDN-Cache-Control" not in response


@pytest.mark.parametrize(("name", "address"), FIXED_ADDRESSES.items())
def test_an_icon_at_a_fixed_address_is_revalidated(
    db: None, client: Client, name: str, address: str
) -> None:
    response = client.get(address)

    assert (response.status_code, response.content) == (200, ASSETS[name].body)
    assert response["Cache-Control"] == headers.FILE_HEADERS["Cache-Control"]
    assert response["Content-Type"].startswith("image/")


def test_the_pages_and_stylesheets_name_every_asset_and_no_other(shipped_site: None) -> None:
    manifest = read_document(addresses.WEB_MANIFEST)
    texts = [manifest, *list_html(), *(sheet.body.decode() for sheet in STYLESHEETS)]
    addresses_in_texts = set(chain.from_iterable(ADDRESS.findall(text) for text in texts))

    assert addresses_in_texts == {asset.address for asset in ASSETS.values()}


def test_all_letters_of_a_vietnamese_text_arrive_in_one_file() -> None:
    """A line that has a part of its letters has another length, and moves what is below it."""
    style = ASSETS["site.css"].body.decode()
    letters = {ord(letter) for letter in [*VIETNAMESE, "đ"]}
    letters |= {ord(chr(letter).upper()) for letter in letters}
    files = [points for points in map(code_points_of, FACE.findall(style)) if ord("a") in points]

    assert len(files) == 5
    assert [letters - points for points in files] == [set()] * 5


def test_the_icons_of_the_web_manifest_have_the_size_that_it_says(shipped_site: None) -> None:
    manifest = json.loads(read_document(addresses.WEB_MANIFEST))

    assert manifest["name"] == "Plumbline Studio"
    sizes = {icon["src"]: icon["sizes"] for icon in manifest["icons"]}
    by_address = {asset.address: asset.body for asset in ASSETS.values()}
    for address, size in sizes.items():
        if address.endswith(".png"):
            width, height = struct.unpack(">II", by_address[address][16:24])
            assert f"{width}x{height}" == size
    assert "any" in sizes.values()
