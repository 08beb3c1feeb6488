"""The site of the admin.

Django imports this module when the first form is registered. It must not import `catalogue.admin`,
whose forms would then be registered in another instance.
"""

from typing import Any, cast

from django.http import HttpRequest
from django.template.response import TemplateResponse
from unfold.sites import UnfoldAdminSite

from catalogue.transactions import View, in_one_transaction
from site_mirror.desk.search import search_everything


class DeskSite(UnfoldAdminSite):  # type: ignore[misc]
    """The admin: each view writes in one transaction, and one search finds all kinds of texts."""

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002
        return cast("View", super().admin_view(in_one_transaction(view), cacheable))

    def search(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        typed = request.GET.get("q", "")
        context = {
            **self.each_context(request),
            "title": "Search",
            "search_query": typed,
            "groups": list(search_everything(self, request, typed)),
        }
        return TemplateResponse(request, "desk/search.html", context)
