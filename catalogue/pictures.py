"""Images that editors upload: decoded and written anew as WebP, so that nothing else stays.

This module reads with Pillow, and `site_mirror/sharing/drawing.py` draws: no other one knows it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import IO

from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.exceptions import ValidationError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from catalogue.addresses import SMALL_IMAGE_WIDTH
from catalogue.texts import limits
from catalogue.texts.icons import read_drawing

Image.MAX_IMAGE_PIXELS = None  # Each file is compared with the limits of this site, by its size.
FORMATS = ("PNG", "JPEG", "WebP", "AVIF", "GIF")
DRAWN = frozenset({"PNG", "GIF"})
"""Formats of drawings and screenshots, which are often smaller without loss."""
QUALITY = 82
METADATA = frozenset({"exif", "icc_profile", "xmp"})


def write_anew(upload: IO[bytes], size: int) -> tuple[bytes, bytes]:
    """Return an uploaded file of a size in bytes as it is published, or refuse it in words.

    The second file is the narrower one of a wide image.
    """
    if size > limits.IMAGE_BYTES:
        raise ValidationError(
            _("The file has %(size)s; an image has at most %(most)s. Save a smaller one.")
            % {"size": filesizeformat(size), "most": filesizeformat(limits.IMAGE_BYTES)}
        )
    with open_image(upload, FORMATS) as image:
        is_drawn, shown = image.format in DRAWN, on_paper(with_colours_of_the_web(decode(image)))
    file = encode(shown, is_drawn=is_drawn)
    if shown.width <= SMALL_IMAGE_WIDTH:
        return file, b""
    shown.thumbnail((SMALL_IMAGE_WIDTH, shown.height))
    return file, encode(shown, is_drawn=is_drawn)


@contextmanager
def open_image(file: IO[bytes], formats: Sequence[str]) -> Iterator[Image.Image]:
    """Open a file to decode it, or refuse it in words."""
    try:
        with Image.open(file, formats=[name.upper() for name in formats]) as image:
            refuse_large_or_animated(image)
            yield image
    except ValidationError:
        raise
    except UnidentifiedImageError as error:
        raise ValidationError(describe_unknown(file, formats)) from error
    except Exception as error:  # For hostile files, Pillow's decoders raise errors of every kind.
        raise ValidationError(
            _("The image cannot be read to its end. Is the file damaged? Save it again.")
        ) from error


def refuse_large_or_animated(image: Image.Image) -> None:
    """Refuse a file by what its beginning says of it, before anything is decoded."""
    if image.width * image.height > limits.IMAGE_PIXELS:
        size = f"{intcomma(image.width)} × {intcomma(image.height)}"
        words = _("The image has %(size)s pixels; at most %(most)s in all are allowed.")
        raise ValidationError(words % {"size": size, "most": intcomma(limits.IMAGE_PIXELS)})
    # The second image of a JPEG of a phone is a map of depth or of brightness.
    if getattr(image, "is_animated", False) and image.format != "MPO":
        raise ValidationError(_("The image moves. Save one frame of it as PNG."))


def describe_unknown(file: IO[bytes], formats: Sequence[str]) -> str:
    file.seek(0)
    beginning = file.read(1024).lstrip()
    if beginning.startswith(b"<") and b"<svg" in beginning:
        return _("SVG drawings are not taken, because they can hold programs. Save it as PNG.")
    if beginning[4:8] == b"ftyp":
        return _("Photographs in HEIC are not taken, because few programs read them. Use JPEG.")
    words = _("The file is no image in %(formats)s, or it is damaged.")
    return words % {"formats": ", ".join(formats)}


def decode(image: Image.Image) -> Image.Image:
    """Return the pixels of an image, upright, in red, green and blue, and not too many."""
    if image.mode.startswith("I;16"):
        image = image.point(lambda grey: grey / 256, "L")  # Pillow would clip all values above 255.
    mode = "RGBA" if image.has_transparency_data else "RGB"
    shown = image if image.mode == mode else image.convert(mode)
    shown.thumbnail((limits.IMAGE_HEIGHT, limits.IMAGE_HEIGHT))  # A large one is not turned whole.
    upright = ImageOps.exif_transpose(shown)
    upright.thumbnail((limits.IMAGE_WIDTH, limits.IMAGE_HEIGHT))
    return upright


def with_colours_of_the_web(image: Image.Image) -> Image.Image:
    """Return an image in sRGB; the cameras of phones have a wider range of colours."""
    profile = image.info.get("icc_profile")
    if not profile:
        return image
    try:
        known = ImageCms.ImageCmsProfile(BytesIO(profile))
        return ImageCms.profileToProfile(image, known, ImageCms.createProfile("sRGB")) or image
    except (OSError, ImageCms.PyCMSError):
        return image  # Its profile is damaged, or is that of another kind of colours.


def on_paper(image: Image.Image) -> Image.Image:
    """Return an image on white: black lines on nothing would not be seen on a dark page."""
    if image.mode != "RGBA":
        return image
    paper = Image.new("RGB", image.size, "white")
    paper.paste(image, mask=image.getchannel("A"))
    return paper


def encode(image: Image.Image, *, is_drawn: bool) -> bytes:
    """Return WebP without metadata: the smaller one of two for a drawing."""
    files = [BytesIO() for lossless in range(1 + is_drawn)]
    for lossless, file in enumerate(files):
        nothing = dict.fromkeys(METADATA, b"")
        image.save(file, "WEBP", quality=QUALITY, lossless=bool(lossless), **nothing)
    return min((file.getvalue() for file in files), key=len)


def measure(suffix: str, file: bytes, small: bytes) -> tuple[int, int]:
    """Return width and height of an image, or refuse files that the desk would not have made.

    Files of content are published as they are, while uploads are written anew.
    """
    width, height = read_drawing(file) if suffix == "svg" else read_pixels(file)
    has_small = suffix != "svg" and width > SMALL_IMAGE_WIDTH
    found = read_pixels(small)[0] if small else 0
    if found != (SMALL_IMAGE_WIDTH if has_small else 0):
        fault = _("The narrower file is %(found)s pixels wide; %(width)s are right.")
        raise ValidationError(fault % {"found": found, "width": SMALL_IMAGE_WIDTH * has_small})
    return width, height


def read_pixels(file: bytes) -> tuple[int, int]:
    """Return width and height of a file in WebP that has pixels and nothing else."""
    with open_image(BytesIO(file), ["WebP"]) as image:
        image.load()
    if image.width > limits.IMAGE_WIDTH or image.height > limits.IMAGE_HEIGHT:
        size = {"width": intcomma(limits.IMAGE_WIDTH), "height": intcomma(limits.IMAGE_HEIGHT)}
        raise ValidationError(_("An image has at most %(width)s × %(height)s pixels.") % size)
    length = 8 + int.from_bytes(file[4:8], "little")
    if len(file) != length or METADATA & image.info.keys():
        fault = _("The file of the image has more than pixels. Upload it at the desk.")
        raise ValidationError(fault)
    return image.size
