"""Structured data of pages: objects of schema.org in JSON-LD."""

from collections.abc import Sequence
from typing import Any

from api.contract import LICENCE_ADDRESS
from catalogue import addresses
from catalogue.models import App, AppStatus, Category, Platform, Post, Studio
from catalogue.texts.localized import text_in
from site_mirror.documents import assets
from site_mirror.documents.summaries import PageSummary
from site_mirror.pages.blocks import Link
from site_mirror.pages.frame import Frame
from site_mirror.pages.texts import localized_text

Thing = dict[str, Any]

SCHEMA_ORG = {"@context": "https://schema.org"}
APPLICATION_CATEGORIES = {
    Category.EDUCATION: "EducationalApplication",
    Category.HEALTH: "HealthApplication",
    Category.NAVIGATION: "TravelApplication",
    Category.PRODUCTIVITY: "BusinessApplication",
    Category.UTILITIES: "UtilitiesApplication",
}
OPERATING_SYSTEMS = {Platform.IOS: "iOS", Platform.ANDROID: "Android", Platform.WATCH: "watchOS"}


def describe_studio(frame: Frame, studio: Studio) -> Thing:
    """Return the studio as an organization, whose `@id` other objects refer to as publisher."""
    members = describe_publisher(frame) | {
        "logo": frame.site.url(assets.asset_address("icon.svg")),
        "email": studio.email,
        "description": text_in(studio, "description", frame.language) or studio.description_en,
        "foundingDate": studio.founded,
        "sameAs": [studio.github] if studio.github else [],
    }
    return SCHEMA_ORG | {name: value for name, value in members.items() if value}


def describe_publisher(frame: Frame) -> Thing:
    home = frame.site.url(addresses.HOME)
    return {
        "@type": "Organization",
        "@id": f"{home}#studio",
        "name": frame.studio,
        "url": home,
    }


def describe_app(frame: Frame, page: PageSummary, app: App) -> Thing:
    stores = [app.app_store, app.google_play, app.chrome_web_store]
    members = {
        "@type": "SoftwareApplication",
        "name": app.name,
        "url": frame.site.url(page.address),
        "description": page.summary,
        "inLanguage": page.language,
        "applicationCategory": APPLICATION_CATEGORIES[Category(app.category)],
        "operatingSystem": ", ".join(OPERATING_SYSTEMS[platform] for platform in app.platforms),
        "image": frame.site.url(addresses.app_icon(app.slug)) if app.icon_svg else "",
        "installUrl": [address for address in stores if address],
        "datePublished": app.since if app.status == AppStatus.LIVE else "",
        "author": describe_publisher(frame),
    }
    return SCHEMA_ORG | {name: value for name, value in members.items() if value}


def describe_post(frame: Frame, page: PageSummary, post: Post, picture: str) -> Thing:
    studio, url = describe_publisher(frame), frame.site.url(page.address)
    topics = [localized_text(frame, tag, "name") for tag in post.shown_tags]
    person = {"@type": "Person", "name": str(post.author), "worksFor": {"@id": studio["@id"]}}
    return {
        **SCHEMA_ORG,
        "@type": "BlogPosting",
        "headline": page.title,
        "description": page.summary,
        "url": url,
        "mainEntityOfPage": url,
        "inLanguage": page.language,
        "datePublished": post.date.isoformat(),
        **({"dateModified": page.changed.isoformat(timespec="seconds")} if page.changed else {}),
        **({"keywords": topics} if topics else {}),
        "license": LICENCE_ADDRESS,
        "image": frame.site.url(picture or assets.asset_address(f"card-{page.language}.png")),
        "author": person if post.author else studio,
        "publisher": studio,
    }


def describe_trail(frame: Frame, trail: Sequence[Link], page: PageSummary) -> Thing:
    steps = [*((step.label, step.address) for step in trail), (page.title, page.address)]
    return SCHEMA_ORG | {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name, "item": frame.site.url(address)}
            for place, (name, address) in enumerate(steps, start=1)
        ],
    }
