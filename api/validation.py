"""Validation of bodies by the published OpenAPI document."""

from collections.abc import Callable
from typing import Any

import jsonschema_rs

from api.contract import JSON

MAX_MESSAGE_CHARACTERS = 300
"""Limit of an error message."""


class NotInTheContract(ValueError):
    """A body breaks the OpenAPI document; `where` is a JSON pointer into it."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")
        self.where, self.what = where, what


def body_validators(description: dict[str, Any]) -> dict[str, Callable[[Any], None]]:
    """Return, by operation, a function that raises `NotInTheContract` for a wrong body."""
    components = description["components"]
    operations = (
        operation for path in description["paths"].values() for operation in path.values()
    )
    return {
        operation["operationId"]: body_validator(
            operation["responses"]["200"]["content"][JSON]["schema"], components
        )
        for operation in operations
    }


def body_validator(schema: dict[str, Any], components: dict[str, Any]) -> Callable[[Any], None]:
    compiled = jsonschema_rs.validator_for(
        schema | {"components": components}, validate_formats=True
    )

    def validate(body: Any) -> None:
        error = next(compiled.iter_errors(body), None)
        if error is not None:
            pointer = "/" + "/".join(map(str, error.instance_path))
            # The end says what is wrong; the beginning quotes the whole value.
            raise NotInTheContract(pointer, error.message[-MAX_MESSAGE_CHARACTERS:])

    return validate
