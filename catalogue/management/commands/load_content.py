from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from catalogue import shipped


class Command(BaseCommand):
    help = "Fill an empty catalogue with the shipped content. One with content is left as it is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--api-only",
            action="store_true",
            help="load only the version of the API and the pages about it, "
            "for a studio of your own (docs/start.md)",
        )

    def handle(self, *, api_only: bool = False, **options: Any) -> str:
        patterns = shipped.API_PATTERNS if api_only else shipped.FIXTURE_PATTERNS
        if shipped.load_fixtures(patterns):
            return f"Loaded {len(shipped.fixture_files(patterns))} files of shipped content."
        return "The catalogue has content; nothing was loaded."
