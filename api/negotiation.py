"""Content negotiation of the API: JSON is the only representation, whatever `Accept` says."""

from collections.abc import Mapping
from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.contract import JSON
from api.envelope import encode_body


class DocumentRenderer(BaseRenderer):
    """A renderer of the bytes that a snapshot has, without the moment of the snapshot."""

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


class JsonForEveryone(BaseContentNegotiation):
    """Content negotiation that always selects the only renderer."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return None

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> Any:
        return renderers[0], renderers[0].media_type
