"""The admin: each module registers the forms of one group."""

from catalogue.admin import apps, editors, posts, science, studio, timeline, versions

__all__ = ["apps", "editors", "posts", "science", "studio", "timeline", "versions"]
