"""The forms of the studio, its people, its counters and the standing pages."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalogue.admin.base import CatalogueAdmin, localized_columns
from catalogue.models import Page, Statistic, Studio, TeamMember


@admin.register(Studio)
class StudioAdmin(CatalogueAdmin):
    """The form of the only row, to which the list redirects."""

    fieldsets = [
        (
            _("Studio"),
            {"fields": ["name", localized_columns("tagline"), localized_columns("description")]},
        ),
        (_("Facts"), {"fields": [("founded", "country", "country_name"), "languages"]}),
        (_("Contact"), {"fields": [("email", "github")]}),
        (_("Security"), {"fields": [("security_contact", "security_policy")]}),
        (_("Credits"), {"fields": ["thanks"]}),
    ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Studio.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        studio = Studio.objects.first()
        if studio is None:
            return HttpResponseRedirect(reverse("admin:catalogue_studio_add"))
        return HttpResponseRedirect(reverse("admin:catalogue_studio_change", args=[studio.pk]))


@admin.register(TeamMember)
class TeamMemberAdmin(CatalogueAdmin):
    fieldsets = [
        (_("Person"), {"fields": [("name", "handle")]}),
        (_("Role"), {"fields": [localized_columns("role"), localized_columns("description")]}),
    ]
    list_display = ("title", "role_en", "changed", "languages")
    search_fields = ("name", "handle", *localized_columns("role", "description"))
    ordered = True
    translation = "role_vi"


@admin.register(Statistic)
class StatisticAdmin(CatalogueAdmin):
    fieldsets = [
        (_("Counter"), {"fields": ["slug", localized_columns("label")]}),
        (_("Value"), {"fields": ["value", ("unit", "display")]}),
    ]
    list_display = ("title", "shown_as", "changed", "languages")
    title_of_row = "label"
    search_fields = ("slug", *localized_columns("label"))
    ordered = True
    translation = "label_vi"

    @admin.display(description=_("Shown as"))
    def shown_as(self, obj: Statistic) -> str:
        return obj.display or gettext("The number of published apps with status live")


@admin.register(Page)
class PageAdmin(CatalogueAdmin):
    fieldsets = [
        (_("Page"), {"fields": ["slug", localized_columns("title"), localized_columns("summary")]}),
        (_("Text"), {"fields": [localized_columns("body")]}),
    ]
    code_rows = {"body_en": 26, "body_vi": 26}
    list_display = ("title", "address", "changed", "languages")
    search_fields = ("slug", *localized_columns("title", "body"))
    translation = "body_vi"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse to delete a page, because the contract and the API promise its address."""
        return False

    def view_on_site(self, obj: Page) -> str:
        return str(obj)

    @admin.display(description=_("Address"), ordering="slug")
    def address(self, obj: Page) -> str:
        return str(obj)
