"""The admin: each module registers the forms of one group."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from catalogue.admin import apps, editors, posts, science, studio, timeline, versions

__all__ = ["apps", "editors", "posts", "science", "studio", "timeline", "versions"]

admin.site.index_title = _("Overview")
