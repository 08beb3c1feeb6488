"""A Debian host in a folder: the documented commands and nginx, without systemd and root."""

import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from pathlib import Path

from site_mirror.hosts.http_client import HostRequest, HostResponse, HttpClient
from tests import requirements
from tests.freeze.processes import PROJECT
from tests.hosts import unit_supervisor
from tests.hosts.certificates import Certificate, make_certificate
from tests.hosts.servers import CLIENTS, NGINX_MODULES, find_nginx
from tests.ports import free_port

TIMEOUT_SECONDS = 900
"""Time after which a command is stopped."""

HOST, ROOT = "studio.example", "https://studio.example"
DEPLOY_GUIDE = (PROJECT / "docs/deploy.md").read_text()
NOT_COPIED = (".git", ".venv", "node_modules", "var", ".*_cache", "__pycache__")
"""Files in the folder of the project that are not of the program."""

SKIPPED_COMMANDS = ("apt-get ", "git clone ", "certbot ")
"""Commands that a test skips: it has the packages, the program and a certificate already."""

NGINX_CONFIGURATION = """
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
"""The directives of Debian's `nginx.conf` that change responses of sites."""


def read_section(heading: str, document: str = DEPLOY_GUIDE) -> str:
    """Return a section of a document with its subsections."""
    return re.split(r"^## ", document.partition(f"## {heading}\n")[2], flags=re.MULTILINE)[0]


