"""The site's routes, from the registry: each family gets its address, its aliases and a view.

The OpenAPI document is read off them (`PUBLIC_URLCONF`): who makes it needs no admin.
"""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, path, register_converter

from api.viewsets import views
from site_mirror.documents import Family, aliases_of
from site_mirror.registry import FAMILIES, endpoints
from site_mirror.views import document_view


class SlugConverter:
    """A slug of the contract; anything else is an unknown address."""

    regex = "[a-z0-9-]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(SlugConverter, "contract-slug")

VIEWS = views(endpoints())


def view(family: Family) -> Any:
    """The viewset of an endpoint, or the view of a document."""
    return VIEWS.get(family.name) or document_view(family)


def patterns(family: Family) -> Iterator[URLPattern]:
    answer = view(family)
    for number, address in enumerate(
        (family.template, *aliases_of(family.template, family.media_type))
    ):
        route = address.replace("{", "<contract-slug:").replace("}", ">")
        name = family.name if number == 0 else f"{family.name}-alias-{number}"
        yield path(route[1:], answer, name=name)


urlpatterns = [pattern for family in FAMILIES for pattern in patterns(family)]
