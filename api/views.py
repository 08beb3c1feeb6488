"""The base of every endpoint: the moment of a request, headers, and read-only methods."""

from http import HTTPStatus
from typing import Any, NoReturn, cast

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ReadOnlyModelViewSet

from api.headers import (
    DOCUMENT_CACHING,
    Headers,
    document_headers,
    http_date,
)
from api.resources import Resource
from api.responses import options_response, redirect_response
from catalogue import revision
from catalogue.addresses import Site


class Moved(Exception):
    """A former address was requested; the response is a redirect to the present one."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class CatalogueView(APIView):
    """A view with the moment of the request and the headers of the contract."""

    caching: Headers = DOCUMENT_CACHING

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.site = Site(settings.SITE_ROOT)
        self.at = timezone.now()

    @property
    def default_response_headers(self) -> Headers:
        return {}

    @property
    def address(self) -> str:
        """The canonical address of the request, without the suffix of an alias."""
        return self.request.path.removesuffix(".json")

    def handle_exception(self, exc: Exception) -> Any:
        if isinstance(exc, Moved):
            return redirect_response(self.site.url(exc.address))
        return super().handle_exception(exc)

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        if response.status_code == HTTPStatus.OK:
            moment = {"Last-Modified": http_date(revision.last_public_change(self.at))}
            self.headers = document_headers(self.caching) | moment
        return super().finalize_response(request, cast(Response, response), *args, **kwargs)

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return options_response()


class DocumentViewSet(CatalogueView, ReadOnlyModelViewSet[Any]):
    """A collection and its items, or one of both."""

    resource: Resource
    pagination_class = None

    def get_queryset(self) -> QuerySet[Any]:
        return self.resource.rows(self.at)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(self.resource.collection(self.site, self.address, self.get_queryset()))

    def retrieve(self, request: Request, *args: Any, **kwargs: str) -> Response:
        slug = next(iter(kwargs.values()), None)
        rows = self.get_queryset()
        row = (rows.filter(slug=slug) if slug else rows).first()
        if row is None:
            self.missing(slug or "")
        return Response(self.resource.items(self.site)(self.address, row))

    def missing(self, slug: str) -> NoReturn:
        raise Http404("Nothing is published at this address yet.")
