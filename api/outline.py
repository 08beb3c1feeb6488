"""The OpenAPI document without content: what drf-spectacular reads off the views and serializers.

It is a function of the program and the settings, so it can be remembered by these.
"""

from threading import Lock
from typing import Any

import orjson
from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from catalogue import addresses

ONE_AT_A_TIME = Lock()
"""The library makes its registry of enumerations in a variable of its module."""


class ContractSchema(AutoSchema):
    """A list answers one envelope, not a list of envelopes."""

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False


def documented_endpoints(endpoints: list[Any], **options: Any) -> list[Any]:
    """Each endpoint once: aliases are for plain file servers."""
    aliases = (".json", addresses.API)
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith(aliases)]


def generated() -> bytes:
    """As JSON."""
    generator = SchemaGenerator(urlconf=settings.PUBLIC_URLCONF)  # type: ignore[no-untyped-call]
    with ONE_AT_A_TIME:
        return orjson.dumps(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]
