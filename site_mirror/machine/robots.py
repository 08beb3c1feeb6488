"""`/robots.txt`: everything may be read, indexed and learned from.

Sources: RFC 9309; contentsignals.org. The licence of the content is CC BY 4.0.
"""

from catalogue import addresses
from catalogue.addresses import Site

SIGNALS = "search=yes, ai-input=yes, ai-train=yes"


def text(site: Site) -> bytes:
    return f"""\
User-agent: *
Content-Signal: {SIGNALS}
Allow: /

Sitemap: {site.url(addresses.SITEMAP)}
""".encode()
