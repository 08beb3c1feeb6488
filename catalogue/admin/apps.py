"""The apps."""

from base64 import b64encode

from django.contrib import admin
from django.utils.html import format_html

from catalogue import addresses
from catalogue.admin.base import FormerSlugInline, column, pair
from catalogue.admin.workflow import PUBLICATION, AddressedAdmin
from catalogue.models import App, FormerAppSlug


def drawing(source: str) -> str:
    """A saved icon as an image: a browser runs nothing that an image holds."""
    return format_html(
        '<img class="catalogue-icon" alt="" src="data:image/svg+xml;base64,{}">',
        b64encode(source.encode()).decode(),
    )


class FormerAppSlugInline(FormerSlugInline):
    model = FormerAppSlug


@admin.register(App)
class AppAdmin(AddressedAdmin):
    fieldsets = [
        ("App", {"fields": [("name", "slug"), ("category", "status"), pair("tagline")]}),
        PUBLICATION,
        ("Texts", {"fields": [pair("description"), pair("spec")]}),
        ("Platforms", {"fields": [("on_ios", "on_android", "on_watch")]}),
        ("Releases", {"fields": [("since", "updated", "downloads"), "stack"]}),
        ("Stores", {"fields": [("app_store", "google_play"), "chrome_web_store"]}),
        ("Icon", {"fields": [("icon_svg", "saved_icon")]}),
    ]
    readonly_fields = ("saved_icon",)
    code_rows = {"icon_svg": 10}
    prepopulated_fields = {"slug": ("name",)}
    inlines = (FormerAppSlugInline,)
    list_display = ("name", "icon", "stage", "category", "status", "updated", "languages")
    list_filter = ("state", "category", "status", "on_ios", "on_android", "on_watch")
    search_fields = ("name", "slug", *pair("tagline"), *pair("description"), "stack")
    ordering_field = "position"
    translation = "description_vi"
    page = staticmethod(addresses.app_page)

    @column("Icon")
    def icon(self, obj: App) -> str:
        return drawing(obj.icon_svg) if obj.icon_svg else ""

    @column("Icon as saved")
    def saved_icon(self, obj: App) -> str:
        return drawing(obj.icon_svg) if obj.icon_svg else "There is no icon yet."
