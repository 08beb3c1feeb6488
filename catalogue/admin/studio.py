"""Who speaks: the studio, its people, its counters and its standing pages."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from catalogue.admin.base import CatalogueAdmin, column, pair
from catalogue.models import Page, Statistic, Studio, TeamMember


@admin.register(Studio)
class StudioAdmin(CatalogueAdmin):
    """One row: the list is its form."""

    fieldsets = [
        ("Studio", {"fields": ["name", pair("tagline"), pair("description")]}),
        ("Facts", {"fields": [("founded", "country", "country_name"), "languages"]}),
        ("Contact", {"fields": [("email", "github")]}),
        ("Security", {"fields": [("security_contact", "security_policy")]}),
        ("Credits", {"fields": ["thanks"]}),
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
        ("Person", {"fields": ["handle"]}),
        ("Role", {"fields": [pair("role"), pair("description")]}),
    ]
    list_display = ("handle", "role_en", "languages")
    search_fields = ("handle", *pair("role"), *pair("description"))
    ordering_field = "position"
    translation = "role_vi"


@admin.register(Statistic)
class StatisticAdmin(CatalogueAdmin):
    fieldsets = [
        ("Counter", {"fields": ["slug", pair("label")]}),
        ("Value", {"fields": [("counts", "value"), ("unit", "display")]}),
    ]
    list_display = ("label_en", "slug", "shown_as", "languages")
    list_filter = ("counts",)
    search_fields = ("slug", *pair("label"))
    ordering_field = "position"
    translation = "label_vi"

    @column("Shown as")
    def shown_as(self, obj: Statistic) -> str:
        return obj.display or obj.get_counts_display()


@admin.register(Page)
class PageAdmin(CatalogueAdmin):
    fieldsets = [
        ("Page", {"fields": ["slug", pair("title"), pair("summary")]}),
        ("Text", {"fields": [pair("body")]}),
    ]
    code_rows = {"body_en": 26, "body_vi": 26}
    list_display = ("title_en", "slug", "languages")
    search_fields = ("slug", *pair("title"), *pair("body"))
    translation = "body_vi"

    def view_on_site(self, obj: Page) -> str:
        return str(obj)
