"""The commands of the README and of the documents work as they are typed."""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests import requirements
from tests.freeze import processes
from tests.live_origins import run_origin
from tests.ports import free_port

PROJECT = Path(__file__).resolve().parent.parent
DOCUMENTS = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted(PROJECT.glob("docs/*.md"))]
PROGRAM = ("api", "bin", "catalogue", "fixtures", "manage.py", "site_mirror")
SCRIPTS = [*sorted(PROJECT.glob("docs/deploy/*.sh")), PROJECT / "bin/manage"]
LOCAL = "127.0.0.1:8000"
"""The address at which `make run` serves the live origin; the tests use a free port."""

RUN_ELSEWHERE = (
    *("make run", "make own-studio", "make .venv/run", "git "),  # .ci/first-run
    *("docs/deploy/install.sh", "docs/deploy/deploy.sh ", "systemctl ", "certbot ", "nginx "),
    *("bin/manage parity ", 'bin/manage snapshot verify "$SITE_ROOT"', "npx wrangler@4 "),
    *("docs/deploy/bucket.sh ", "bin/manage publish ", "apt-get "),
)
"""The beginnings of commands that need more than Python and a shell, or change the machine; the
tests of hosts and of buckets run them or their like."""

EXIT_CODES = {"bin/manage freeze var/snapshot": 3}
"""Documented exit codes other than 0."""

CONTENT = """
from django.contrib.auth.models import User
from django.core.management import call_command
from catalogue.models import App
call_command("migrate", verbosity=0)
call_command("load_content")
call_command("collectstatic", interactive=False, verbosity=0)
User.objects.create_user("linh", email="linh@studio.example")
call_command("freeze", "../site")
App.objects.filter(slug="wheria").update(name="Edited")
call_command("freeze", "../site")
call_command("freeze", "var/snapshot")
call_command("backup", "../backups/today")
"""


@dataclass(frozen=True)
class Command:
    """A line of a shell block, joined with its continued lines, and the output shown for it."""

    typed: str
    shown: list[str] = field(default_factory=list)

    @property
    def parts(self) -> list[str]:
        """The commands between `&&` and `||`, without variables before them."""
        bare = re.sub(r'^(?:[A-Z_]+=(?:"[^"]*"|\S*)\s+)+', "", self.typed)
        return re.split(r"\s*(?:&&|\|\|)\s*", bare)

    @property
    def runs_here(self) -> bool:
        return not any(part.startswith(start) for part in self.parts for start in RUN_ELSEWHERE)


@dataclass(frozen=True)
class Block:
    """A shell block of a document."""

    place: str
    commands: list[Command]

    @property
    def run_here(self) -> list[Command]:
        return [command for command in self.commands if command.runs_here]

    @property
    def is_local(self) -> bool:
        return any(LOCAL in command.typed for command in self.run_here)


