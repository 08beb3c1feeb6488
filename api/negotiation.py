"""`Accept` never changes an API answer: there is one representation, JSON."""

from collections.abc import Mapping
from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.contract import JSON
from api.envelope import encode


class DocumentRenderer(BaseRenderer):
    """A live body: the snapshot's bytes without the moment of a snapshot."""

    media_type = JSON
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return encode(data)


class JsonForEveryone(BaseContentNegotiation):
    """The first and only renderer, whatever the request says it accepts."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return None

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> Any:
        return renderers[0], renderers[0].media_type
