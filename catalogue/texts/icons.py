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
    kept = {*parts_of(clean_icon(source))}
    refused = {part for part in parts_of(root) if part not in kept or is_refused(part)}
    if refused:
        words = ", ".join(sorted(part.replace(SVG_NAMESPACE, "") for part in refused))
        raise ValidationError(f"The icon contains {words}; remove it.")


def clean_icon(source: str) -> ET.Element:
    try:
        return parse_icon(filter_svg(source.encode()).decode())
    except ValueError as error:
        raise ValidationError(f"The icon is not well-formed SVG: {error}") from error


def parts_of(root: ET.Element) -> Iterator[str]:
    for element in root.iter():
        yield f"<{element.tag}>"
        for name, value in element.attrib.items():
            yield f'{name}="{value}"'


def is_refused(part: str) -> bool:
    """Whether a part is a style, which the policy of pages blocks, or a reference to outside."""
    is_style = part.startswith(("style=", f"<{SVG_NAMESPACE}style>"))
    return is_style or ("url(" in part and "url(#" not in part)


def parse_icon(source: str) -> ET.Element:
    try:
        return ET.fromstring(source, ET.XMLParser(target=IconBuilder()))  # noqa: S314  (no entities)
    except (ET.ParseError, ValueError) as error:
        raise ValidationError(f"The icon is not well-formed SVG: {error}") from error
