from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from api.envelope import encode
from api.schema import openapi


class Command(BaseCommand):
    help = "Write the OpenAPI document to standard output: the bytes of /openapi.json."

    def handle(self, **options: Any) -> None:
        self.stdout.write(encode(openapi(timezone.now())).decode(), ending="")
