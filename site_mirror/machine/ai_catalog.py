"""`/.well-known/ai-catalog.json`: what the site offers to agents, for registries that look for it.

The documents are a catalogue inside of it, because discovery knows no media types but those of
agents, skills and catalogues. Sources: AI Catalog 1.0 (the document and its link relation), Agentic
Resource Discovery 1.0 (`representativeQueries`).
"""

from typing import Any
from urllib.parse import urlsplit

from api.contract import API_VERSION, JSON
from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.documents.headers import AI_CATALOG_TYPE
from site_mirror.documents.summaries import Publisher

SPECIFICATION = "1.0"
MARKDOWN = "text/markdown"


def ai_catalog(site: Site, publisher: Publisher) -> dict[str, Any]:
    name = publisher.name
    documents = [
        entry(
            site,
            "api:catalogue",
            f"API of {name}",
            JSON,
            "The OpenAPI 3.1 description of the API: apps, articles, science, team, timeline, "
            "figures and versions.",
            f"Which endpoints does the API of {name} have?",
            f"List the newest articles of {name} as JSON.",
            url=site.url(addresses.OPENAPI),
            version=API_VERSION,
        ),
        entry(
            site,
            "text:index",
            f"Index of {name} for language models",
            "text/plain",
            "The pages of the site with their titles, summaries and Markdown mirrors.",
            f"What is there to read on the site of {name}?",
            f"Find an article of {name} about a subject.",
            url=site.url(addresses.LLMS),
        ),
        entry(
            site,
            "text:mirrors",
            f"Pages of {name} as Markdown",
            MARKDOWN,
            "All pages of the site: each has a Markdown mirror at its address plus `.md`.",
            f"Read a page of {name} without its HTML.",
            f"Which pages does the site of {name} have?",
            url=site.url(addresses.SITE_MAP),
        ),
        entry(
            site,
            "text:instructions",
            f"Instructions of {name} for agents",
            MARKDOWN,
            "How a program reads the site: budget of requests, caching, languages, licence.",
            f"How often may I ask the API of {name}?",
            f"May I quote what {name} publishes?",
            url=site.url(addresses.AGENTS),
        ),
    ]
    everything = entry(
        site,
        "catalog:documents",
        f"What {name} publishes for programs",
        AI_CATALOG_TYPE,
        "A read-only JSON API without keys, and each page of the site as Markdown.",
        f"Which apps does {name} publish, and where can I get them?",
        f"What does {name} write about?",
        f"Get the articles of {name} as JSON or Markdown.",
        data={"specVersion": SPECIFICATION, "entries": documents},
    )
    host = {"displayName": name, "documentationUrl": site.url(addresses.DOCUMENTATION)}
    return {"specVersion": SPECIFICATION, "host": host, "entries": [everything]}


def entry(
    site: Site,
    key: str,
    title: str,
    media_type: str,
    description: str,
    *queries: str,
    **content: object,
) -> dict[str, Any]:
    return {
        "identifier": f"urn:air:{urlsplit(site.root).hostname}:{key}",
        "displayName": title,
        "type": media_type,
        "description": description,
        "representativeQueries": queries,
        **content,
    }
