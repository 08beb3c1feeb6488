"""The site's own faces for the desk."""

import re

from django.http import HttpRequest, HttpResponse

from site_mirror.documents.assets import ASSETS
from site_mirror.documents.headers import MEDIA_TYPES

FONT_FACE = re.compile(r"^@font-face .*$", re.MULTILINE)


def faces(request: HttpRequest) -> HttpResponse:
    """Return the faces of the pages, whose files have addresses with digests."""
    rules = FONT_FACE.findall(ASSETS["site.css"].body.decode())
    return HttpResponse("\n".join(rules), content_type=MEDIA_TYPES[".css"])
