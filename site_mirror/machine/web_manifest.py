"""`/site.webmanifest`: name, colours and icons of the site for home screens and browsers.

Source: W3C, Web Application Manifest.
"""

from typing import Any

from catalogue import addresses
from catalogue.texts.localized import ENGLISH
from site_mirror.documents import assets

BACKGROUND_COLOR = "#f8f4ec"
THEME_COLOR = "#1b2127"
"""The colours of `icon.svg` and of pages in the light colour scheme (`site.css`)."""
SIZES_IN_PIXELS = (192, 512)


def web_app_manifest(name: str) -> dict[str, Any]:
    icons = [
        {
            "src": assets.asset_address(f"icon-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
        }
        for size in SIZES_IN_PIXELS
    ]
    drawing = {"src": assets.asset_address("icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    return {
        "name": name,
        "lang": ENGLISH,
        "start_url": addresses.HOME,
        "display": "browser",
        "background_color": BACKGROUND_COLOR,
        "theme_color": THEME_COLOR,
        "icons": [drawing, *icons],
    }
