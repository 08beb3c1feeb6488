"""The result of a batch, which workers send to the main process and the build cache stores."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec import Struct, field

from site_mirror.snapshot.checksums import format_checksums
from site_mirror.snapshot.entries import format_line
from site_mirror.snapshot.evidence import Evidence
from site_mirror.snapshot.layout import PUBLIC
from site_mirror.snapshot.write import EncodedDocument


class BatchResult(Struct, frozen=True):
    """The result of a batch; its size does not depend on the size of its documents.

    `lines` and `checksums` are parts of the manifest and of `SHA256SUMS`. `addresses` include
    aliases. `items` has, by family, the documents as items of a list.
    `metadata` is a digest of the metadata of all files (`published`). `reused` counts documents
    that are as in the published release.

    The members from `written` on are about one freeze, so the build cache leaves them out.
    """

    digest: str
    lines: bytes
    checksums: bytes
    documents: int
    files: int
    size: int
    families: Mapping[str, int]
    addresses: Sequence[str]
    items: Mapping[str, list[bytes]]
    metadata: str = ""
    reused: int = 0
    written: int = 0
    findings: Evidence = field(default_factory=Evidence)
    healed: tuple[str, ...] = ()


def sum_up(documents: list[EncodedDocument], digest: str) -> BatchResult:
    entries = [each.entry for each in documents]
    findings = Evidence()
    items: dict[str, list[bytes]] = {}
    for each in documents:
        if each.evidence:
            findings.add(each.evidence)
        if each.item:
            items.setdefault(each.entry.family, []).append(each.item)
    return BatchResult(
        digest=digest,
        lines=b"".join(map(format_line, entries)),
        checksums=format_checksums(
            {
                f"{PUBLIC}/{file}": sha256
                for entry in entries
                for file, sha256 in entry.digests.items()
            }
        ),
        documents=len(documents),
        files=sum(len(entry.files) for entry in entries),
        size=sum(entry.total_size for entry in entries),
        families=Counter(entry.family for entry in entries),
        addresses=[address for entry in entries for address in (entry.address, *entry.aliases)],
        items=items,
        reused=sum(each.evidence is None for each in documents),
        written=sum(each.written for each in documents),
        findings=findings,
        healed=tuple(chain.from_iterable(each.healed for each in documents)),
    )
