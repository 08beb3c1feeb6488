"""The only representation of the API."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer

from api.contract import JSON
from api.envelope import encode_body


class DocumentRenderer(BaseRenderer):
    """Writes the bytes that a snapshot has, without the moment of the snapshot."""

    media_type = JSON
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return encode_body(data)
