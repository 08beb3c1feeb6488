"""The constants of the contract. No framework is imported here."""

from msgspec import Struct

from catalogue import addresses

API_VERSION = "1.0.0"
VERSION = "v1"
BASE_PATH = addresses.API

JSON = "application/json"
PROBLEM_JSON = "application/problem+json"

METHODS = ("GET", "HEAD", "OPTIONS")
LICENCE = "CC BY 4.0"
LICENCE_ADDRESS = "https://creativecommons.org/licenses/by/4.0/"

DESCRIPTION = """\
A public, unauthenticated, read-only JSON API about a mobile-app studio, its published apps and
its blog.

Every endpoint is a static document with open cross-origin access. Text fields are localized in
English (`en`, always present) and Vietnamese (`vi`, optional). Content is published under
CC BY 4.0: please name the studio and link to its site.
"""


class Budget(Struct, frozen=True):
    """The number of requests that one client may make in a window of time."""

    requests: int
    window_seconds: int


BUDGET = Budget(requests=600, window_seconds=60)
BUDGET_NOTES = (
    "RateLimit-Remaining is the ceiling of the policy, not a counter: keep count yourself. "
    "Write to the studio for a larger budget."
)
RATE_LIMIT_PROBLEM = addresses.RATE_LIMIT_SECTION
