"""Static assets, most of which are published under a name with a digest of their content.

A source stylesheet refers to other assets as `url("NAME")`; its published form has their addresses.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

import drf_spectacular_sidecar
from msgspec import Struct

from catalogue import addresses
from site_mirror.documents.encodings import sha256_hex

ASSET_FOLDER = Path(__file__).parent.parent / "assets"
SWAGGER_UI = (
    Path(drf_spectacular_sidecar.__file__).parent / "static/drf_spectacular_sidecar/swagger-ui-dist"
)
ASSET_FILES = {path.name: path for path in ASSET_FOLDER.iterdir()} | {
    "swagger-ui.js": SWAGGER_UI / "swagger-ui-bundle.js",
    "swagger-ui.css": SWAGGER_UI / "swagger-ui.css",
    "swagger-ui-licence.txt": SWAGGER_UI / "LICENSE",
}

FIXED_ADDRESSES = {
    "favicon.ico": addresses.FAVICON,
    "apple-touch-icon.png": addresses.TOUCH_ICON,
}
"""Addresses that browsers request by default; those of other assets have a digest."""

_ASSET_URL = re.compile(r'url\("([^"/:]+)"\)')


class Asset(Struct, frozen=True):
    """A published static file."""

    name: str
    body: bytes

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix

    @property
    def address(self) -> str:
        """`site.css` → `/assets/site.1f2e3d4c.css`."""
        if fixed := FIXED_ADDRESSES.get(self.name):
            return fixed
        return f"/assets/{PurePosixPath(self.name).stem}.{sha256_hex(self.body)[:8]}{self.suffix}"


def make_assets(files: Mapping[str, bytes]) -> dict[str, Asset]:
    """Return an asset for each file; stylesheets come last, because they refer to the others."""
    assets: dict[str, Asset] = {}

    def address_of(match: re.Match[str]) -> str:
        return f'url("{assets[match[1]].address}")'

    for name in sorted(files, key=lambda name: (name.endswith(".css"), name)):
        body = files[name]
        if name.endswith(".css"):
            body = _ASSET_URL.sub(address_of, body.decode()).encode()
        assets[name] = Asset(name, body)
    return assets


ASSETS = make_assets({name: path.read_bytes() for name, path in ASSET_FILES.items()})


@cache
def asset_address(name: str) -> str:
    return ASSETS[name].address
