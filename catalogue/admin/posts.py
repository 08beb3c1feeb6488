"""The forms of posts and tags."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from catalogue import addresses
from catalogue.admin.base import CatalogueAdmin, FormerSlugInline, localized_columns
from catalogue.admin.workflow import PUBLICATION, AddressedAdmin
from catalogue.models import FormerPostSlug, FormerTagSlug, Post, Tag


class FormerPostSlugInline(FormerSlugInline):
    model = FormerPostSlug


@admin.register(Post)
class PostAdmin(AddressedAdmin):
    fieldsets = [
        (_("Article"), {"fields": [*map(localized_columns, ("title", "excerpt", "body"))]}),
        (_("About the article"), {"fields": [("slug", "app"), ("author", "tags")]}),
        PUBLICATION,
    ]
    code_rows = {"body_en": 30, "body_vi": 30}
    prepopulated_fields = {"slug": ("title_en",)}
    inlines = (FormerPostSlugInline,)
    list_display = ("title", "stage", "appears", "app", "changed", "languages")
    list_filter = ("tags", "app")
    list_select_related = ("app",)
    search_fields = ("slug", *localized_columns("title", "excerpt", "body"))
    translation = "title_vi"
    page = staticmethod(addresses.post_page)


class FormerTagSlugInline(FormerSlugInline):
    model = FormerTagSlug


@admin.register(Tag)
class TagAdmin(CatalogueAdmin):
    fieldsets = [(_("Tag"), {"fields": [localized_columns("name"), "slug"]})]
    prepopulated_fields = {"slug": ("name_en",)}
    inlines = (FormerTagSlugInline,)
    list_display = ("title", "address", "changed", "languages")
    title_of_row = "name"
    translation = "name_vi"
    search_fields = ("slug", *localized_columns("name"))

    @admin.display(description=_("Address"), ordering="slug")
    def address(self, obj: Tag) -> str:
        return addresses.tag_page(obj.slug)
