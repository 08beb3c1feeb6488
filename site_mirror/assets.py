"""Static assets: nearly all are published under a name with a digest of their content.

A stylesheet names other assets as `url("NAME")`; what is published names their addresses.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

import drf_spectacular_sidecar
from msgspec import Struct

from catalogue import addresses
from site_mirror.encodings import digest

FOLDER = Path(__file__).parent / "assets"
SWAGGER_UI = (
    Path(drf_spectacular_sidecar.__file__).parent / "static/drf_spectacular_sidecar/swagger-ui-dist"
)
FILES = {path.name: path for path in FOLDER.iterdir()} | {
    "swagger-ui.js": SWAGGER_UI / "swagger-ui-bundle.js",
    "swagger-ui.css": SWAGGER_UI / "swagger-ui.css",
    "swagger-ui-licence.txt": SWAGGER_UI / "LICENSE",
}

FIXED_ADDRESSES = {
    "favicon.ico": addresses.FAVICON,
    "apple-touch-icon.png": addresses.TOUCH_ICON,
}
"""Addresses at which browsers look without being told; the others have a digest."""

_NAMED = re.compile(r'url\("([^"/:]+)"\)')


class UnknownAsset(LookupError):
    def __init__(self, name: str, known: Mapping[str, object]) -> None:
        super().__init__(f"There is no asset {name!r}; there are {', '.join(sorted(known))}.")


class Asset(Struct, frozen=True):
    """A file as it is published."""

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
        return f"/assets/{PurePosixPath(self.name).stem}.{digest(self.body)[:8]}{self.suffix}"


def published(files: Mapping[str, bytes]) -> dict[str, Asset]:
    """Every file as an asset; stylesheets come last, because they name the others."""
    assets: dict[str, Asset] = {}

    def address_of(found: re.Match[str]) -> str:
        return f'url("{named(assets, found[1]).address}")'

    for name in sorted(files, key=lambda name: (name.endswith(".css"), name)):
        body = files[name]
        if name.endswith(".css"):
            body = _NAMED.sub(address_of, body.decode()).encode()
        assets[name] = Asset(name, body)
    return assets


def named(assets: Mapping[str, Asset], name: str) -> Asset:
    if name not in assets:
        raise UnknownAsset(name, assets)
    return assets[name]


ASSETS = published({name: path.read_bytes() for name, path in FILES.items()})


@cache
def address(name: str) -> str:
    """Where the asset of a name is published."""
    return named(ASSETS, name).address
