"""The form of apps."""

from base64 import b64encode

from django.contrib import admin
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalogue import addresses
from catalogue.admin.base import FormerSlugInline, localized_columns
from catalogue.admin.workflow import PUBLICATION, AddressedAdmin
from catalogue.models import App, FormerAppSlug


def icon_image(source: str) -> str:
    """Return a saved icon as an image element, because browsers run no scripts in images."""
    return format_html(
        '<img class="catalogue-icon" alt="" src="data:image/svg+xml;base64,{}">',
        b64encode(source.encode()).decode(),
    )


class FormerAppSlugInline(FormerSlugInline):
    model = FormerAppSlug


@admin.register(App)
class AppAdmin(AddressedAdmin):
    fieldsets = [
        (
            _("App"),
            {
                "fields": [
                    "name",
                    *map(localized_columns, ("tagline", "description", "spec", "reading")),
                ]
            },
        ),
        (_("About the app"), {"fields": ["slug", ("category", "status")]}),
        PUBLICATION,
        (_("Platforms"), {"fields": [("on_ios", "on_android", "on_watch")]}),
        (_("Releases"), {"fields": [("since", "updated", "downloads"), "stack"]}),
        (_("Stores"), {"fields": [("app_store", "google_play"), "chrome_web_store"]}),
        (_("Icon"), {"fields": [("icon_svg", "saved_icon")]}),
    ]
    readonly_fields = ("saved_icon",)
    code_rows = {"icon_svg": 10}
    prepopulated_fields = {"slug": ("name",)}
    inlines = (FormerAppSlugInline,)
    list_display = ("icon", "title", "stage", "category", "status", "changed", "languages")
    list_display_links = ("title",)
    list_filter = ("category", "status")
    search_fields = ("name", "slug", *localized_columns("tagline", "description"), "stack")
    ordered = True
    translation = "description_vi"
    page = staticmethod(addresses.app_page)

    @admin.display(description=_("Icon"))
    def icon(self, obj: App) -> str:
        return icon_image(obj.icon_svg) if obj.icon_svg else ""

    @admin.display(description=_("Icon as saved"))
    def saved_icon(self, obj: App) -> str:
        return icon_image(obj.icon_svg) if obj.icon_svg else gettext("There is no icon yet.")
