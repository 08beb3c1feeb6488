"""`/agent-instructions.md`: instructions for programs that use the site on behalf of a user."""

from api.contract import API_VERSION, BUDGET, BUDGET_NOTES, LICENCE, METHODS
from api.endpoints import ADDRESSES
from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.documents.escaping import escape_markdown
from site_mirror.documents.summaries import Publisher, collapse_whitespace


def agent_instructions(site: Site, publisher: Publisher) -> bytes:
    name = escape_markdown(collapse_whitespace(publisher.name))
    home = site.url(addresses.HOME)
    table = "\n".join(f"| {name} | `{site.url(address)}` |" for name, address in ADDRESSES.items())
    return f"""\
# Instructions for agents

{escape_markdown(collapse_whitespace(publisher.summary))}

This page says how a program should read the site of {name}. An index of the pages is at \
<{site.url(addresses.LLMS)}>.

## Two ways to read

- Pages: each has a Markdown mirror at its address plus `.md`, or `/index.md` for the home page. \
Sending `Accept: text/markdown` to a page asks for its mirror, too.
- API {API_VERSION}: JSON documents below <{site.url(addresses.api_address("/"))}>, described by \
<{site.url(addresses.OPENAPI)}>. No key, no account and no cookie is needed, from any origin.

| Endpoint | Address |
| --- | --- |
{table}

## Rules

- Read-only: use {", ".join(METHODS)}. Query parameters change nothing; filter what you received.
- Texts are objects with `en`, always present, and `vi` where there is Vietnamese.
- The budget is {BUDGET.requests} requests in {BUDGET.window_seconds} seconds. {BUDGET_NOTES}
- After a `429`, wait for as many seconds as `Retry-After` says.
- Keep the `ETag` and send it back in `If-None-Match`: a `304` means that your copy is good.
- An error below `/api/` or at `{addresses.OPENAPI}` is a problem document \
(`application/problem+json`). Any other error is a short Markdown text. A redirect (`308`) is a \
new address: keep that one.
- A response with `Deprecation` or `Sunset` comes from a version that is being retired: see \
<{site.url(addresses.mirror_of(addresses.VERSIONING_POLICY))}>.

## What to tell people

- Content is published under {LICENCE}: name {name} and link to <{home}>.
- Say what the documents say. An optional field that is absent has no value: a version without \
`sunset` has no announced end. Do not guess one.
- A number is as old as the `Last-Modified` of its response. Responses from a frozen copy also \
have `generatedAt`, in `meta`, or at the top of the index and of the health check.

## Contact

Write to <{publisher.email}>. Weaknesses: <{site.url(addresses.SECURITY_TXT)}>.
""".encode()
