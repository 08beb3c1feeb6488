"""A Debian host in a folder: the documented commands, real nginx, no systemd and no root."""

import contextlib
import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from pathlib import Path

from site_mirror.hosts.nginx import MODULES, NEEDED
from site_mirror.hosts.wire import Answer, Request, Site, Unreachable, Wire
from tests import needs
from tests.freeze.processes import PROJECT
from tests.hosts import servers, supervisor
from tests.hosts.certificates import Certificate, certified
from tests.hosts.servers import CLIENTS

PATIENCE = 900
"""Seconds after which a command counts as stuck."""

HOST, ROOT = "studio.example", "https://studio.example"
DOCUMENT = (PROJECT / "docs/deploy.md").read_text()
OF_THE_MACHINE = ("apt-get ", "git clone ", "certbot ")
"""Commands that the test does not run: packages, program and certificate are there."""

MAIN = """
{user}
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
{modules}
events {{ worker_connections 256; }}
http {{
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    gzip on;
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/sites-enabled/*;
}}
"""
"""Debian's own file, as far as it changes what sites answer."""


def section(heading: str, document: str = DOCUMENT) -> str:
    """A part of a document, its subsections included."""
    return re.split(r"^## ", document.partition(f"## {heading}\n")[2], flags=re.MULTILINE)[0]


def commands(text: str) -> list[str]:
    """The lines of its shell blocks; one that ends in a backslash goes on."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines() if line]


@dataclass
class Debian:
    """A host with an empty disk, but for the program, its packages and a certificate."""

    folder: Path
    changes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.port, self.plain, self.origin = (servers.free_port() for _ in range(3))
        (self.folder / "sites-enabled").mkdir(parents=True)
        (self.folder / "webroot").mkdir()
        names = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(names, cwd=PROJECT, capture_output=True, text=True, check=True)
        for name in filter(None, listed.stdout.split("\0")):
            if (PROJECT / name).is_file():
                (self.program / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / name, self.program / name)
        (self.program / ".venv").symlink_to(Path(sys.executable).parent.parent)
        self.configure_nginx()

    def configure_nginx(self) -> None:
        modules = "\n".join(f"load_module {MODULES}/{name};" for name in NEEDED)
        user = "user root;" if os.geteuid() == 0 else ""
        text = MAIN.format(folder=self.folder, modules=modules, user=user)
        (self.folder / "nginx.conf").write_text(text)

    @property
    def program(self) -> Path:
        return self.folder / "app"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def settings(self) -> Path:
        return self.folder / "etc/environment"

    @property
    def unit(self) -> Path:
        return self.folder / "units/studio.service"

    @cached_property
    def certificate(self) -> Certificate:
        return certified(self.folder, HOST)

    @property
    def environment(self) -> dict[str, str]:
        """What differs from the defaults of the script: ports, paths, and how services start."""
        nginx = needs.needs_program("nginx", "nginx")
        for module in NEEDED:
            needs.needs_file(Path(MODULES) / module, "libnginx-mod-http-js, -headers-more-filter")
        needs.needs_command("curl", "curl")
        at = f"-p {self.folder} -c nginx.conf"
        pid, log = self.folder / "supervisor.pid", self.folder / "origin.log"
        supervised = f"{supervisor.__file__} {self.unit} {self.folder}/service.pid"
        return {
            "PATH": os.environ["PATH"],
            "CERTIFICATE": str(self.certificate.chain),
            "CERTIFICATE_KEY": str(self.certificate.key),
            "DATA": str(self.data),
            "ENVIRONMENT_FILE": str(self.settings),
            "ACCOUNT": getpass.getuser(),
            "PORT": str(self.origin),
            "LISTEN_HTTP": f"127.0.0.1:{self.plain}",
            "LISTEN_HTTPS": f"127.0.0.1:{self.port}",
            "WEBROOT": str(self.folder / "webroot"),
            "UNITS": str(self.folder / "units"),
            "NGINX_SITE": str(self.folder / "sites-enabled/studio.conf"),
            "INSTALL": "true",
            "STOP": f"[ ! -e {pid} ] || {{ kill $(cat {pid}); rm {pid}; sleep 1; }}",
            "START": f"{sys.executable} {supervised} >>{log} 2>&1 & echo $! >{pid}",
            "RELOAD": f"{nginx} -t -q {at} && "
            f"if [ -s {self.folder}/nginx.pid ]; then {nginx} -s reload {at}; "
            f"else {nginx} {at}; fi",
            "PARITY": f"--connect 127.0.0.1:{self.port} --ca-file {self.certificate.authority} "
            + " ".join(f"--client {client}" for client in CLIENTS[-40:]),
            **self.changes,
        }

    def follow(self, text: str) -> subprocess.CompletedProcess[str]:
        """The documented commands, one script, but for those of the machine."""
        lines = [line for line in commands(text) if not line.startswith(OF_THE_MACHINE)]
        script = "\n".join(["set -e", *lines]).replace("/srv/studio/app", str(self.program))
        return self.run("sh", "-c", script)

    def documented(self, line: str) -> subprocess.CompletedProcess[str]:
        """A command of the documents, with the paths of this host."""
        return self.run("sh", "-c", line.replace("/srv/studio", str(self.data)))

    def install(self) -> subprocess.CompletedProcess[str]:
        return self.run("sh", "-c", f"SITE_ROOT={ROOT} docs/deploy/install.sh")

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run("bin/manage", *words)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """In the program's folder. Processes that stay keep no pipe of this one open."""
        out, error = self.folder / "out", self.folder / "error"
        with out.open("w") as told, error.open("w") as said:
            ended = subprocess.run(
                words,
                cwd=self.program,
                env=self.environment,
                stdout=told,
                stderr=said,
                check=False,
                timeout=PATIENCE,
            )
        return subprocess.CompletedProcess(
            words, ended.returncode, out.read_text(), error.read_text()
        )

    def ask(self, address: str, method: str = "GET", **headers: str) -> Answer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        where = ("127.0.0.1", self.port)
        with Wire(Site.at(ROOT, where, self.certificate.authority)) as wire:
            return wire.ask_as(None, Request(address, method, named))

    def ask_until_down(self, address: str) -> Answer:
        """The first answer after the origin's port is closed: its workers outlive its process."""
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.origin)):
                    break
            time.sleep(0.2)
        return self.ask(address)

    def ask_plainly(self, address: str) -> Answer:
        """Without TLS, at the port that leads on."""
        with Wire(Site.at(f"http://{HOST}", ("127.0.0.1", self.plain))) as wire:
            return wire.ask_as(None, Request(address))

    def published(self) -> subprocess.CompletedProcess[str]:
        """What the timer starts."""
        unit = self.folder / "units/studio-publish.service"
        return subprocess.run(
            supervisor.command(unit),
            cwd="/",
            env=supervisor.environment(unit),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    def is_well(self) -> bool:
        """Whether the live origin answers by itself."""
        for _ in range(100):
            with (
                contextlib.suppress(Unreachable),
                Wire(Site.at(f"http://{HOST}", ("127.0.0.1", self.origin))) as wire,
            ):
                if wire.ask_as(None, Request("/api/v1/health")).status == HTTPStatus.OK:
                    return True
            time.sleep(0.2)
        return False

    def switch_off(self) -> None:
        """End nginx and the supervisor."""
        for name in ("nginx.pid", "supervisor.pid"):
            pid = self.folder / name
            number = pid.read_text().strip() if pid.exists() else ""
            if number:
                os.kill(int(number), signal.SIGTERM)
        time.sleep(1)
