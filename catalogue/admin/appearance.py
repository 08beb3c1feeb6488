"""The navigation of the admin, which the setting `UNFOLD` names."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.urls import reverse_lazy


def may_view(app: str, model: str) -> Callable[[HttpRequest], bool]:
    def permission(request: HttpRequest) -> bool:
        verbs = ("view", "change")
        return any(request.user.has_perm(f"{app}.{verb}_{model}") for verb in verbs)

    return permission


def entry(title: str, model: str, app: str = "catalogue") -> dict[str, Any]:
    """Return the entry of a list, shown to editors who may see the list."""
    return {
        "title": title,
        "link": reverse_lazy(f"admin:{app}_{model}_changelist"),
        "permission": may_view(app, model),
    }


NAVIGATION: list[dict[str, Any]] = [
    {
        "title": "Site",
        "items": [
            {"title": "Overview", "link": reverse_lazy("admin:index")},
            {"title": "Publish", "link": reverse_lazy("admin:publish")},
        ],
    },
    {
        "title": "Content",
        "items": [
            entry("Posts", "post"),
            entry("Apps", "app"),
            entry("Science", "sciencetopic"),
            entry("Principles", "principle"),
            entry("Timeline", "timelineentry"),
            entry("Tags", "tag"),
            entry("Images", "image"),
            {"title": "Translations", "link": reverse_lazy("admin:translations")},
        ],
    },
    {
        "title": "Studio",
        "items": [
            entry("Pages", "page"),
            entry("Team", "teammember"),
            entry("Statistics", "statistic"),
            entry("Profile", "studio"),
        ],
    },
    {
        "title": "Service",
        "items": [
            entry("API versions", "apiversion"),
            entry("People", "user", app="auth"),
            {"title": "Content as files", "link": reverse_lazy("admin:content")},
        ],
    },
]


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    return NAVIGATION
