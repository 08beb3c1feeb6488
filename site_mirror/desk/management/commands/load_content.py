"""Fill an empty catalogue with the shipped content, or load content from files."""

from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any

from django.contrib import admin
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from catalogue import shipped
from catalogue.content.reading import ContentRefused, find_files, load
from site_mirror.desk.history import load_recorded


class Command(BaseCommand):
    help = (
        "Show what files, which `dump_content` or a person wrote, would change in the content; "
        "with --apply, load all of it or nothing. Without a path, fill an empty catalogue with "
        "the shipped content; one with content is left as it is."
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
        parser.add_argument("--apply", action="store_true", help="load what would change")

    @transaction.atomic
    def handle(
        self,
        *,
        paths: Sequence[Path] = (),
        api_only: bool = False,
        apply: bool = False,
        **options: Any,
    ) -> str:
        if not paths:
            return load_shipped(api_only=api_only)
        for path in paths:
            if not path.exists():
                raise CommandError(f"{path} does not exist.")
            if not find_files(path):
                raise CommandError(f"{path} is a folder without files *.yaml.")
        try:
            files = {str(each): each.read_bytes() for path in paths for each in find_files(path)}
            changes = load(files, apply=False)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.") from error
        except ContentRefused as error:
            raise CommandError(f"Nothing was loaded.\n{error}") from error
        if apply:
            admin.autodiscover()
            load_recorded(files, changes, author=None)
        for name, texts in changes.items():
            before, after = map(str.splitlines, texts)
            found = unified_diff(before, after, name, name, n=1, lineterm="")
            self.stdout.write("\n".join(found))
        if not changes:
            return "Nothing changes."
        return f"Loaded {len(changes)} files." if apply else "Load this with --apply."


def load_shipped(*, api_only: bool) -> str:
    if shipped.load_fixtures(api_only=api_only):
        count = len(shipped.fixture_files(api_only=api_only))
        return f"Loaded {count} files of shipped content."
    return "The catalogue has content; nothing was loaded."
