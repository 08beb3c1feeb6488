"""The OpenAPI document of a moment, which is generated once for the documents that need it."""

from functools import lru_cache
from typing import Any

from api.schema import openapi_description
from site_mirror.documents.context import Context


@lru_cache(maxsize=1)
def openapi_document(context: Context) -> dict[str, Any]:
    return openapi_description(context.at)
