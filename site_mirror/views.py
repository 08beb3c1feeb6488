"""The live view of a family that is not an endpoint of the API."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from api.contract import METHODS
from api.headers import http_date
from api.responses import options_response, redirect
from catalogue import revision
from catalogue.addresses import Site
from site_mirror.context import Context
from site_mirror.documents import Family
from site_mirror.framing import context_at
from site_mirror.headers import VARY_NEGOTIATED
from site_mirror.negotiation import Representation, preferred
from site_mirror.refusals import not_acceptable, refuse

View = Callable[..., HttpResponse]


def live_context() -> Context:
    """The site as it is now; the end of a version is announced by the delivery."""
    return context_at(Site(settings.SITE_ROOT), timezone.now())


def read_only(answer: View) -> View:
    """A view that reads: OPTIONS says so, and other methods are refused."""

    @csrf_exempt
    def view(request: HttpRequest, **parameters: str) -> HttpResponse:
        if request.method == "OPTIONS":
            return options_response()
        if request.method not in METHODS:
            return refuse(request, HTTPStatus.METHOD_NOT_ALLOWED)
        return answer(request, **parameters)

    return view


def document_view(family: Family) -> View:
    """Answers with a document of the family, or with where it has moved."""

    @read_only
    def view(request: HttpRequest, slug: str = "") -> HttpResponse:
        context = live_context()
        subject = family.one(context, slug)
        if subject is None:
            return elsewhere(request, family, context, slug)
        if family.mirror:
            return negotiated(request, family, family.mirror, context, slug, subject)
        return rendered(family, context, slug, subject)

    return view


def rendered(family: Family, context: Context, slug: str, subject: Any) -> HttpResponse:
    """The document of one row or rows, as it is now."""
    render = family.renderer(context)
    document = family.document(context, family.address(slug), subject, render)
    moment = {"Last-Modified": http_date(revision.last_change(context.at))}
    return HttpResponse(
        document.body(),
        content_type=document.media_type,
        headers={**document.headers, **moment},
    )


def negotiated(
    request: HttpRequest, page: Family, mirror: Family, context: Context, slug: str, subject: Any
) -> HttpResponse:
    """A page as HTML or as its mirror, whichever the request prefers."""
    wanted = preferred(request.headers.get("Accept"))
    if wanted is Representation.HTML:
        return rendered(page, context, slug, subject)
    if wanted is None:
        return not_acceptable(context.site, page.address(slug), mirror.address(slug))
    response = rendered(mirror, context, slug, subject)
    response["Content-Location"] = mirror.address(slug)
    response["Vary"] = VARY_NEGOTIATED["Vary"]
    return response


def elsewhere(request: HttpRequest, family: Family, context: Context, slug: str) -> HttpResponse:
    """A redirect to where a former slug leads today, or the 404."""
    today = family.moved(context, slug)
    if today:
        return redirect(context.site.url(today))
    return refuse(request, HTTPStatus.NOT_FOUND)


@read_only
def unknown_address(request: HttpRequest) -> HttpResponse:
    """Everything that no family answers."""
    return refuse(request, HTTPStatus.NOT_FOUND)
