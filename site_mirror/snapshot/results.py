"""The result of a batch, which workers send to the main process and the build cache stores."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct, field

from site_mirror.snapshot import checksums, lines
from site_mirror.snapshot.address_hashes import pack_hashes
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.evidence import Evidence, Findings
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.lines import HeaderFields


class BuiltDocument(Struct, frozen=True):
    """A document in the staging folder; `written` of its files are new.

    `evidence` is `None` if the document is the published one, which was checked before. `item` is
    the document as an item of a list. `healed` are damaged files, which were built again.
    """

    entry: Entry
    written: int = 0
    evidence: Evidence | None = None
    item: bytes = b""
    healed: tuple[str, ...] = ()


class BatchResult(Struct, frozen=True):
    """The result of a batch; its size does not depend on the size of its documents.

    `lines` and `checksums` are parts of the manifest and of `SHA256SUMS`, `addresses` and `paths`
    are hashes. `items` has, for each family of items, the documents as items of a list, and their
    number. `reused` counts documents that are as in the published release. `metadata` is a digest
    of the metadata of all files (`published`).
    """

    digest: str
    lines: bytes
    profiles: Mapping[str, HeaderFields]
    checksums: bytes
    documents: int
    files: int
    size: int
    families: Mapping[str, int]
    addresses: bytes
    paths: bytes
    items: Mapping[str, tuple[bytes, int]]
    written: int = 0
    reused: int = 0
    findings: Findings = field(default_factory=Findings)
    metadata: str = ""
    healed: tuple[str, ...] = ()


class ResultBuilder(Struct):
    """Adds up the documents of a batch to its result."""

    lines: list[bytes] = field(default_factory=list)
    profiles: dict[str, HeaderFields] = field(default_factory=dict)
    checksums: list[bytes] = field(default_factory=list)
    files: int = 0
    size: int = 0
    written: int = 0
    reused: int = 0
    families: Counter[str] = field(default_factory=Counter)
    addresses: list[bytes] = field(default_factory=list)
    paths: list[bytes] = field(default_factory=list)
    items: dict[str, list[bytes]] = field(default_factory=dict)
    findings: Findings = field(default_factory=Findings)
    healed: list[str] = field(default_factory=list)

    def add(self, built: BuiltDocument) -> None:
        entry, line = built.entry, lines.document_line(built.entry)
        digests = entry.digests
        self.lines.append(line.text)
        self.profiles[line.profile.name] = line.profile.headers
        self.checksums.append(checksums.format_checksums(PUBLIC, digests))
        self.files += len(digests)
        self.size += entry.total_size
        self.written += built.written
        self.families[entry.family] += 1
        self.addresses += [each.encode() for each in (entry.address, *entry.aliases)]
        self.paths.append(entry.file.encode())
        self.healed += built.healed
        if built.item:
            self.items.setdefault(entry.family, []).append(built.item)
        if built.evidence:
            self.findings.add(built.evidence)
        else:
            self.reused += 1

    def result(self, digest: str) -> BatchResult:
        self.findings.resolve(self.addresses)
        return BatchResult(
            digest=digest,
            lines=b"".join(self.lines),
            profiles=self.profiles,
            checksums=b"".join(self.checksums),
            documents=len(self.lines),
            files=self.files,
            size=self.size,
            families=self.families,
            addresses=pack_hashes(self.addresses),
            paths=pack_hashes(self.paths),
            items={name: (b",".join(items), len(items)) for name, items in self.items.items()},
            written=self.written,
            reused=self.reused,
            findings=self.findings,
            healed=tuple(self.healed),
        )
