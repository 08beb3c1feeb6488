"""The contract's tables as data: members in their order; a `?` marks optional ones.

A shape is a dict (an object), a list of one shape (an array), a tuple (an enumeration) or the
name of a kind of value.
"""

from typing import Any

Shape = dict[str, Any] | list[Any] | tuple[str, ...] | str

LOCALIZED: Shape = {"en": "text", "vi?": "text"}

APP: Shape = {
    "id": "slug",
    "name": "text",
    "tagline": LOCALIZED,
    "spec?": LOCALIZED,
    "description": LOCALIZED,
    "category": ("education", "health", "navigation", "productivity", "utilities"),
    "platforms": [("iOS", "Android", "Watch")],
    "status": ("live", "soon", "engine"),
    "since?": "year",
    "updated?": "month",
    "downloads?": "nullable text",
    "stack?": ["text"],
    "icon?": "uri",
    "links": {
        "self": "uri",
        "web": "uri",
        "appStore": "nullable text",
        "googlePlay": "nullable text",
        "chromeWebStore": "nullable text",
    },
}
POST: Shape = {
    "slug": "slug",
    "title": LOCALIZED,
    "excerpt": LOCALIZED,
    "date": "day",
    "readMinutes": "count",
    "tags?": ["text"],
    "links": {"self": "uri", "html": "uri", "markdown": "uri"},
}
STUDIO: Shape = {
    "name": "text",
    "tagline?": LOCALIZED,
    "description?": "text",
    "founded?": "year",
    "teamSize?": "count",
    "location?": {"country": "country", "countryName?": "text"},
    "email": "email",
    "github?": "uri",
    "website": "uri",
    "languages?": ["text"],
    "privacyPolicy?": "uri",
    "appCount?": "count",
    "postCount?": "count",
}
TEAM_MEMBER: Shape = {"handle": "text", "role": LOCALIZED, "description?": LOCALIZED}
STATISTIC: Shape = {
    "id": "slug",
    "label": LOCALIZED,
    "value": "number",
    "unit?": "text",
    "display": "text",
}
SCIENCE_TOPIC: Shape = {
    "id": "slug",
    "name": LOCALIZED,
    "formula": {"text": "text", "latex": "text"},
    "explanation": LOCALIZED,
    "symbols": [{"symbol": "text", "meaning": LOCALIZED, "unit?": "text"}],
    "apps": ["slug"],
}
PRINCIPLE: Shape = {"id": "slug", "title": LOCALIZED, "statement": LOCALIZED}
TIMELINE_ENTRY: Shape = {
    "id": "slug",
    "date": "partial date",
    "subject": ("studio", "founder"),
    "title": LOCALIZED,
    "description?": LOCALIZED,
    "links?": [{"label": LOCALIZED, "href": "uri"}],
}
VERSION: Shape = {
    "version": "version",
    "apiVersion": "semantic version",
    "status": ("current", "deprecated", "sunset"),
    "released": "day",
    "deprecation?": "moment",
    "sunset?": "moment",
    "links": {"self": "uri", "documentation": "uri", "openapi": "uri", "policy": "uri"},
}
INDEX: Shape = {
    "self": "uri",
    "apiVersion": "semantic version",
    "status?": ("current", "deprecated", "sunset"),
    "generatedAt?": "moment",
    "documentation?": "uri",
    "openapi?": "uri",
    "versioningPolicy?": "uri",
    "rateLimit?": {
        "requests": "count",
        "windowSeconds": "count",
        "enforcement": ("edge",),
        "notes?": "text",
    },
    "endpoints": "map of text",
}
HEALTH: Shape = {
    "status": ("ok",),
    "apiVersion": "semantic version",
    "generatedAt?": "moment",
}
META: Shape = {
    "apiVersion": "semantic version",
    "documentation": "uri",
    "count?": "count",
    "generatedAt?": "moment",
}


def shape_of_envelope(data: Shape) -> Shape:
    return {"self": "uri", "meta": META, "data": data}


SHAPES: dict[str, Shape] = {
    "getApiIndex": INDEX,
    "getStudio": shape_of_envelope(STUDIO),
    "listTeam": shape_of_envelope([TEAM_MEMBER]),
    "listApps": shape_of_envelope([APP]),
    "getApp": shape_of_envelope(APP),
    "listPosts": shape_of_envelope([POST]),
    "getPost": shape_of_envelope(POST),
    "listStats": shape_of_envelope([STATISTIC]),
    "listScienceTopics": shape_of_envelope([SCIENCE_TOPIC]),
    "listPrinciples": shape_of_envelope([PRINCIPLE]),
    "listTimeline": shape_of_envelope([TIMELINE_ENTRY]),
    "listVersions": shape_of_envelope([VERSION]),
    "getHealth": HEALTH,
}
