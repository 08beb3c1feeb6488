"""The form of milestones."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from catalogue.admin.base import OrderedInline, localized_columns
from catalogue.admin.workflow import PUBLICATION, PublishableAdmin
from catalogue.models import TimelineEntry, TimelineLink


class TimelineLinkInline(OrderedInline):
    model = TimelineLink
    fields = (*localized_columns("label"), "href", "position")


@admin.register(TimelineEntry)
class TimelineEntryAdmin(PublishableAdmin):
    fieldsets = [
        (_("Milestone"), {"fields": [localized_columns("title"), "slug", ("date", "subject")]}),
        PUBLICATION,
        (_("Description"), {"fields": [localized_columns("description")]}),
    ]
    prepopulated_fields = {"slug": ("title_en",)}
    inlines = (TimelineLinkInline,)
    list_display = ("title", "stage", "date", "subject", "changed", "languages")
    list_filter = ("subject",)
    search_fields = ("slug", "date", *localized_columns("title", "description"))
    translation = "title_vi"
