"""Validation of icons, which are SVG sources that editors paste: scripts and styles are refused."""

from collections.abc import Iterator
from typing import NoReturn
from xml.etree import ElementTree as ET

from django.core.exceptions import ValidationError
from py_svg_hush import filter_svg

from catalogue.texts import limits

SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"


class IconBuilder(ET.TreeBuilder):
    """A tree builder that refuses document types, processing instructions and deep nesting."""

    depth = 0

    def doctype(self, name: str, public: str | None, system: str | None) -> NoReturn:
        raise ValidationError("The icon contains <!DOCTYPE>; remove it.")

    def pi(self, target: str, text: str | None = None) -> NoReturn:
        raise ValidationError(f"The icon contains <?{target}?>; remove it.")

    def start(self, tag: str, attributes: dict[str, str]) -> ET.Element:
        self.depth += 1
        if self.depth > limits.ICON_DEPTH:
            deepest = limits.ICON_DEPTH
            raise ValidationError(f"The icon nests its elements more than {deepest} deep.")
        return super().start(tag, attributes)

    def end(self, tag: str) -> ET.Element:
        self.depth -= 1
        return super().end(tag)


def validate_icon(source: str) -> None:
    """Refuse an icon with any part that the cleaner would remove."""
    root = parse_icon(source)
    if root.tag != f"{SVG_NAMESPACE}svg":
        raise ValidationError("The icon is not an SVG drawing: its first element is not <svg>.")
    removed = icon_parts(source) - icon_parts(clean_icon(source))
    refused = sorted({part.replace(SVG_NAMESPACE, "") for part in removed} | refused_styles(source))
    if refused:
        raise ValidationError(f"The icon contains {', '.join(refused)}; remove it.")


def clean_icon(source: str) -> str:
    try:
        return filter_svg(source.encode()).decode()
    except ValueError as error:
        raise ValidationError(f"The icon is not well-formed SVG: {error}") from error


def icon_parts(source: str) -> set[str]:
    return {part for element in parse_icon(source).iter() for part in parts_of_element(element)}


def parts_of_element(element: ET.Element) -> Iterator[str]:
    yield f"<{element.tag}>"
    for name, value in element.attrib.items():
        yield f'{name}="{value}"'


def refused_styles(source: str) -> set[str]:
    """Return styles, which the Content-Security-Policy of pages blocks, and outside references."""
    styles = {
        part
        for part in icon_parts(source)
        if part.startswith(("style=", f"<{SVG_NAMESPACE}style>"))
    }
    outside = {part for part in icon_parts(source) if "url(" in part and "url(#" not in part}
    return {part.replace(SVG_NAMESPACE, "") for part in styles | outside}


def parse_icon(source: str) -> ET.Element:
    try:
        return ET.fromstring(source, ET.XMLParser(target=IconBuilder()))  # noqa: S314  (no entities)
    except (ET.ParseError, ValueError) as error:
        raise ValidationError(f"The icon is not well-formed SVG: {error}") from error
