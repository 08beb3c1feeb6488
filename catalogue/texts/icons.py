"""Validation of drawings in SVG: icons that editors paste, and images that are loaded as files.

Scripts and references to outside are refused; the images of texts may have style sheets.
"""

import re
from collections.abc import Callable, Iterator
from typing import NoReturn
from xml.etree import ElementTree as ET

from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from py_svg_hush import filter_svg

from catalogue.texts import limits

CONTAINS = gettext_noop("The drawing contains %(parts)s; remove it.")
MALFORMED = gettext_noop("The drawing is not well-formed SVG: %(error)s")
SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
OUTSIDE = re.compile(r"url\((?!#)|@import|image-set\(|\\", re.IGNORECASE)
STYLE = f"{SVG_NAMESPACE}style"


class DrawingBuilder(ET.TreeBuilder):
    """A tree builder that refuses document types, processing instructions and deep nesting."""

    depth = 0

    def doctype(self, name: str, public: str | None, system: str | None) -> NoReturn:
        raise ValidationError(_(CONTAINS) % {"parts": "<!DOCTYPE>"})

    def pi(self, target: str, text: str | None = None) -> NoReturn:
        raise ValidationError(_(CONTAINS) % {"parts": f"<?{target}?>"})

    def start(self, tag: str, attributes: dict[str, str]) -> ET.Element:
        self.depth += 1
        if self.depth > limits.ICON_DEPTH:
            fault = _("The drawing nests its elements more than %(deepest)s deep.")
            raise ValidationError(fault % {"deepest": limits.ICON_DEPTH})
        return super().start(tag, attributes)

    def end(self, tag: str) -> ET.Element:
        self.depth -= 1
        return super().end(tag)


def validate_icon(source: str) -> None:
    """Refuse an icon with any part that the cleaner would remove, or with a style."""
    read_clean_drawing(source, is_refused)


def read_drawing(file: bytes) -> tuple[int, int]:
    """Return width and height of an image in SVG, or refuse it, as the cleaner would change it."""
    if len(file) > limits.DRAWING_BYTES:
        fault = _("The drawing has more than %(bytes)s bytes.")
        raise ValidationError(fault % {"bytes": intcomma(limits.DRAWING_BYTES)})
    try:
        root = read_clean_drawing(file.decode(), refers_outside)
    except UnicodeDecodeError as error:
        raise ValidationError(_("The drawing is not in UTF-8.")) from error
    width, height = root.get("width", ""), root.get("height", "")
    if not (width.isdecimal() and height.isdecimal()):
        raise ValidationError(_("The drawing has no width and height in pixels."))
    return int(width), int(height)


def read_clean_drawing(source: str, is_refused: Callable[[str], bool]) -> ET.Element:
    root = parse_drawing(source)
    if root.tag != f"{SVG_NAMESPACE}svg":
        fault = _("The drawing is not an SVG drawing: its first element is not <svg>.")
        raise ValidationError(fault)
    kept = {*parts_of(clean_drawing(source))}
    refused = {part for part in parts_of(root) if part not in kept or is_refused(part)}
    if refused:
        words = ", ".join(sorted(part.replace(SVG_NAMESPACE, "") for part in refused))
        raise ValidationError(_(CONTAINS) % {"parts": words})
    return root


def clean_drawing(source: str) -> ET.Element:
    try:
        return parse_drawing(filter_svg(source.encode()).decode())
    except ValueError as error:
        raise ValidationError(_(MALFORMED) % {"error": error}) from error


def parts_of(root: ET.Element) -> Iterator[str]:
    for element in root.iter():
        yield f"<{element.tag}>"
        if element.tag == STYLE:
            yield element.text or ""
        for name, value in element.attrib.items():
            yield f'{name}="{value}"'


def is_refused(part: str) -> bool:
    """Whether a part is a style, which the policy of pages blocks, or a reference to outside."""
    return part.startswith(("style=", f"<{STYLE}>")) or refers_outside(part)


def refers_outside(part: str) -> bool:
    """Whether a part has an address that is not in the drawing, or a style that may hide one."""
    return bool(OUTSIDE.search(part))


def parse_drawing(source: str) -> ET.Element:
    try:
        return ET.fromstring(source, ET.XMLParser(target=DrawingBuilder()))  # noqa: S314  (no entities)
    except (ET.ParseError, ValueError) as error:
        raise ValidationError(_(MALFORMED) % {"error": error}) from error
