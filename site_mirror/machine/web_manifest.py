"""`/site.webmanifest`: how a phone or a browser shows the site that a reader keeps.

Source: W3C, Web Application Manifest.
"""

from typing import Any

from catalogue import addresses
from catalogue.localized import ENGLISH
from site_mirror import assets

GROUND = "#f8f4ec"
INK = "#1b2127"
"""The colours of `icon.svg` and of the page by day (`site.css`)."""
SIZES_IN_PIXELS = (192, 512)


def manifest(name: str) -> dict[str, Any]:
    """The manifest of a site; `name` is the studio's."""
    icons = [
        {
            "src": assets.address(f"icon-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
        }
        for size in SIZES_IN_PIXELS
    ]
    drawing = {"src": assets.address("icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    return {
        "name": name,
        "lang": ENGLISH,
        "start_url": addresses.HOME,
        "display": "browser",
        "background_color": GROUND,
        "theme_color": INK,
        "icons": [drawing, *icons],
    }
