"""The live view of a family that is not an endpoint of the API."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from api.contract import METHODS
from api.headers import http_date
from api.responses import options_response, redirect
from catalogue import revision
from catalogue.addresses import Site
from site_mirror.documents import Context, Family
from site_mirror.refusals import refuse

View = Callable[..., HttpResponse]


def live_context() -> Context:
    """The site as it is now; the end of a version is announced by the delivery."""
    return Context(site=Site(settings.SITE_ROOT), at=timezone.now(), lifecycle={})


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
        subject = family.subject(context, slug)
        if family.each and subject is None:
            return elsewhere(request, family, context, slug)
        render = family.renderer(context)
        document = family.document(context, family.address(slug), subject, render)
        moment = {"Last-Modified": http_date(revision.last_change(context.at))}
        return HttpResponse(
            document.body(),
            content_type=document.media_type,
            headers={**document.headers, **moment},
        )

    return view


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
