"""`/robots.txt`: programs may read, index and learn from all pages.

Sources: RFC 9309; contentsignals.org. The licence of the content is CC BY 4.0.
"""

from catalogue import addresses
from catalogue.addresses import Site

CONTENT_SIGNALS = "search=yes, ai-input=yes, ai-train=yes"


def robots_txt(site: Site) -> bytes:
    return f"""\
User-agent: *
Content-Signal: {CONTENT_SIGNALS}
Allow: /

Sitemap: {site.url(addresses.SITEMAP)}
""".encode()
