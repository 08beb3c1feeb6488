"""The read-only viewsets of the endpoints: the moment of a request, its rows, and headers."""

from datetime import datetime
from functools import cached_property
from typing import Any, NoReturn

from django.conf import settings
from django.http import Http404, HttpResponse
from django.utils import timezone
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSetMixin

from api.contract import JSON
from api.endpoints import ENDPOINTS, Endpoint
from api.envelope import Body, encode_body
from api.headers import DOCUMENT_CACHING, Headers, document_headers, last_modified_headers
from api.responses import redirect_response
from api.schema import openapi_description
from catalogue.addresses import Site
from catalogue.read_transactions import read_transaction
from catalogue.triggers import revision


class CatalogueView(APIView):
    """A view with the moment of the request and the headers of the contract."""

    caching: Headers = DOCUMENT_CACHING
    default_response_headers: Headers = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.site = Site(settings.SITE_ROOT)
        self.at = timezone.now()

    @cached_property
    def last_change(self) -> datetime:
        return revision.last_public_change(self.at)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:  # noqa: FBT001, FBT002
        """Accept every request, whatever its `Accept` says: there is only JSON."""
        return JSONRenderer(), JSON

    def respond(self, body: Body) -> HttpResponse:
        moment = last_modified_headers(self.last_change, self.at)
        headers = document_headers(self.caching) | moment
        return HttpResponse(encode_body(body), content_type=JSON, headers=headers)


class EndpointViewSet(ViewSetMixin, CatalogueView):
    """The viewset of an entry of `ENDPOINTS`."""

    endpoint: Endpoint = ENDPOINTS[0]

    @read_transaction()
    def retrieve(self, request: Request, **parameters: str) -> HttpResponse:
        slug = next(iter(parameters.values()), "")
        subject = self.endpoint.subject(self.at, slug)
        if subject is None:
            return self.redirect_or_404(slug)
        address = request.path.removesuffix(".json")  # An alias says what its document says.
        return self.respond(self.endpoint.writer(self.site)(address, subject))

    def redirect_or_404(self, slug: str) -> HttpResponse:
        if moved := self.endpoint.moved_address(self.at, slug):
            return redirect_response(moved, self.request.META["QUERY_STRING"])
        raise Http404(self.endpoint.unknown.format(slug=slug))


class OpenApiView(CatalogueView):
    """The OpenAPI document, which is served at the root of the site."""

    schema = None

    @read_transaction()
    def get(self, request: Request) -> HttpResponse:
        return self.respond(openapi_description(self.at, self.last_change))


class UnknownAddress(CatalogueView):
    """The view of all unknown addresses below `/api/`."""

    schema = None

    def get(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        raise Http404


VIEWS = {
    **{
        each.operation: EndpointViewSet.as_view(
            {"get": "retrieve"}, endpoint=each, caching=each.caching
        )
        for each in ENDPOINTS
    },
    "openapi": OpenApiView.as_view(),
}
"""The view of each family of the API."""
