"""The form of API versions."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalogue.admin.base import CatalogueAdmin
from catalogue.models import ApiVersion


@admin.register(ApiVersion)
class ApiVersionAdmin(CatalogueAdmin):
    fieldsets = [
        (_("Version"), {"fields": [("version", "api_version"), ("status", "released")]}),
        (_("Announcement of its retirement"), {"fields": [("deprecation", "sunset"), "announced"]}),
    ]
    list_display = ("version", "status", "api_version", "released", "deprecation", "sunset")
    list_filter = ("status",)
    search_fields = ("version", "api_version")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Make the name of a saved version read-only, because it is part of every address."""
        return ("version", "announced") if obj else ("announced",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse to delete a version, because clients still ask for the status of an old one."""
        return False
