"""The site's own faces and colours for the desk, which the setting `UNFOLD` names."""

import re

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse

from site_mirror.documents.assets import ASSETS
from site_mirror.documents.headers import MEDIA_TYPES

FONT_FACE = re.compile(r"^@font-face .*$", re.MULTILINE)

BASE_COLOURS = {
    "50": "#f8f4ec",
    "100": "#f1ebdf",
    "200": "#ddd3c2",
    "300": "#cabda6",
    "400": "#a2947d",
    "500": "#6b6053",
    "600": "#574f45",
    "700": "#4a4a48",
    "800": "#31363a",
    "900": "#1b1f23",
    "950": "#14171a",
}
PRIMARY_COLOURS = {
    "50": "#fdf3dc",
    "100": "#fbe4b4",
    "200": "#f7d692",
    "300": "#f4bd69",
    "400": "#f2b04a",
    "500": "#c98a2b",
    "600": "#824705",
    "700": "#6d3b04",
    "800": "#572f03",
    "900": "#3d2203",
    "950": "#291602",
}
"""The ground, the ink and the brass of the pages (`site.css`), in the scales of the theme."""


def base_colours(request: HttpRequest) -> dict[str, str]:
    return BASE_COLOURS


def primary_colours(request: HttpRequest) -> dict[str, str]:
    return PRIMARY_COLOURS


def faces_url(request: HttpRequest) -> str:
    return reverse("desk_faces")


def stylesheet_url(request: HttpRequest) -> str:
    return static("desk/desk.css")


def faces(request: HttpRequest) -> HttpResponse:
    """Return the faces of the pages, whose files have addresses with digests."""
    rules = FONT_FACE.findall(ASSETS["site.css"].body.decode())
    return HttpResponse("\n".join(rules), content_type=MEDIA_TYPES[".css"])
