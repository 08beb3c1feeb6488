"""The colours and the sidebar of the admin, which the setting `UNFOLD` names."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy

from catalogue import addresses


def stylesheet_url(request: HttpRequest) -> str:
    return static("catalogue/admin.css")


def favicon_url(request: HttpRequest) -> str:
    return static("catalogue/admin.svg")


def may_view(app: str, model: str) -> Callable[[HttpRequest], bool]:
    def permission(request: HttpRequest) -> bool:
        verbs = ("view", "change")
        return any(request.user.has_perm(f"{app}.{verb}_{model}") for verb in verbs)

    return permission


def sidebar_entry(title: str, icon: str, model: str, app: str = "catalogue") -> dict[str, Any]:
    """Return the sidebar entry of a list, shown to editors who may see the list.

    Icons are Material Symbols.
    """
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{app}_{model}_changelist"),
        "permission": may_view(app, model),
    }


def public_page_entry(title: str, icon: str, address: str) -> dict[str, Any]:
    """Return the sidebar entry of a page of the public site, which is never the active entry."""
    return {"title": title, "icon": icon, "link": address, "active": False}


NAVIGATION: list[dict[str, Any]] = [
    {
        "title": "Content",
        "items": [
            sidebar_entry("Apps", "apps", "app"),
            sidebar_entry("Posts", "article", "post"),
            sidebar_entry("Tags", "sell", "tag"),
            sidebar_entry("Science", "function", "sciencetopic"),
            sidebar_entry("Principles", "balance", "principle"),
            sidebar_entry("Timeline", "timeline", "timelineentry"),
        ],
    },
    {
        "title": "Studio",
        "separator": True,
        "items": [
            sidebar_entry("Profile", "storefront", "studio"),
            sidebar_entry("Team", "groups", "teammember"),
            sidebar_entry("Statistics", "monitoring", "statistic"),
            sidebar_entry("Pages", "web", "page"),
        ],
    },
    {
        "title": "Service",
        "separator": True,
        "items": [
            sidebar_entry("API versions", "api", "apiversion"),
            sidebar_entry("Users", "person", "user", app="auth"),
            sidebar_entry("Groups", "lock_person", "group", app="auth"),
        ],
    },
    {
        "title": "Public site",
        "separator": True,
        "items": [
            public_page_entry("Home page", "public", addresses.HOME),
            public_page_entry("API documentation", "menu_book", addresses.DOCUMENTATION),
        ],
    },
]


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    return NAVIGATION
