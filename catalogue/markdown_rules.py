"""What a Markdown text may not contain."""

import re

from django.core.exceptions import ValidationError

from catalogue.markdown import link_targets

SCHEMES = ("http", "https", "mailto")

_SCHEME = re.compile(r"^\s*([a-zA-Z][a-zA-Z0-9+.-]*):")


def safe_markdown(text: str) -> None:
    """Refuse links that would run something instead of leading somewhere."""
    for target in link_targets(text):
        scheme = _SCHEME.match(target)
        if scheme and scheme[1].lower() not in SCHEMES:
            raise ValidationError(
                f"The link to “{target}” uses “{scheme[1]}:”. Links may be paths of this site, "
                f"or use {', '.join(SCHEMES)}.",
                code="scheme",
            )
