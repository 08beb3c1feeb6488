"""Images of the site in a text: their sizes, and the narrower files that browsers may choose."""

from msgspec import Struct

from catalogue.addresses import SMALL_IMAGE_WIDTH

SIZES = "(min-width: 44rem) 39rem, 92vw"
"""The width of an image on a page: that of the column of text, or of a narrow screen."""


class ShownImage(Struct, frozen=True):
    """An image that a text may show; `small` is the address of its narrower file, or nothing."""

    address: str
    width: int
    height: int
    small: str = ""

    @property
    def attributes(self) -> str:
        """The attributes of the image element, each after a space."""
        size = f' width="{self.width}" height="{self.height}"'
        if not self.small:
            return size
        files = f"{self.small} {SMALL_IMAGE_WIDTH}w, {self.address} {self.width}w"
        return f'{size} srcset="{files}" sizes="{SIZES}"'
