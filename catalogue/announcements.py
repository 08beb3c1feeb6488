"""SQL that keeps the promise of an announced sunset, whatever writes the row of a version.

Clients rely on an announcement: its moment is set once, and its sunset does not come nearer than
180 days from the moment of an edit. An insert may bring an old announcement along, since a
restored backup does. `catalogue.models.version` says the same at the form, in words.
"""

from collections.abc import Iterator

TABLE = "catalogue_apiversion"
NOTICE_DAYS = 180
"""Between an announcement and its sunset, at least."""
TOLERANCE_HOURS = 1
"""Between the clocks of the application and of the database, at most."""

AFTER = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f', 'now', '{0}')",
    "postgresql": "statement_timestamp() + interval '{0}'",
}
REFUSE = {
    "sqlite": "SELECT RAISE(ABORT, '{message}') WHERE {condition};",
    "postgresql": "IF {condition} THEN "
    "RAISE EXCEPTION '{message}' USING ERRCODE = 'check_violation'; END IF;",
}


def refusals(event: str, vendor: str) -> str:
    """The body of a trigger that runs after an INSERT or UPDATE and its constraints."""
    told = [*of_any_write(vendor), *(of_an_update(vendor) if event == "UPDATE" else ())]
    return " ".join(
        REFUSE[vendor].format(message=message, condition=condition) for message, condition in told
    )


def of_any_write(vendor: str) -> Iterator[tuple[str, str]]:
    now = AFTER[vendor].format("0 days")
    yield (
        "A version is sunset once its sunset has passed",
        f"NEW.status = 'sunset' AND NEW.sunset > {now}",
    )


def of_an_update(vendor: str) -> Iterator[tuple[str, str]]:
    early, late = (AFTER[vendor].format(f"{sign}{TOLERANCE_HOURS} hours") for sign in "-+")
    notice = AFTER[vendor].format(f"+{NOTICE_DAYS} days")
    yield (
        "The moment of an announcement is set once",
        "OLD.announced IS NOT NULL AND NEW.announced <> OLD.announced",
    )
    yield (
        "A version is announced at the moment at which that is saved",
        (
            "OLD.announced IS NULL AND NEW.announced IS NOT NULL "
            f"AND NOT (NEW.announced >= {early} AND NEW.announced <= {late})"
        ),
    )
    yield (
        "An announced sunset does not come nearer than 180 days from now",
        f"NEW.sunset < OLD.sunset AND NEW.sunset < {notice}",
    )
