"""The site of the admin.

Django imports this module when the first form is registered. It must not import `catalogue.admin`,
whose forms would then be registered in another instance.
"""

import re
from typing import Any, cast

from axes.decorators import axes_dispatch
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.i18n import JavaScriptCatalog
from unfold.sites import UnfoldAdminSite

from catalogue.transactions import View, in_one_transaction
from site_mirror.desk import second_step
from site_mirror.desk.content_files import content_file, content_page
from site_mirror.desk.languages import choose_language
from site_mirror.desk.overview import overview_context
from site_mirror.desk.publish_screen import publish_page
from site_mirror.desk.search import SearchedAdmin, find_addresses, search_everything
from site_mirror.desk.translation_screen import translation_page
from site_mirror.documents.assets import ASSETS
from site_mirror.documents.headers import MEDIA_TYPES

FONT_FACE = re.compile(r"^@font-face .*$", re.MULTILINE)


def faces(request: HttpRequest) -> HttpResponse:
    """Return the faces of the public pages, whose files have addresses with digests."""
    rules = FONT_FACE.findall(ASSETS["site.css"].body.decode())
    return HttpResponse("\n".join(rules), content_type=MEDIA_TYPES[".css"])


class DeskSite(UnfoldAdminSite):  # type: ignore[misc]
    """The admin: each view writes in one transaction, and one search finds all kinds of texts."""

    index_template = "desk/overview.html"

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002
        # A view that opens its own does long work before.
        own = getattr(view, "opens_transaction", False)
        allowed = second_step.only_after_enrolment(view if own else in_one_transaction(view))
        return cast("View", super().admin_view(allowed, cacheable))

    def get_urls(self) -> list[Any]:
        return [
            path("desk/faces.css", faces, name="faces"),
            path("second-step/", self.admin_view(second_step.second_step_page), name="second_step"),
            path("language/", self.admin_view(choose_language), name="language"),
            path("publish/", self.admin_view(publish_page), name="publish"),
            path("addresses/", self.admin_view(self.addresses), name="addresses"),
            path("translations/", self.admin_view(translation_page), name="translations"),
            path("content/", self.admin_view(content_page), name="content"),
            *(
                path(f"content/file/{place}", self.admin_view(content_file), name="content_file")
                for place in ("", "<kind>", "<kind>/<key>")
            ),
            *super().get_urls(),
        ]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the list of one app only: the pages of the desk have their own navigation."""
        return list(super().get_app_list(request, app_label)) if app_label else []

    def has_permission(self, request: HttpRequest) -> bool:
        return self.knows_password(request) and not second_step.needs_code(request)

    def knows_password(self, request: HttpRequest) -> bool:
        return bool(super().has_permission(request))

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for name and password, then for a code of those who have an app for codes."""
        wants_form = "username" in request.POST or "other" in request.GET
        if wants_form or not self.knows_password(request) or self.has_permission(request):
            return cast("HttpResponse", super().login(request, extra_context))
        context = self.each_context(request) | {"title": _("Log in")}
        ask = axes_dispatch(second_step.LogInByCode.as_view(extra_context=context))
        return cast("HttpResponse", ask(request))

    def kinds(self, request: HttpRequest) -> list[Any]:
        """Return the forms of texts that the user may see."""
        kinds: list[Any] = [
            kind for kind in self._registry.values() if isinstance(kind, SearchedAdmin)
        ]
        return [each for each in kinds if each.has_view_or_change_permission(request)]

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        context = overview_context(self.kinds(request), request)
        return cast("TemplateResponse", super().index(request, context))

    def i18n_javascript(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Return the words of the scripts in the language of the user."""
        packages = ["django.contrib.admin", "site_mirror.desk"]
        return JavaScriptCatalog.as_view(packages=packages)(request)

    def addresses(self, request: HttpRequest) -> JsonResponse:
        typed, language = request.GET.get("q", ""), request.GET.get("language", "")
        return JsonResponse({"found": [*find_addresses(self, request, typed, language)]})

    def search(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        typed = request.GET.get("q", "")
        context = {
            **self.each_context(request),
            "title": _("Search"),
            "search_query": typed,
            "groups": list(search_everything(self, request, typed)),
        }
        return TemplateResponse(request, "desk/search.html", context)