def find_blocks() -> Iterator[Block]:
    fence = re.compile(r"^( *)```(console|sh|bash)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
    for document in DOCUMENTS:
        text = document.read_text()
        for found in fence.finditer(text):
            indent, kind, body = found.groups()
            body = re.sub(rf"^{indent}", "", body, flags=re.MULTILINE)
            line = text.count("\n", 0, found.start()) + 1
            commands = read_commands(body, has_prompts=kind == "console")
            yield Block(f"{document.name}:{line}", commands)


def read_commands(text: str, *, has_prompts: bool) -> list[Command]:
    commands = list[Command]()
    for line in text.replace("\\\n", " ").splitlines():
        if has_prompts and not line.startswith("$ "):
            commands[-1].shown.append(line)
        elif line:
            commands.append(Command(re.sub(r"\s+# .*", "", line.removeprefix("$ "))))
    return commands


BLOCKS = list(find_blocks())
COMMANDS = [command for block in BLOCKS for command in block.commands]
CODE = sorted({code for path in DOCUMENTS for code in re.findall(r"`([^`\n]+)`", path.read_text())})
"""Code within sentences and tables."""


@dataclass(frozen=True)
class Installation:
    """The program in a folder, with the shipped content, two releases and a key."""

    folder: Path
    port: int

    @property
    def program(self) -> Path:
        return self.folder / "app"

    @property
    def environment(self) -> dict[str, str]:
        return processes.environment(
            self.folder / "catalogue.sqlite3",
            ENVIRONMENT_FILE=str(self.folder / "none"),
            ALLOWED_HOSTS="studio.example,127.0.0.1",
            RATE_LIMIT="0",
            TARGET=str(self.folder / "site"),
        )

    def prepare(self) -> None:
        for name in PROGRAM:
            copy = shutil.copytree if (PROJECT / name).is_dir() else shutil.copy2
            copy(PROJECT / name, self.program / name)
        (self.program / ".venv").symlink_to(Path(sys.executable).parent.parent)
        (self.folder / "backups").mkdir()
        filled = self.run(f"bin/manage shell --verbosity 0 --command {shlex.quote(CONTENT)}")
        if filled.returncode:
            raise RuntimeError(filled.stderr)

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=self.program,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def localize(self, text: str) -> str:
        """Fill in the placeholders of a document, and replace folders and ports of a host."""
        current = (self.folder / "site/current").readlink().name
        releases = sorted(path.name for path in (self.folder / "site/releases").iterdir())
        substitutes = {
            r"/srv/studio\b": str(self.folder),
            r"(?<![\w$])TARGET\b": str(self.folder / "site"),
            r"\bID\b": next(name for name in releases if name != current),
            r"\bTIME\b": "today",
            r"(?<=password_link )NAME\b": "linh",
            r"\bNAME\b": "nginx",
            re.escape(LOCAL): f"127.0.0.1:{self.port}",
        }
        for pattern, value in substitutes.items():
            text = re.sub(pattern, value, text)
        return text

    def check(self, block: Block) -> None:
        """Run the commands of a block, in one shell if the block shows no output."""
        commands = block.run_here
        if not any(command.shown for command in block.commands):
            commands = [Command("\n".join(command.typed for command in commands))]
        for command in commands:
            for program in ("curl", "openssl"):
                if program in command.typed:
                    requirements.needs_program(program, program)
            ended = self.run(self.localize(command.typed))

            assert ended.returncode == EXIT_CODES.get(command.typed, 0), ended.stdout + ended.stderr
            shown = self.localize("\n".join(command.shown)).strip()
            pattern = ".*".join(map(re.escape, shown.split("…")))
            assert not shown or re.fullmatch(pattern, ended.stdout.strip(), re.DOTALL), ended.stdout


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    installed = Installation(tmp_path_factory.mktemp("host"), free_port())
    installed.prepare()
    return installed


@pytest.fixture(scope="module")
def served(host: Installation) -> Iterator[Installation]:
    """The installation while its live origin runs, as after `make run`."""
    command = [sys.executable, str(host.program / "manage.py"), "serve", "--port", str(host.port)]
    local = {"SITE_ROOT": f"http://127.0.0.1:{host.port}"}
    with run_origin(command, host.port, host.environment | local):
        yield host


@pytest.mark.exhaustive("installs the program and runs the commands in shells")
@pytest.mark.parametrize(
    "block",
    [block for block in BLOCKS if block.run_here and not block.is_local],
    ids=lambda block: block.place,
)
def test_documented_commands_end_and_print_as_documented(block: Block, host: Installation) -> None:
    host.check(block)


@pytest.mark.server
def test_documented_requests_to_the_live_origin_are_answered(served: Installation) -> None:
    for block in BLOCKS:
        if block.is_local:
            served.check(block)


def test_the_parser_of_a_documented_command_accepts_its_words(tmp_path: Path) -> None:
    for release in ("one", "two"):
        (tmp_path / "site/releases" / release).mkdir(parents=True)
    (tmp_path / "site/current").symlink_to("releases/two")
    localize = Installation(tmp_path, port=8001).localize
    parts = {part for command in COMMANDS for part in command.parts}
    documented = [part for part in parts if part.startswith("bin/manage ")]

    assert len(documented) > 10
    for beginning in RUN_ELSEWHERE:
        assert any(part.startswith(beginning) for part in parts), beginning
    for part in documented:
        _, name, *arguments = shlex.split(re.sub(r"[<>].*", "", localize(part)))
        parser_of(name).parse_args(arguments)


def parser_of(name: str) -> argparse.ArgumentParser:
    return load_command_class(get_commands()[name], name).create_parser("bin/manage", name)


def test_a_command_within_a_sentence_exists_and_has_its_options() -> None:
    sentences = [text for text in CODE if re.match(r"(bin/manage|manage\.py) [a-z]", text)]

    assert len(sentences) > 10
    for sentence in sentences:
        _, name, *words = sentence.split()
        options = {word for word in words if word.startswith("--")}
        assert options <= options_of(parser_of(name)), sentence


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """The options of a command and of its subcommands."""
    found = set[str]()
    for action in parser._actions:
        found.update(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):
            found.update(*map(options_of, action.choices.values()))
    return found


def test_every_documented_target_of_make_exists() -> None:
    targets = set(re.findall(r"^([\w./-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    typed = [*CODE, *(command.typed for command in COMMANDS)]
    named = {
        found for text in typed for found in re.findall(r"^(?:\w+=\w+ )?make ([\w./-]+)", text)
    }

    assert {"run", "test"} <= named <= targets


def test_make_run_prints_the_addresses_of_the_readme() -> None:
    recipe = (PROJECT / "Makefile").read_text().replace("$(SITE_ROOT)", f"http://{LOCAL}")
    recipe = recipe.replace("$(SNAPSHOT)", "var/snapshot")
    shown = next(command.shown for command in COMMANDS if command.typed == "make run")

    assert len(shown) > 1
    assert [line for line in shown[1:] if f'echo "{line}"' not in recipe] == []


def test_a_shell_can_read_every_script_and_block() -> None:
    texts = {str(script): script.read_text() for script in SCRIPTS}
    texts |= {
        block.place: "\n".join(command.typed for command in block.commands) for block in BLOCKS
    }
    for place, text in texts.items():
        read = subprocess.run(
            ["bash", "-n"], input=text, capture_output=True, text=True, check=False
        )

        assert (read.returncode, read.stderr) == (0, ""), place
