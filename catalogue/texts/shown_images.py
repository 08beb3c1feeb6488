"""Images of the site in a text: their sizes, and the narrower files that browsers may choose."""

from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import SMALL_IMAGE_WIDTH

SIZES = "(min-width: 44rem) 39rem, 92vw"
"""The width of an image on a page: that of the column of text, or of a narrow screen."""


class ShownImage(Struct, frozen=True):
    """The name, the format and the size of an image that a text shows."""

    slug: str
    format: str
    width: int
    height: int

    @property
    def address(self) -> str:
        return addresses.image(self.slug, self.format)

    @property
    def attributes(self) -> str:
        """The attributes of the image element, each after a space. Wide WebP is in two widths."""
        size = f' width="{self.width}" height="{self.height}"'
        if self.format != "webp" or self.width <= SMALL_IMAGE_WIDTH:
            return size
        small = f"{addresses.small_image(self.slug)} {SMALL_IMAGE_WIDTH}w"
        return f'{size} srcset="{small}, {self.address} {self.width}w" sizes="{SIZES}"'
