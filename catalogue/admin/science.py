"""The forms of science topics with their symbols, and of principles."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from catalogue.admin.base import OrderedInline, localized_columns
from catalogue.admin.workflow import PUBLICATION, PublishableAdmin
from catalogue.models import Principle, ScienceTopic, Symbol


class SymbolInline(OrderedInline):
    model = Symbol
    fields = ("symbol", *localized_columns("meaning"), "unit", "position")


@admin.register(ScienceTopic)
class ScienceTopicAdmin(PublishableAdmin):
    fieldsets = [
        (_("Topic"), {"fields": [localized_columns("name"), "slug"]}),
        PUBLICATION,
        (_("Formula"), {"fields": [("formula_text", "formula_latex")]}),
        (_("Explanation"), {"fields": [localized_columns("explanation")]}),
        (_("Apps that use it"), {"fields": ["apps"]}),
    ]
    prepopulated_fields = {"slug": ("name_en",)}
    inlines = (SymbolInline,)
    list_display = ("title", "stage", "formula_text", "changed", "languages")
    list_filter = ("apps",)
    title_of_row = "name"
    search_fields = ("slug", *localized_columns("name", "explanation"), "formula_text")
    ordered = True
    translation = "explanation_vi"


@admin.register(Principle)
class PrincipleAdmin(PublishableAdmin):
    fieldsets = [
        (
            _("Principle"),
            {"fields": [localized_columns("title"), "slug", localized_columns("statement")]},
        ),
        PUBLICATION,
    ]
    prepopulated_fields = {"slug": ("title_en",)}
    list_display = ("title", "stage", "changed", "languages")
    search_fields = ("slug", *localized_columns("title", "statement"))
    ordered = True
    translation = "statement_vi"
