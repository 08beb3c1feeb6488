"""JSON-LD: what a page is about, in the terms of schema.org."""

from collections.abc import Sequence
from typing import Any

from api.contract import LICENCE_ADDRESS
from catalogue import addresses
from catalogue.addresses import Site
from catalogue.localized import in_language
from catalogue.models import App, AppStatus, Category, Platform, Studio
from site_mirror import assets
from site_mirror.listing import Listed
from site_mirror.pages.blocks import Link
from site_mirror.pages.frame import Frame

Thing = dict[str, Any]

CONTEXT = {"@context": "https://schema.org"}
CATEGORIES = {
    Category.EDUCATION: "EducationalApplication",
    Category.HEALTH: "HealthApplication",
    Category.NAVIGATION: "TravelApplication",
    Category.PRODUCTIVITY: "BusinessApplication",
    Category.UTILITIES: "UtilitiesApplication",
}
SYSTEMS = {Platform.IOS: "iOS", Platform.ANDROID: "Android", Platform.WATCH: "watchOS"}


def organization(frame: Frame, studio: Studio) -> Thing:
    """The studio; its `@id` is what other things call their publisher."""
    members = {
        "@type": "Organization",
        "@id": publisher_id(frame.site),
        "name": studio.name,
        "url": frame.site.url(addresses.HOME),
        "logo": frame.site.url(assets.address("icon.svg")),
        "email": studio.email,
        "description": in_language(studio, "description", frame.language) or studio.description_en,
        "foundingDate": studio.founded,
        "sameAs": [studio.github] if studio.github else [],
    }
    return CONTEXT | {name: value for name, value in members.items() if value}


def publisher_id(site: Site) -> str:
    return f"{site.url(addresses.HOME)}#studio"


def publisher(frame: Frame) -> Thing:
    return {
        "@type": "Organization",
        "@id": publisher_id(frame.site),
        "name": frame.studio,
        "url": frame.site.url(addresses.HOME),
    }


def application(frame: Frame, page: Listed, app: App) -> Thing:
    stores = [app.app_store, app.google_play, app.chrome_web_store]
    members = {
        "@type": "SoftwareApplication",
        "name": app.name,
        "url": frame.site.url(page.address),
        "description": page.summary,
        "inLanguage": page.language,
        "applicationCategory": CATEGORIES[Category(app.category)],
        "operatingSystem": ", ".join(SYSTEMS[platform] for platform in app.platforms),
        "image": frame.site.url(addresses.app_icon(app.slug)) if app.icon_svg else "",
        "installUrl": [address for address in stores if address],
        "datePublished": app.since if app.status == AppStatus.LIVE else "",
        "author": publisher(frame),
    }
    return CONTEXT | {name: value for name, value in members.items() if value}


def posting(frame: Frame, page: Listed, day: str, keywords: Sequence[str]) -> Thing:
    """A post that appeared on a day (ISO 8601)."""
    studio, url = publisher(frame), frame.site.url(page.address)
    return {
        **CONTEXT,
        "@type": "BlogPosting",
        "headline": page.title,
        "description": page.summary,
        "url": url,
        "mainEntityOfPage": url,
        "inLanguage": page.language,
        "datePublished": day,
        **({"dateModified": page.changed.isoformat(timespec="seconds")} if page.changed else {}),
        **({"keywords": keywords} if keywords else {}),
        "license": LICENCE_ADDRESS,
        "image": frame.site.url(assets.address("card.png")),
        "author": studio,
        "publisher": studio,
    }


def breadcrumbs(frame: Frame, trail: Sequence[Link], page: Listed) -> Thing:
    steps = [*((step.label, step.address) for step in trail), (page.title, page.address)]
    return CONTEXT | {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name, "item": frame.site.url(address)}
            for place, (name, address) in enumerate(steps, start=1)
        ],
    }
