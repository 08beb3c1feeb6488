"""The navigation of the admin, which the setting `UNFOLD` names."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _


def may_view(app: str, model: str) -> Callable[[HttpRequest], bool]:
    def permission(request: HttpRequest) -> bool:
        verbs = ("view", "change")
        return any(request.user.has_perm(f"{app}.{verb}_{model}") for verb in verbs)

    return permission


def entry(title: Any, model: str, app: str = "catalogue") -> dict[str, Any]:
    """Return the entry of a list, shown to editors who may see the list."""
    return {
        "title": title,
        "link": reverse_lazy(f"admin:{app}_{model}_changelist"),
        "permission": may_view(app, model),
    }


NAVIGATION: list[dict[str, Any]] = [
    {
        "title": _("Site"),
        "items": [
            {"title": _("Overview"), "link": reverse_lazy("admin:index")},
            {"title": _("Publish"), "link": reverse_lazy("admin:publish")},
        ],
    },
    {
        "title": _("Content"),
        "items": [
            entry(_("Posts"), "post"),
            entry(_("Apps"), "app"),
            entry(_("Science"), "sciencetopic"),
            entry(_("Principles"), "principle"),
            entry(_("Timeline"), "timelineentry"),
            entry(_("Tags"), "tag"),
            entry(_("Images"), "image"),
            {"title": _("Translations"), "link": reverse_lazy("admin:translations")},
        ],
    },
    {
        "title": _("Studio"),
        "items": [
            entry(_("Pages"), "page"),
            entry(_("Team"), "teammember"),
            entry(_("Statistics"), "statistic"),
            entry(_("Profile"), "studio"),
        ],
    },
    {
        "title": _("Service"),
        "items": [
            entry(_("API versions"), "apiversion"),
            entry(_("People"), "user", app="auth"),
            {"title": _("Content as files"), "link": reverse_lazy("admin:content")},
        ],
    },
]


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    return NAVIGATION
