"""The versions of the API."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest

from catalogue.admin.base import CatalogueAdmin, column
from catalogue.models import ApiVersion, VersionStatus


@admin.register(ApiVersion)
class ApiVersionAdmin(CatalogueAdmin):
    COLOURS: ClassVar[dict[str, str]] = {
        VersionStatus.CURRENT: "success",
        VersionStatus.DEPRECATED: "warning",
        VersionStatus.SUNSET: "danger",
    }

    fieldsets = [
        ("Version", {"fields": [("version", "api_version"), ("status", "released")]}),
        ("Announcement of its retirement", {"fields": [("deprecation", "sunset"), "announced"]}),
    ]
    list_display = ("version", "stage", "api_version", "released", "deprecation", "sunset")
    list_filter = ("status",)
    search_fields = ("version", "api_version")
    date_hierarchy = "released"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """A version keeps its name: it is in every address."""
        return ("version", "announced") if obj else ("announced",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A version ends by its status; clients go on asking what became of it."""
        return False

    @column("Status", ordering="status", label=COLOURS)
    def stage(self, obj: ApiVersion) -> tuple[str, str]:
        return obj.status, obj.get_status_display()
