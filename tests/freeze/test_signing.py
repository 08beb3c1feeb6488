"""`sha256sum` verifies the checksums of a release, and `openssl` its signature."""

import json
import subprocess
from base64 import b64decode, b64encode
from functools import partial
from pathlib import Path

import pytest
from django.test import override_settings

from site_mirror.snapshot import checksums, signing
from site_mirror.snapshot.errors import UnusableKey
from site_mirror.snapshot.layout import BATCHES, ITEMS, STATE
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import commands, engine, target_files

PAIR = signing.generate_key_pair()
OTHER = signing.generate_key_pair()
SIGN = partial(signing.sign_checksum, PAIR.private)


def publish_signed(target: Path) -> Path:
    """Publish a signed release and return its folder."""
    engine.publish(target, *engine.FIRST, signing_key=PAIR.private)
    return (target / "current").resolve()


def run_sha256sum(release: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"],
        cwd=release,
        capture_output=True,
        text=True,
        check=False,
    )


def test_sha256sum_finds_every_file_as_it_was_published(tmp_path: Path) -> None:
    engine.publish_two_releases(tmp_path)
    release = (tmp_path / "current").resolve()

    listed = {file for file, _ in checksums.read_checksums(release)}

    not_listed = {"SHA256SUMS", "report.json", "removed.txt", STATE, BATCHES, ITEMS}
    assert listed == target_files.read_tree(release).keys() - not_listed
    assert (run_sha256sum(release).returncode, run_sha256sum(release).stderr) == (0, "")


def test_sha256sum_finds_an_altered_file(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)
    (tmp_path / "current/public/kept.html").write_bytes(b"Another")

    assert "public/kept.html: FAILED" in run_sha256sum(tmp_path / "current").stdout


def test_openssl_accepts_the_signature(tmp_path: Path) -> None:
    release = publish_signed(tmp_path / "site")

    assert verify_with_openssl(release, PAIR.public, tmp_path) == 0
    assert verify_with_openssl(release, OTHER.public, tmp_path) != 0


def verify_with_openssl(release: Path, public: str, folder: Path) -> int:
    """Verify a signature by the commands of `docs/releases.md`, and return the exit code."""
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
    release = publish_signed(tmp_path)

    def wrong(public: str) -> list[str]:
        return [
            str(finding) for finding in find_discrepancies(find_files_to_verify(release), public)
        ]

    assert wrong(PAIR.public) == []
    assert wrong(OTHER.public) == ["manifest.sig is not the signature of this manifest by this key"]
    (release / "manifest.sig").write_bytes(SIGN("0" * 64))
    assert wrong(PAIR.public) == ["manifest.sig is not the signature of this manifest by this key"]


@pytest.mark.parametrize("signature", [b"", b"x", b"x" * 64, b"x" * 1000], ids=len)
def test_bytes_that_are_not_a_signature_are_refused(signature: bytes) -> None:
    assert not signing.is_signed(PAIR.public, "0" * 64, signature)


def test_the_same_manifest_has_the_same_signature() -> None:
    assert SIGN("0" * 64) == SIGN("0" * 64) != SIGN("1" * 64)
    assert len(SIGN("0" * 64)) == 64


def test_a_generated_key_pair_is_new_and_matches() -> None:
    assert len({PAIR.private, PAIR.public, OTHER.private, OTHER.public}) == 4
    assert signing.public_key_of(PAIR.private) == PAIR.public


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
def test_a_text_that_is_not_a_public_key_is_refused(text: str) -> None:
    with pytest.raises(UnusableKey, match="not a public Ed25519 key"):
        signing.parse_public_key(text)


def test_a_public_key_signs_nothing() -> None:
    with pytest.raises(UnusableKey, match="not a private Ed25519 key") as refused:
        signing.sign_checksum(PAIR.public, "0" * 64)

    assert PAIR.public not in str(refused.value)


@pytest.mark.parametrize(
    ("first", "second"),
    [("", PAIR.private), (PAIR.private, ""), (PAIR.private, OTHER.private)],
    ids=["signed now", "no longer signed", "signed by another"],
)
def test_another_signing_key_publishes_a_new_release_of_the_same_content(
    first: str, second: str, tmp_path: Path
) -> None:
    engine.publish(tmp_path, *engine.FIRST, signing_key=first)

    assert engine.publish(tmp_path, *engine.FIRST, signing_key=first).outcome is Outcome.UNCHANGED
    report = engine.publish(tmp_path, *engine.FIRST, signing_key=second)
    assert (report.outcome, report.written) == (Outcome.PUBLISHED, 0)


def test_the_command_signs_by_the_setting_and_prints_pairs(small_site: Path) -> None:
    printed = commands.run("snapshot", "key", "--json")
    pair = json.loads(printed.stdout)

    with override_settings(SNAPSHOT_SIGNING_KEY=pair["private"]):
        frozen = commands.freeze(str(small_site))
    checked = commands.run("snapshot", "verify", str(small_site), "--public-key", pair["public"])

    assert (printed.returncode, frozen.returncode, checked.returncode) == (0, 0, 0)
    assert "the signature is valid" in checked.stdout
    assert pair["private"] not in frozen.stdout + frozen.stderr


def test_the_printed_pair_can_be_copied() -> None:
    printed = commands.run("snapshot", "key")

    words = printed.stdout.split()
    private = next(word.partition("=")[2] for word in words if word.startswith("SNAPSHOT_"))
    assert signing.public_key_of(private) == words[-1]
