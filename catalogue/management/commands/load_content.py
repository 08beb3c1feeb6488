"""Fill an empty catalogue with the shipped content, or load content from files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from catalogue import shipped
from catalogue.content.reading import Change, ContentRefused, Files, find_changes, find_files, load


class Command(BaseCommand):
    help = (
        "Load content from files, which `dump_content` or a person wrote: show what would change, "
        "ask, and load all of it or nothing. Without a path, fill an empty catalogue with the "
        "shipped content; one with content is left as it is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "paths", nargs="*", type=Path, metavar="PATH", help="file, or folder of files"
        )
        parser.add_argument(
            "--api-only",
            action="store_true",
            help="load only the version of the API and the pages about it, "
            "for a studio of your own (docs/start.md)",
        )
        parser.add_argument("--check", action="store_true", help="show what would change, no more")
        parser.add_argument(
            "--no-input", action="store_false", dest="interactive", help="do not ask before loading"
        )

    def handle(
        self,
        *,
        paths: Sequence[Path] = (),
        api_only: bool = False,
        check: bool = False,
        interactive: bool = True,
        **options: Any,
    ) -> str:
        if not paths:
            return load_shipped(api_only=api_only)
        for path in paths:
            if not path.exists():
                raise CommandError(f"{path} does not exist.")
        files = {str(each): each.read_bytes() for path in paths for each in find_files(path)}
        try:
            changes = find_changes(files)
            self.stdout.write("\n".join(map(str, changes)) or "Nothing changes.")
            if not changes or check or (interactive and not is_agreed()):
                return "Nothing was loaded."
            load_as_shown(files, changes)
        except ContentRefused as error:
            raise CommandError(f"Nothing was loaded.\n{error}") from error
        return f"Loaded {len(changes)} changes."


def load_shipped(*, api_only: bool) -> str:
    if shipped.load_fixtures(api_only=api_only):
        count = len(shipped.fixture_files(api_only=api_only))
        return f"Loaded {count} files of shipped content."
    return "The catalogue has content; nothing was loaded."


def is_agreed() -> bool:
    try:
        return input("Load this? [y/N] ").strip().lower() == "y"
    except EOFError:
        return False


@transaction.atomic
def load_as_shown(files: Files, shown: list[Change]) -> None:
    if load(files) != shown:
        raise CommandError("Nothing was loaded, because the content has changed meanwhile.")
