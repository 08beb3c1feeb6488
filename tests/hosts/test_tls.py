"""The documented configurations for TLS pass parity: real servers, the document's own text."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from site_mirror.hosts.table import HOSTS
from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.certificates import Certificate, certified
from tests.hosts.conftest import Frozen
from tests.hosts.servers import CLIENTS

pytestmark = pytest.mark.server

DOCUMENT = (processes.PROJECT / "docs/hosts.md").read_text()
OWN_CERTIFICATE = re.search(r"`(tls /etc/ssl/\S+ /etc/ssl/\S+)`", DOCUMENT)
HOST, SITE = "studio.example", "https://studio.example"


def example(language: str) -> str:
    """The one configuration that the document has in a language."""
    [found] = re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    return str(found)


def placed(text: str, folder: Path, certificate: Certificate) -> str:
    """An example with the paths of this test instead of the document's."""
    paths = {
        "/srv/studio/nginx": str(folder),
        "/srv/studio/caddy": str(folder),
        "/etc/ssl/studio.pem": str(certificate.chain),
        "/etc/ssl/studio.key": str(certificate.key),
    }
    for documented, own in paths.items():
        text = text.replace(documented, own)
    return text


@contextmanager
def nginx(frozen: Frozen, folder: Path, text: str) -> Iterator[int]:
    port = servers.free_port()
    servers.configured("nginx", frozen.release, folder, port)
    listening = text.replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    assert listening != text
    (folder / "nginx.conf").write_text(f"pid nginx.pid;\n{listening}")
    words = servers.command("nginx", frozen.release, folder, port)
    with servers.running(words, folder, port, dict(os.environ)):
        yield port


@contextmanager
def caddy(frozen: Frozen, folder: Path, text: str) -> Iterator[int]:
    """Its own authority stands in for the public one that signs automatically."""
    port, plain = servers.free_port(), servers.free_port()
    servers.configured("caddy", frozen.release, folder, port)
    options = ("admin off", "local_certs", "skip_install_trust", "default_bind 127.0.0.1")
    ports = (f"http_port {plain}", f"https_port {port}")
    (folder / "Caddyfile").write_text("\n".join(["{", *options, *ports, "}", text]))
    environment = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    words = servers.command("caddy", frozen.release, folder, port)
    with servers.running(words, folder, port, environment):
        yield port


def parity(
    frozen: Frozen, host: str, port: int, authority: Path
) -> subprocess.CompletedProcess[str]:
    clients = [word for client in CLIENTS[-20:] for word in ("--client", client)]
    where = ("--connect", f"127.0.0.1:{port}", "--ca-file", str(authority), "--host", host)
    release = str(frozen.release.folder)
    words = ("parity", SITE, release, *where, *clients)
    return processes.run("manage.py", *words, database=frozen.database)


def test_the_documented_nginx_configuration_has_parity(retired: Frozen, tmp_path: Path) -> None:
    certificate = certified(tmp_path, HOST)
    text = placed(example("nginx"), tmp_path, certificate)
    with nginx(retired, tmp_path, text) as port:
        ended = parity(retired, "nginx", port, certificate.authority)

    assert ended.returncode == 0, ended.stdout


def test_without_its_first_block_nginx_answers_for_other_names(
    retired: Frozen, tmp_path: Path
) -> None:
    certificate = certified(tmp_path, HOST)
    before, foreign, own = placed(example("nginx"), tmp_path, certificate).split("    server {")
    assert "default_server" in foreign
    with nginx(retired, tmp_path, f"{before}    server {{{own}") as port:
        ended = parity(retired, "nginx", port, certificate.authority)

    assert ended.returncode == 1
    assert "status 200 instead of 400" in ended.stdout


def test_the_documented_caddyfile_has_parity(retired: Frozen, tmp_path: Path) -> None:
    text = placed(example("caddyfile"), tmp_path, certified(tmp_path, HOST))
    with caddy(retired, tmp_path, text) as port:
        authority = tmp_path / "caddy/pki/authorities/local/root.crt"
        ended = parity(retired, "caddy", port, authority)

    assert ended.returncode == 0, ended.stdout


def test_the_documented_caddyfile_takes_a_certificate_of_ones_own(
    retired: Frozen, tmp_path: Path
) -> None:
    assert OWN_CERTIFICATE
    certificate = certified(tmp_path, HOST)
    block = f"{HOST} {{\n"
    text = example("caddyfile").replace(block, f"{block}\t{OWN_CERTIFICATE.group(1)}\n")
    with caddy(retired, tmp_path, placed(text, tmp_path, certificate)) as port:
        where = ("--connect", f"127.0.0.1:{port}", "--ca-file", str(certificate.authority))
        release = str(retired.release.folder)
        words = ("snapshot", "verify", SITE, "--manifest", release, "--host", "caddy", *where)
        ended = processes.run("manage.py", *words, database=retired.database)

    assert ended.returncode == 0, ended.stdout


def test_a_certificate_of_an_unknown_authority_is_told(retired: Frozen, tmp_path: Path) -> None:
    certificate = certified(tmp_path, HOST)
    (tmp_path / "other").mkdir()
    other = certified(tmp_path / "other", HOST)
    text = placed(example("nginx"), tmp_path, certificate)
    with nginx(retired, tmp_path, text) as port:
        ended = parity(retired, "nginx", port, other.authority)

    assert ended.returncode == 2
    assert "certificate verify failed" in ended.stderr


def test_a_file_that_holds_no_certificates_is_usage(retired: Frozen, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name in ("empty", "missing"):
        ended = parity(retired, next(iter(HOSTS)), 1, tmp_path / name)

        assert ended.returncode == 2
        assert "is not a file of certificates in PEM" in ended.stderr
