"""Views of the families that are not endpoints of the API."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from api.contract import METHODS
from api.headers import last_modified_headers
from api.responses import redirect_response
from catalogue.addresses import Site
from catalogue.read_transactions import read_transaction
from catalogue.triggers import revision
from site_mirror.documents.context import Context
from site_mirror.documents.family import Family
from site_mirror.documents.headers import VARY_NEGOTIATED
from site_mirror.live.errors import not_acceptable_response, refuse
from site_mirror.live.negotiation import Representation, preferred_representation
from site_mirror.registry.contexts import context_at

View = Callable[..., HttpResponse]


def live_context() -> Context:
    """Return the site as it is now; `DeliveryMiddleware` adds the lifecycle headers."""
    return context_at(Site(settings.SITE_ROOT), timezone.now())


def read_only(read: View) -> View:
    """Wrap a view so that it refuses methods that write; `CorsMiddleware` answers OPTIONS."""

    @csrf_exempt  # A write is a 405, with or without a token.
    def view(request: HttpRequest, **parameters: str) -> HttpResponse:
        if request.method not in METHODS:
            return refuse(request, HTTPStatus.METHOD_NOT_ALLOWED)
        return read(request, **parameters)

    return view


def document_view(family: Family) -> View:
    """Return a view that sends a document of the family, or redirects a former slug."""

    @read_only
    @read_transaction()
    def view(request: HttpRequest, slug: str = "") -> HttpResponse:
        context = live_context()
        subject = family.one(context, slug)
        if subject is None:
            return redirect_or_404(request, family, context, slug)
        if family.mirror:
            return render_preferred(request, family, family.mirror, context, slug, subject)
        return render_document(family, context, subject)

    return view


def render_document(family: Family, context: Context, subject: Any) -> HttpResponse:
    document = family.document(context, subject)
    last_modified = last_modified_headers(revision.last_public_change(context.at), context.at)
    return HttpResponse(
        document.body(),
        content_type=document.media_type,
        headers={**document.headers, **last_modified},
    )


def render_preferred(
    request: HttpRequest, page: Family, mirror: Family, context: Context, slug: str, subject: Any
) -> HttpResponse:
    """Return a page as HTML or as its mirror, as the request prefers, or 406."""
    representation = preferred_representation(request.headers.get("Accept"))
    if representation is Representation.HTML:
        return render_document(page, context, subject)
    if representation is None:
        return not_acceptable_response(context.site, page.address(slug), mirror.address(slug))
    response = render_document(mirror, context, subject)
    response["Content-Location"] = mirror.address(slug)
    response["Vary"] = VARY_NEGOTIATED["Vary"]
    return response


def redirect_or_404(
    request: HttpRequest, family: Family, context: Context, slug: str
) -> HttpResponse:
    """Redirect a former slug to its present address, or return 404."""
    target = family.current_address(context, slug)
    if target:
        return redirect_response(target, request.META["QUERY_STRING"])
    return refuse(request, HTTPStatus.NOT_FOUND)


@read_only
def unknown_address(request: HttpRequest) -> HttpResponse:
    """Return 404 for an address of no family."""
    return refuse(request, HTTPStatus.NOT_FOUND)
