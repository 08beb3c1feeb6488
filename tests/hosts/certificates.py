"""Certificates for TLS in tests, signed by a certificate authority that each test creates."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


class Certificate(NamedTuple):
    """PEM files: the chain and the key of a server, and the authority that its clients trust."""

    chain: Path
    key: Path
    authority: Path


def make_certificate(folder: Path, host: str) -> Certificate:
    """Write a certificate for a host, signed by a new authority; valid for a day around now."""
    authority, key = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
    issuer = make_name("An authority for tests")
    root = (
        make_builder(issuer, issuer, authority)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(make_key_usage(signs_certificates=True), critical=True)
        .sign(authority, SHA256())
    )
    certificate = (
        make_builder(make_name(host), issuer, key)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()),
            critical=False,
        )
        .sign(authority, SHA256())
    )
    files = Certificate(folder / "site.pem", folder / "site.key", folder / "authority.pem")
    files.chain.write_bytes(certificate.public_bytes(Encoding.PEM))
    files.authority.write_bytes(root.public_bytes(Encoding.PEM))
    files.key.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )
    return files


def make_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def make_builder(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def make_key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )
