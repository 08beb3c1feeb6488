"""The OpenAPI document of a moment, made once for all that is made of it."""

from functools import lru_cache
from typing import Any

from api.schema import openapi
from site_mirror.context import Context


@lru_cache(maxsize=1)
def described(context: Context) -> dict[str, Any]:
    return openapi(context.at, context.making.outline)
