"""URL patterns from the registry: each family has its address, its aliases and a view.

The OpenAPI document is generated from them (`PUBLIC_URLCONF`), so that a freeze needs no admin.
"""

from collections.abc import Iterator

from django.urls import URLPattern, path, register_converter
from django.urls.converters import StringConverter

from api.views import VIEWS
from site_mirror.documents.family import Family, aliases_of
from site_mirror.live.views import document_view
from site_mirror.registry.table import FAMILIES


class SlugConverter(StringConverter):
    """A slug as the contract defines it; another text is an unknown address."""

    regex = "[a-z0-9-]+"


register_converter(SlugConverter, "contract-slug")


def url_patterns_of(family: Family) -> Iterator[URLPattern]:
    view = VIEWS.get(family.name) or document_view(family)
    for number, address in enumerate(
        (family.template, *aliases_of(family.template, family.media_type))
    ):
        route = address.replace("{", "<contract-slug:").replace("}", ">")
        name = family.name if number == 0 else f"{family.name}-alias-{number}"
        yield path(route[1:], view, name=name)  # Django adds the first slash.


urlpatterns = [pattern for family in FAMILIES for pattern in url_patterns_of(family)]
