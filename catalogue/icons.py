"""Icons are SVG sources that editors paste: only drawings are let through."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from django.core.exceptions import ValidationError
from py_svg_hush import filter_svg

SVG = "{http://www.w3.org/2000/svg}"


def safe_icon(source: str) -> None:
    """Refuse an icon with anything that a cleaner would take out of it."""
    given, kept = parts(source), parts(cleaned(source))
    if f"<{SVG}svg>" not in given:
        raise ValidationError("The icon is not an SVG drawing: its first element is not <svg>.")
    refused = sorted(part.replace(SVG, "") for part in given - kept) + sorted(styled(source))
    if refused:
        raise ValidationError(f"The icon contains {', '.join(refused)}; remove it.")


def cleaned(source: str) -> str:
    try:
        return filter_svg(source.encode()).decode()
    except ValueError as error:
        raise ValidationError(f"The icon is not well-formed SVG: {error}") from error


def parts(source: str) -> set[str]:
    """Every element and attribute of a drawing, as a reader would name it."""
    return {part for element in elements(source) for part in named(element)}


def named(element: ET.Element) -> Iterator[str]:
    yield f"<{element.tag}>"
    for name, value in element.attrib.items():
        yield f'{name}="{value}"'


def styled(source: str) -> set[str]:
    """Styles, which the pages' security policy blocks, and addresses outside the drawing."""
    found = {part for part in parts(source) if part.startswith(("style=", f"<{SVG}style>"))}
    outside = {part for part in parts(source) if "url(" in part and "url(#" not in part}
    return {part.replace(SVG, "") for part in found | outside}


def elements(source: str) -> Iterator[ET.Element]:
    try:
        return ET.fromstring(source).iter()  # noqa: S314  (expat refuses entity bombs)
    except ET.ParseError as error:
        raise ValidationError(f"The icon is not well-formed SVG: {error}") from error
