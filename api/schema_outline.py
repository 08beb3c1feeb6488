"""The outline of the OpenAPI document, which drf-spectacular generates from views and serializers.

It depends only on the program and the settings, so that it can be cached.
"""

from functools import lru_cache
from threading import Lock
from typing import Any

import orjson
from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from catalogue import addresses

ONE_AT_A_TIME = Lock()
"""The lock of the library, which has its registry of enumerations in a module variable."""


class ContractSchema(AutoSchema):
    """A schema in which a list is one envelope and not a list of envelopes."""

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False


def documented_endpoints(endpoints: list[Any], **options: Any) -> list[Any]:
    """Leave out the aliases of endpoints, which are for file servers."""
    aliases = (".json", addresses.API)
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith(aliases)]


@lru_cache(maxsize=1)
def generate_outline(site_root: str) -> bytes:
    """Return the outline as JSON. Only the setting `SITE_ROOT` may change within a process."""
    generator = SchemaGenerator(urlconf=settings.PUBLIC_URLCONF)  # type: ignore[no-untyped-call]
    with ONE_AT_A_TIME:
        return orjson.dumps(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]
