"""Certificates for TLS in tests: each is its own certificate authority."""

import subprocess
from pathlib import Path
from typing import NamedTuple

from tests import requirements


class Certificate(NamedTuple):
    """PEM files: the certificate, which clients of a test trust, and its key."""

    chain: Path
    key: Path


def make_certificate(folder: Path, host: str) -> Certificate:
    """Write a certificate for a host, signed by itself; valid for a day from now."""
    openssl = requirements.needs_program("openssl", "openssl")
    files = Certificate(folder / "site.pem", folder / "site.key")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    name = ["-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}", "-days", "1"]
    places = ["-keyout", str(files.key), "-out", str(files.chain)]
    subprocess.run([openssl, "req", "-x509", *key, *name, *places], check=True, capture_output=True)
    return files
