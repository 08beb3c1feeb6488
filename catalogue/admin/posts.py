"""The forms of posts and tags."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from catalogue import addresses
from catalogue.admin.base import CatalogueAdmin, FormerSlugInline, list_column, localized_columns
from catalogue.admin.workflow import PUBLICATION, AddressedAdmin
from catalogue.models import FormerPostSlug, Post, Tag


class FormerPostSlugInline(FormerSlugInline):
    model = FormerPostSlug


@admin.register(Post)
class PostAdmin(AddressedAdmin):
    fieldsets = [
        ("Article", {"fields": [localized_columns("title"), "slug", localized_columns("excerpt")]}),
        PUBLICATION,
        ("About", {"fields": [("app", "tags")]}),
        ("Text", {"fields": [localized_columns("body")]}),
    ]
    code_rows = {"body_en": 30, "body_vi": 30}
    prepopulated_fields = {"slug": ("title_en",)}
    autocomplete_fields = ("app", "tags")
    inlines = (FormerPostSlugInline,)
    list_display = ("title_en", "stage", "publish_at", "app", "topics", "languages")
    list_filter = ("state", "tags", "app")
    list_select_related = ("app",)
    search_fields = (
        "slug",
        *localized_columns("title"),
        *localized_columns("excerpt"),
        *localized_columns("body"),
    )
    date_hierarchy = "publish_at"
    translation = "body_vi"
    page = staticmethod(addresses.post_page)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("tags")

    @list_column("Tags")
    def topics(self, obj: Post) -> str:
        return ", ".join(obj.tag_slugs)


@admin.register(Tag)
class TagAdmin(CatalogueAdmin):
    fieldsets = [("Tag", {"fields": [localized_columns("name"), "slug"]})]
    prepopulated_fields = {"slug": ("name_en",)}
    list_display = ("slug", *localized_columns("name"))
    search_fields = ("slug", *localized_columns("name"))
