"""The look of the admin and its sidebar, as settings: it imports no model."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy

from catalogue import addresses


def stylesheet(request: HttpRequest) -> str:
    return static("catalogue/admin.css")


def favicon(request: HttpRequest) -> str:
    return static("catalogue/admin.svg")


def may_view(app: str, model: str) -> Callable[[HttpRequest], bool]:
    def permission(request: HttpRequest) -> bool:
        verbs = ("view", "change")
        return any(request.user.has_perm(f"{app}.{verb}_{model}") for verb in verbs)

    return permission


def entry(title: str, icon: str, model: str, app: str = "catalogue") -> dict[str, Any]:
    """A list of the admin, shown to those who may see it. Icons are Material Symbols."""
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{app}_{model}_changelist"),
        "permission": may_view(app, model),
    }


def way_out(title: str, icon: str, address: str) -> dict[str, Any]:
    """A page of the public site: never the page that an editor is on."""
    return {"title": title, "icon": icon, "link": address, "active": False}


NAVIGATION = [
    {
        "title": "Content",
        "items": [
            entry("Apps", "apps", "app"),
            entry("Posts", "article", "post"),
            entry("Tags", "sell", "tag"),
            entry("Science", "function", "sciencetopic"),
            entry("Principles", "balance", "principle"),
            entry("Timeline", "timeline", "timelineentry"),
        ],
    },
    {
        "title": "Studio",
        "separator": True,
        "items": [
            entry("Profile", "storefront", "studio"),
            entry("Team", "groups", "teammember"),
            entry("Statistics", "monitoring", "statistic"),
            entry("Pages", "web", "page"),
        ],
    },
    {
        "title": "Service",
        "separator": True,
        "items": [
            entry("API versions", "api", "apiversion"),
            entry("Users", "person", "user", app="auth"),
            entry("Groups", "lock_person", "group", app="auth"),
        ],
    },
    {
        "title": "Public site",
        "separator": True,
        "items": [
            way_out("Home page", "public", addresses.HOME),
            way_out("API documentation", "menu_book", addresses.DOCUMENTATION),
        ],
    },
]

# The link colour of the public pages, from pale to deep.
PRIMARY = {
    "50": "oklch(97.5% .013 217)",
    "100": "oklch(94.5% .028 216)",
    "200": "oklch(89.5% .050 216)",
    "300": "oklch(82% .078 217)",
    "400": "oklch(71.5% .098 218)",
    "500": "oklch(65% .1 219)",
    "600": "oklch(50% .086 221)",
    "700": "oklch(43.8% .076 222)",
    "800": "oklch(37.5% .064 223)",
    "900": "oklch(32% .052 224)",
    "950": "oklch(24% .040 226)",
}

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Studio Catalogue",
    "SITE_HEADER": "Studio Catalogue",
    "SITE_SUBHEADER": "What the studio says",
    "SITE_SYMBOL": "collections_bookmark",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": favicon}],
    "SITE_URL": addresses.HOME,
    "SHOW_BACK_BUTTON": True,
    "STYLES": [stylesheet],
    "COLORS": {"primary": PRIMARY},
    "DASHBOARD_CALLBACK": "catalogue.admin.overview.overview",
    "SIDEBAR": {"show_search": True, "navigation": NAVIGATION},
}
