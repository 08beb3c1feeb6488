"""The preview: what readers would see if the posted form were published."""

import re
from datetime import MAXYEAR, MINYEAR, datetime
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from catalogue import questions
from catalogue.addresses import IMAGES
from catalogue.models import Publishable, State
from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.desk.forms import Data, with_data
from site_mirror.desk.places import place_of
from site_mirror.desk.what_if import what_if
from site_mirror.documents.assets import asset_address
from site_mirror.documents.family import Document
from site_mirror.documents.headers import HTML_TYPE, PAGE_SECURITY_POLICY, TEXT_TYPE

IMAGE_TAG = re.compile(rb"<img [^>]*>")
IMAGE_FILE = re.compile(rf"{IMAGES}/(?P<name>[a-z0-9-]+)\.[a-z0-9.]+".encode())
POLICY = "Content-Security-Policy"

NO_TRANSLATION = _("The Vietnamese text is missing.")
NOT_AT_THIS_MOMENT = _("Readers do not see it at this moment.")
FAULTY = _("The draft has faults, which its form names.")


def frame_policy(policy: str) -> str:
    """Return the policy of a page for a frame of the desk, in which it is shown."""
    return policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")


def published_data(model: type[Any], data: Data) -> Data:
    """Return the data of a form by which its row is published."""
    if issubclass(model, Publishable):
        return {**data, "state": [State.PUBLISHED]}
    return data


def show_preview(
    admin: Any, request: HttpRequest, row: Any, data: Data, options: Any
) -> HttpResponse:
    """Return a form of the row as readers would see it.

    The answer to an invalid form is 204, by which a browser keeps what a frame shows.
    """
    shown, language = options.get("_show", "page"), options.get("_language", ENGLISH)
    posted = with_data(request, published_data(admin.model, data))
    with what_if(admin, posted, row, read_moment(options.get("_at", ""))) as trial:
        if trial.row is None:
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        address = place_of(trial.row).address(shown, language)
        document = trial.site.document(address)
    if document is None:
        is_vietnamese = language == VIETNAMESE
        reason = NO_TRANSLATION if is_vietnamese else NOT_AT_THIS_MOMENT
        return show_nothing(request, reason, address)
    return show_document(document)


def read_moment(text: str) -> datetime | None:
    """Return a moment in ISO 8601; one without an offset is of the studio's time zone.

    The first and the last year are not in every time zone.
    """
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    if moment is None or moment.year in (MINYEAR, MAXYEAR):
        return None
    return timezone.make_aware(moment) if timezone.is_naive(moment) else moment


def show_document(document: Document) -> HttpResponse:
    """Return the published bytes: a page as a page, another document as a text.

    Only the addresses of images that readers do not see yet are those of the desk.
    """
    is_page, body = document.media_type == HTML_TYPE, document.body()
    policy = document.headers[POLICY] if is_page else PAGE_SECURITY_POLICY
    return HttpResponse(
        with_hidden_images(body) if is_page else body,
        content_type=HTML_TYPE if is_page else TEXT_TYPE,
        headers={POLICY: frame_policy(policy)},
    )


def with_hidden_images(page: bytes) -> bytes:
    """Return a page whose images can be loaded by those who are logged in."""
    if IMAGES.encode() not in page:
        return page
    public = {*questions.images(timezone.now()).values_list("slug", flat=True)}

    def change_address(found: re.Match[bytes]) -> bytes:
        name = found["name"].decode()
        if name in public:
            return found[0]
        return reverse("admin:catalogue_image_file", args=[name]).encode()

    return IMAGE_TAG.sub(lambda tag: IMAGE_FILE.sub(change_address, tag[0]), page)


def show_nothing(request: HttpRequest, reason: Any, address: str = "") -> HttpResponse:
    """Return a page in place of one that would not be published."""
    stylesheet = asset_address("site.css")
    context = {"address": address, "reason": reason, "stylesheet": stylesheet}
    response = render(request, "desk/no_document.html", context)
    response[POLICY] = frame_policy(PAGE_SECURITY_POLICY)
    return response
