"""Milestones of the studio and of its founder."""

from django.contrib import admin

from catalogue.admin.base import OrderedInline, pair
from catalogue.admin.workflow import PUBLICATION, PublishableAdmin
from catalogue.models import TimelineEntry, TimelineLink


class TimelineLinkInline(OrderedInline):
    model = TimelineLink
    fields = (*pair("label"), "href", "position")


@admin.register(TimelineEntry)
class TimelineEntryAdmin(PublishableAdmin):
    fieldsets = [
        ("Milestone", {"fields": [pair("title"), "slug", ("date", "subject")]}),
        PUBLICATION,
        ("Description", {"fields": [pair("description")]}),
    ]
    prepopulated_fields = {"slug": ("title_en",)}
    inlines = (TimelineLinkInline,)
    list_display = ("title_en", "stage", "date", "subject", "languages")
    list_filter = ("state", "subject")
    search_fields = ("slug", "date", *pair("title"), *pair("description"))
    translation = "title_vi"