def shell_commands(text: str) -> list[str]:
    """Return the commands of all shell blocks; a backslash joins a line with the next one."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines() if line]


@dataclass
class DebianHost:
    """A host that has only the program, its packages and a certificate.

    `changes` are variables of the installation script.
    """

    folder: Path
    changes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.https_port, self.http_port, self.origin_port = (free_port() for _ in range(3))
        self.program, self.data = self.folder / "app", self.folder / "data"
        self.settings = self.folder / "etc/environment"
        self.unit = self.folder / "units/studio.service"
        (self.folder / "sites-enabled").mkdir(parents=True)
        (self.folder / "webroot").mkdir()
        shutil.copytree(PROJECT, self.program, ignore=shutil.ignore_patterns(*NOT_COPIED))
        (self.program / ".venv").symlink_to(Path(sys.executable).parent.parent)
        modules = "\n".join(f"load_module {module};" for module in NGINX_MODULES)
        user = "user root;" if os.geteuid() == 0 else ""
        text = NGINX_CONFIGURATION.format(folder=self.folder, modules=modules, user=user)
        (self.folder / "nginx.conf").write_text(text)

    @cached_property
    def certificate(self) -> Certificate:
        return make_certificate(self.folder, HOST)

    @property
    def environment(self) -> dict[str, str]:
        """The variables that differ from the script's defaults: ports, paths, service commands."""
        nginx = find_nginx()
        requirements.needs_program("curl", "curl")
        at = f"-p {self.folder} -c nginx.conf"
        authority = f"--ca-file {self.certificate.chain}"
        clients = [f"--client {client}" for client in CLIENTS[-40:]]
        pid, log = self.folder / "service.pid", self.folder / "origin.log"
        service = f"{unit_supervisor.__file__} {self.unit}"
        return {
            "PATH": os.environ["PATH"],
            "CERTIFICATE": str(self.certificate.chain),
            "CERTIFICATE_KEY": str(self.certificate.key),
            "DATA": str(self.data),
            "ENVIRONMENT_FILE": str(self.settings),
            "ACCOUNT": getpass.getuser(),
            "PORT": str(self.origin_port),
            "LISTEN_HTTP": f"127.0.0.1:{self.http_port}",
            "LISTEN_HTTPS": f"127.0.0.1:{self.https_port}",
            "WEBROOT": str(self.folder / "webroot"),
            "UNITS": str(self.folder / "units"),
            "NGINX_SITE": str(self.folder / "sites-enabled/studio.conf"),
            "INSTALL": "true",
            "STOP": f"[ ! -e {pid} ] || {{ kill $(cat {pid}); rm {pid}; sleep 1; }}",
            "START": f"{sys.executable} {service} >>{log} 2>&1 & echo $! >{pid}",
            "RELOAD": f"{nginx} -t -q {at} && "
            f"if [ -s {self.folder}/nginx.pid ]; then {nginx} -s reload {at}; "
            f"else {nginx} {at}; fi",
            "PARITY": " ".join([f"--connect 127.0.0.1:{self.https_port}", authority, *clients]),
            **self.changes,
        }

    def run_documented(self, text: str) -> subprocess.CompletedProcess[str]:
        """Run the documented commands as one script, except `SKIPPED_COMMANDS`."""
        lines = [line for line in shell_commands(text) if not line.startswith(SKIPPED_COMMANDS)]
        script = "\n".join(["set -e", *lines]).replace("/srv/studio/app", str(self.program))
        return self.run("sh", "-c", script)

    def run_documented_command(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a documented command with the paths of this host."""
        return self.run("sh", "-c", line.replace("/srv/studio", str(self.data)))

    def install(self) -> subprocess.CompletedProcess[str]:
        return self.run("sh", "-c", f"SITE_ROOT={ROOT} docs/deploy/install.sh")

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run("bin/manage", *words)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the program's folder.

        Its output goes to files, because services that it starts would keep a pipe open.
        """
        out, error = self.folder / "out", self.folder / "error"
        with out.open("w") as out_file, error.open("w") as error_file:
            process = subprocess.run(
                words,
                cwd=self.program,
                env=self.environment,
                stdout=out_file,
                stderr=error_file,
                check=False,
                timeout=TIMEOUT_SECONDS,
            )
        return subprocess.CompletedProcess(
            words, process.returncode, out.read_text(), error.read_text()
        )

    def ask(self, address: str, **headers: str) -> HostResponse:
        endpoint, authorities = ("127.0.0.1", self.https_port), self.certificate.chain
        with closing(HttpClient(ROOT, endpoint, authorities=authorities)) as http:
            return http.ask_once(HostRequest(address, headers=headers))

    def ask_over_http(self, address: str, port: int = 0, **headers: str) -> HostResponse:
        """Ask without TLS, by default at the port that redirects to HTTPS."""
        with closing(HttpClient(f"http://{HOST}", ("127.0.0.1", port or self.http_port))) as http:
            return http.ask_once(HostRequest(address, headers=headers))

    def ask_without_origin(self, address: str) -> HostResponse:
        """Ask after the origin was stopped and its port is closed."""
        self.run("sh", "-c", self.environment["STOP"])
        self.wait_for_origin(is_open=False)
        return self.ask(address)

    def origin_answers(self) -> bool:
        """Whether the live origin answers at its own port."""
        self.wait_for_origin(is_open=True)
        health = self.ask_over_http("/api/v1/health", self.origin_port)
        return health.status == HTTPStatus.OK

    def wait_for_origin(self, *, is_open: bool) -> None:
        for _ in range(100):
            with socket.socket() as probe:
                if (probe.connect_ex(("127.0.0.1", self.origin_port)) == 0) == is_open:
                    return
            time.sleep(0.2)

    def run_publishing_unit(self) -> subprocess.CompletedProcess[str]:
        """Run the unit that the request file starts."""
        return self.run_unit("studio-publish.service")

    def run_unit(self, name: str) -> subprocess.CompletedProcess[str]:
        unit = self.folder / "units" / name
        return subprocess.run(
            unit_supervisor.read_command(unit),
            cwd="/",
            env=unit_supervisor.read_environment(unit),
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )

    def stop(self) -> None:
        """Stop nginx and the origin."""
        for name in ("nginx.pid", "service.pid"):
            pid = self.folder / name
            number = pid.read_text().strip() if pid.exists() else ""
            if number:
                os.kill(int(number), signal.SIGTERM)
        time.sleep(1)
