"""The evidence of document checks: what workers send to the main process for the gates."""

from collections import Counter

from msgspec import Struct, field


class Fault(Struct, frozen=True):
    """A fault of one document that does not depend on other documents."""

    gate: str
    words: str


class Statement(Struct, frozen=True, order=True):
    """A title or link that a page and its mirror, or two translations of it, must both have."""

    page: str
    other: str
    is_translation: bool
    said: str


class Evidence(Struct):
    """The evidence of one document, or of several.

    `targets` are addresses of this site that they link to, and anchors as `address#name`.
    `statements` are those that only one document makes. `checked` has what each gate has checked.
    """

    targets: set[str] = field(default_factory=set)
    statements: set[Statement] = field(default_factory=set)
    checked: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def add(self, other: "Evidence") -> None:
        self.targets |= other.targets
        self.statements ^= other.statements
        self.checked.update(other.checked)
        self.faults += other.faults
