from typing import Any

from django.core.management.base import BaseCommand

from catalogue import shipped


class Command(BaseCommand):
    help = "Fill an empty catalogue with the shipped content. One with content is left as it is."

    def handle(self, **options: Any) -> str:
        if shipped.load_fixtures():
            return f"Loaded {len(shipped.fixture_files())} files of shipped content."
        return "The catalogue has content; nothing was loaded."
