"""Fold documents that were staged into a portion."""

from collections import Counter

from msgspec import Struct, field

from site_mirror.gates.findings import Findings
from site_mirror.snapshot import checksums, lines, marks
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.lines import Headers
from site_mirror.snapshot.portions import Portion
from site_mirror.snapshot.staging import Staged


class Folding(Struct):
    """A portion in the making."""

    lines: list[bytes] = field(default_factory=list)
    profiles: dict[str, Headers] = field(default_factory=dict)
    checksums: list[bytes] = field(default_factory=list)
    files: int = 0
    size: int = 0
    written: int = 0
    held: int = 0
    families: Counter[str] = field(default_factory=Counter)
    addresses: list[bytes] = field(default_factory=list)
    paths: list[bytes] = field(default_factory=list)
    entries: dict[str, list[bytes]] = field(default_factory=dict)
    findings: Findings = field(default_factory=Findings)
    healed: list[str] = field(default_factory=list)

    def add(self, staged: Staged) -> None:
        entry, line = staged.told, lines.document_line(staged.told)
        self.lines.append(line.text)
        self.profiles[line.profile.name] = line.profile.headers
        digests = entry.digests
        self.checksums.append(checksums.lines(PUBLIC, digests))
        self.files += len(digests)
        self.size += entry.sizes
        self.written += staged.written
        self.families[entry.family] += 1
        self.addresses += [each.encode() for each in (entry.address, *entry.aliases)]
        self.paths.append(entry.file.encode())
        self.healed += staged.healed
        if staged.entry:
            self.entries.setdefault(entry.family, []).append(staged.entry)
        if staged.evidence:
            self.findings.note(staged.evidence)
        else:
            self.held += 1

    def portion(self, inputs: str) -> Portion:
        self.findings.published(self.addresses)
        return Portion(
            inputs=inputs,
            lines=b"".join(self.lines),
            profiles=self.profiles,
            checksums=b"".join(self.checksums),
            documents=len(self.lines),
            files=self.files,
            size=self.size,
            written=self.written,
            held=self.held,
            families=self.families,
            addresses=marks.packed(self.addresses),
            paths=marks.packed(self.paths),
            folders=frozenset([path.rpartition(b"/")[0].decode() for path in self.paths]),
            entries={name: (b",".join(made), len(made)) for name, made in self.entries.items()},
            findings=self.findings,
            healed=tuple(self.healed),
        )
