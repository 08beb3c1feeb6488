"""Checksums that a shell checks, and signatures that a shell checks, too."""

import json
import subprocess
from base64 import b64decode, b64encode
from functools import partial
from pathlib import Path

import pytest

from site_mirror.snapshot import checksums, signing
from site_mirror.snapshot.engine import Outcome
from site_mirror.snapshot.errors import UnusableKey
from site_mirror.snapshot.verification import findings, subject
from tests.freeze import makers, plain, processes

PAIR = signing.new_pair()
OTHER = signing.new_pair()
SIGN = partial(signing.sign, PAIR.private)


def signed(target: Path) -> Path:
    """A current release that is signed."""
    plain.published(target, *plain.FIRST, sign=SIGN)
    return (target / "current").resolve()


def sha256sum(release: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"],
        cwd=release,
        capture_output=True,
        text=True,
        check=False,
    )


def test_sha256sum_finds_every_file_as_it_was_published(tmp_path: Path) -> None:
    plain.two_releases(tmp_path)
    release = (tmp_path / "current").resolve()

    listed = {file for file, _ in checksums.listed(release)}

    told_otherwise = {"SHA256SUMS", "report.json", "removed.txt"}
    told_otherwise |= {"portions.jsonl", "entries", "seal.json", "made.json"}
    assert listed == makers.tree(release).keys() - told_otherwise
    assert (sha256sum(release).returncode, sha256sum(release).stderr) == (0, "")


def test_sha256sum_finds_an_altered_file(tmp_path: Path) -> None:
    plain.published(tmp_path, *plain.FIRST)
    (tmp_path / "current/public/kept.html").write_bytes(b"Another")

    assert "public/kept.html: FAILED" in sha256sum(tmp_path / "current").stdout


def test_openssl_accepts_the_signature(tmp_path: Path) -> None:
    release = signed(tmp_path / "site")

    assert openssl(release, PAIR.public, tmp_path) == 0
    assert openssl(release, OTHER.public, tmp_path) != 0


def openssl(release: Path, public: str, folder: Path) -> int:
    """The exit code of a check that knows nothing of this project but what its papers say."""
    key, statement = folder / "key.pem", folder / "statement"
    key.write_text(f"-----BEGIN PUBLIC KEY-----\n{public}\n-----END PUBLIC KEY-----\n")
    printed = subprocess.run(
        ["sha256sum", "manifest.jsonl"], cwd=release, capture_output=True, check=True
    )
    statement.write_bytes(printed.stdout)
    words = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin"]
    files = ["-in", statement, "-sigfile", release / "manifest.sig"]
    return subprocess.run([*words, *files], capture_output=True, check=False).returncode


def test_openssl_reads_the_private_key(tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    key.write_text(f"-----BEGIN PRIVATE KEY-----\n{PAIR.private}\n-----END PRIVATE KEY-----\n")

    printed = subprocess.run(
        ["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"],
        capture_output=True,
        check=True,
    )

    assert b64encode(printed.stdout).decode() == PAIR.public


def test_a_signature_is_of_one_manifest_and_one_key(tmp_path: Path) -> None:
    release = signed(tmp_path)

    def wrong(public: str) -> list[str]:
        return [str(finding) for finding in findings(subject(release), public)]

    assert wrong(PAIR.public) == []
    assert wrong(OTHER.public) == ["manifest.sig is not the signature of this manifest by this key"]
    (release / "manifest.sig").write_bytes(SIGN("0" * 64))
    assert wrong(PAIR.public) == ["manifest.sig is not the signature of this manifest by this key"]


@pytest.mark.parametrize("signature", [b"", b"x", b"x" * 64, b"x" * 1000], ids=len)
def test_what_is_no_signature_is_refused(signature: bytes) -> None:
    assert not signing.is_signed(PAIR.public, "0" * 64, signature)


def test_the_same_manifest_has_the_same_signature() -> None:
    assert SIGN("0" * 64) == SIGN("0" * 64) != SIGN("1" * 64)
    assert len(SIGN("0" * 64)) == 64


def test_a_new_pair_is_new_and_belongs_together() -> None:
    assert len({PAIR.private, PAIR.public, OTHER.private, OTHER.public}) == 4
    assert signing.public_of(PAIR.private) == PAIR.public


@pytest.mark.parametrize(
    "text",
    [
        "",
        "key",
        PAIR.public[:-4],
        PAIR.public + "AAAA",
        PAIR.private,
        PAIR.public.replace("MCow", "MCox"),
        b64encode(b64decode(PAIR.public)[12:]).decode(),
        "ä" * 60,
    ],
    ids=len,
)
def test_a_text_that_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(UnusableKey, match="no public Ed25519 key"):
        signing.public_key(text)


def test_a_public_key_signs_nothing() -> None:
    with pytest.raises(UnusableKey, match="no private Ed25519 key") as refused:
        signing.sign(PAIR.public, "0" * 64)

    assert PAIR.public not in str(refused.value)


@pytest.mark.parametrize(
    ("first", "second"),
    [(None, SIGN), (SIGN, None), (SIGN, partial(signing.sign, OTHER.private))],
    ids=["signed now", "no longer signed", "signed by another"],
)
def test_another_key_publishes_the_same_content_anew(
    first: object, second: object, tmp_path: Path
) -> None:
    plain.published(tmp_path, *plain.FIRST, sign=first)

    assert plain.published(tmp_path, *plain.FIRST, sign=first).outcome is Outcome.UNCHANGED
    report = plain.published(tmp_path, *plain.FIRST, sign=second)
    assert (report.outcome, report.written) == (Outcome.PUBLISHED, 0)


def test_the_command_signs_by_the_setting_and_prints_pairs(database: Path, tmp_path: Path) -> None:
    printed = processes.run("manage.py", "snapshot", "key", "--json", database=database)
    pair = json.loads(printed.stdout)

    frozen = processes.freeze(
        tmp_path / "site", database=database, SNAPSHOT_SIGNING_KEY=pair["private"]
    )
    checked = processes.run(
        *("manage.py", "snapshot", "verify", str(tmp_path / "site"), "--public-key"),
        pair["public"],
        database=database,
    )

    assert (printed.returncode, frozen.returncode, checked.returncode) == (0, 0, 0)
    assert "the signature is valid" in checked.stdout
    assert pair["private"] not in frozen.stdout + frozen.stderr


def test_the_printed_pair_can_be_copied(tmp_path: Path) -> None:
    printed = processes.run("manage.py", "snapshot", "key", database=tmp_path / "none")

    words = printed.stdout.split()
    private = next(word.partition("=")[2] for word in words if word.startswith("SNAPSHOT_"))
    assert signing.public_of(private) == words[-1]
