"""SQL conditions under which the database refuses to change an announced sunset.

Clients rely on an announcement: its moment is set once, and its sunset does not come nearer than
180 days from the moment of an edit. An insert may have an old announcement, because a restored
backup has one. `catalogue.models.version` checks the same rules in the form.
"""

from collections.abc import Iterator

VERSION_TABLE = "catalogue_apiversion"
NOTICE_DAYS = 180
"""The minimum between an announcement and its sunset."""
TOLERANCE_HOURS = 1
"""The maximum difference between the clocks of the application and of the database."""

NOW_PLUS = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f', 'now', '{0}')",
    "postgresql": "statement_timestamp() + interval '{0}'",
}
REFUSE_IF = {
    "sqlite": "SELECT RAISE(ABORT, '{message}') WHERE {condition};",
    "postgresql": "IF {condition} THEN "
    "RAISE EXCEPTION '{message}' USING ERRCODE = 'check_violation'; END IF;",
}


def refusal_sql(event: str, vendor: str) -> str:
    """Return the body of a trigger that runs after an INSERT or UPDATE and its constraints."""
    rules = [*rules_of_any_write(vendor), *(rules_of_update(vendor) if event == "UPDATE" else ())]
    return " ".join(
        REFUSE_IF[vendor].format(message=message, condition=condition)
        for message, condition in rules
    )


def rules_of_any_write(vendor: str) -> Iterator[tuple[str, str]]:
    now = NOW_PLUS[vendor].format("0 days")
    yield (
        "A version is sunset once its sunset has passed",
        f"NEW.status = 'sunset' AND NEW.sunset > {now}",
    )


def rules_of_update(vendor: str) -> Iterator[tuple[str, str]]:
    early, late = (NOW_PLUS[vendor].format(f"{sign}{TOLERANCE_HOURS} hours") for sign in "-+")
    notice = NOW_PLUS[vendor].format(f"+{NOTICE_DAYS} days")
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
