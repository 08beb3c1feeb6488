"""The gate `deletions`: one freeze may lose only a part of a release.

Documents that editors took off the site do not count, so no act of an editor needs an option.
"""

from site_mirror.snapshot.verdicts import Verdict

GATE = "deletions"
MAX_DELETED_PERCENT = 20
"""Documents that one freeze may lose, in per cent of the published ones."""
MIN_DOCUMENTS_FOR_LIMIT = 20
"""Documents of the smallest release with a limit; in a smaller one, each is a large part."""


def judge(lost: int, count: int, max_percent: int) -> Verdict:
    """Return the verdict about a release of `count` documents."""
    failures = []
    share = 100 if count < MIN_DOCUMENTS_FOR_LIMIT else max_percent
    if lost * 100 > count * share:  # Whole numbers, so that no rounding decides.
        failures.append(
            f"{lost} of {count} documents would be lost, more than {max_percent} %; "
            "if that is intended, use --allow-deletions"
        )
    return Verdict(GATE, "documents of before", count, tuple(failures))
