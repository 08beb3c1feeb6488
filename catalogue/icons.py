"""Icons are SVG sources that editors paste: only drawings are let through."""

from collections.abc import Iterator
from typing import NoReturn
from xml.etree import ElementTree as ET

from django.core.exceptions import ValidationError
from py_svg_hush import filter_svg

from catalogue import limits
from catalogue.rules import within

SVG = "{http://www.w3.org/2000/svg}"


class Drawing(ET.TreeBuilder):
    """Builds the elements, and refuses what stands before them and is not drawn."""

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


def safe_icon(source: str) -> None:
    """Refuse an icon with anything that a cleaner would take out of it."""
    within(limits.ICON_LENGTH, len(source))
    root = drawing(source)
    within(limits.ICON_ELEMENTS, sum(1 for _ in root.iter()))
    if root.tag != f"{SVG}svg":
        raise ValidationError("The icon is not an SVG drawing: its first element is not <svg>.")
    given, kept = parts(source), parts(cleaned(source))
    refused = sorted({part.replace(SVG, "") for part in given - kept} | styled(source))
    if refused:
        raise ValidationError(f"The icon contains {', '.join(refused)}; remove it.")


def cleaned(source: str) -> str:
    try:
        return filter_svg(source.encode()).decode()
    except ValueError as error:
        raise ValidationError(f"The icon is not well-formed SVG: {error}") from error


def parts(source: str) -> set[str]:
    """Every element and attribute of a drawing, as a reader would name it."""
    return {part for element in drawing(source).iter() for part in named(element)}


def named(element: ET.Element) -> Iterator[str]:
    yield f"<{element.tag}>"
    for name, value in element.attrib.items():
        yield f'{name}="{value}"'


def styled(source: str) -> set[str]:
    """Styles, which the pages' security policy blocks, and addresses outside the drawing."""
    found = {part for part in parts(source) if part.startswith(("style=", f"<{SVG}style>"))}
    outside = {part for part in parts(source) if "url(" in part and "url(#" not in part}
    return {part.replace(SVG, "") for part in found | outside}


def drawing(source: str) -> ET.Element:
    try:
        return ET.fromstring(source, ET.XMLParser(target=Drawing()))  # noqa: S314  (no entities)
    except (ET.ParseError, ValueError) as error:
        raise ValidationError(f"The icon is not well-formed SVG: {error}") from error
