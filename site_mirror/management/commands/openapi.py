from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from api.envelope import encode_body
from api.schema import openapi_description


class Command(BaseCommand):
    help = "Write the OpenAPI document to standard output: the bytes of /openapi.json."

    def handle(self, **options: Any) -> None:
        self.stdout.write(encode_body(openapi_description(timezone.now())).decode(), ending="")
