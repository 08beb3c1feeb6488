from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from api.envelope import encode_body
from api.schema import CONTRACT_FILE, openapi_description

LAYOUT = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


class Command(BaseCommand):
    help = (
        "Write the OpenAPI document to standard output: the bytes of /openapi.json. With --write, "
        "write paths and schemas of the committed contract (api/openapi.json) again after views or "
        "serializers were changed; this fails if that needs a new version in api/contract.py."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--write", action="store_true", help="write api/openapi.json again")

    def handle(self, *, write: bool, **options: Any) -> None:
        if not write:
            body = encode_body(openapi_description(timezone.now()))
            self.stdout.write(body.decode(), ending="")
            return
        from api.schema_generation import (  # noqa: PLC0415  (reads all views)
            generate_contract,
            promises_of,
        )

        before = orjson.loads(CONTRACT_FILE.read_bytes())
        contract = generate_contract(before)
        is_same_version = contract["info"]["version"] == before["info"]["version"]
        if is_same_version and promises_of(contract) != promises_of(before):
            raise CommandError(
                "api/openapi.json stays as it is: clients rely on what changed, and API_VERSION in "
                "api/contract.py is the same. An addition takes a new minor version, any other "
                "change a new major one."
            )
        CONTRACT_FILE.write_bytes(orjson.dumps(contract, option=LAYOUT))
