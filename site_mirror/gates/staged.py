"""The staged release as the gates see it: what was found in its documents, and its files."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress

from msgspec import Struct, field

from site_mirror.documents.family import file_of
from site_mirror.snapshot import files
from site_mirror.snapshot.evidence import Evidence
from site_mirror.snapshot.layout import ERRORS, PUBLIC
from site_mirror.snapshot.manifest import index_documents
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.verdicts import Verdict
from site_mirror.snapshot.workspace import Candidate


class CheckedDocuments(Struct):
    """The evidence of all documents of a release, collected while they are built.

    `published` are the addresses that are answered. `families` counts the documents of each family,
    `reused` those whose earlier check still stands.
    """

    evidence: Evidence = field(default_factory=Evidence)
    published: set[str] = field(default_factory=set)
    families: Counter[str] = field(default_factory=Counter)
    reused: int = 0

    def add(self, result: BatchResult) -> None:
        self.evidence.add(result.findings)
        self.published.update(result.addresses)
        self.families.update(result.families)
        self.reused += result.reused


class StagedRelease(Struct, frozen=True):
    """A release to judge; `root` is the site's, and `documents` are those of the release."""

    candidate: Candidate
    documents: CheckedDocuments
    root: str

    @property
    def evidence(self) -> Evidence:
        return self.documents.evidence

    def publishes(self, address: str) -> bool:
        return address in self.documents.published

    def headers_of(self, address: str) -> Mapping[str, str]:
        entry = index_documents(self.candidate.workspace.staging).find(address)
        return entry.headers if entry else {}

    def read_document(self, address: str, media_type: str) -> bytes | None:
        return self.read_file(file_of(address, media_type))

    def read_file(self, file: str) -> bytes | None:
        """Read a file that was written, or one that will be linked from the published release."""
        for release in (self.candidate.workspace.staging, self.candidate.workspace.published):
            if release:  # The first freeze has no published one.
                with suppress(OSError):
                    return files.read_file(release, f"{PUBLIC}/{file}")
        return None

    def read_error_body(self, file: str) -> bytes:
        return (self.candidate.workspace.staging / ERRORS / file).read_bytes()

    def verdict(
        self, gate: str, things: str, failures: Iterable[str] = (), checked: int = 0
    ) -> Verdict:
        """Return the verdict of a gate of single documents.

        `failures` and what was `checked` are added to what was found in the documents.
        """
        faults = (fault.words for fault in self.evidence.faults if fault.gate == gate)
        return Verdict(
            gate,
            things,
            self.evidence.checked[gate] + checked,
            (*faults, *failures),
            held=self.documents.reused,
        )
