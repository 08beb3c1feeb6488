"""The site's own faces and colours for the desk, which the setting `UNFOLD` names."""

import re

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse

from site_mirror.documents.assets import ASSETS
from site_mirror.documents.headers import MEDIA_TYPES

FONT_FACE = re.compile(r"^@font-face .*$", re.MULTILINE)


def faces_url(request: HttpRequest) -> str:
    return reverse("desk_faces")


def stylesheet_url(request: HttpRequest) -> str:
    return static("desk/desk.css")


def faces(request: HttpRequest) -> HttpResponse:
    """Return the faces of the pages, whose files have addresses with digests."""
    rules = FONT_FACE.findall(ASSETS["site.css"].body.decode())
    return HttpResponse("\n".join(rules), content_type=MEDIA_TYPES[".css"])
