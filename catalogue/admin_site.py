"""The admin site of the theme, with a response to every address of its search.

It is not in `catalogue.admin` because Django creates the site while it imports that package.
"""

from typing import Any, cast

from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponse
from unfold.sites import UnfoldAdminSite


class CatalogueAdminSite(UnfoldAdminSite):  # type: ignore[misc]
    def search(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return cast("HttpResponse", super().search(request, extra_context))
        except InvalidPage as error:
            raise Http404("The search has no such page.") from error
