"""Tables of results, for a terminal and for a Markdown page."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as RichTable


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a title and heads; the first column has words, the others have figures."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        rule = ["---", *["---:"] * (len(self.heads) - 1)]
        lines = ("| " + " | ".join(cells) + " |" for cells in (self.heads, rule, *self.rows))
        return f"**{self.title}**\n\n" + "\n".join(lines) + "\n"

    def show(self, console: Console) -> None:
        table = RichTable(title=self.title, title_justify="left")
        for number, head in enumerate(self.heads):
            table.add_column(head, justify="right" if number else "left")
        for row in self.rows:
            table.add_row(*row)
        console.print(table)


def format_seconds(value: float) -> str:
    return f"{value:.2f} s"


def format_quotient(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.2f}"


def format_megabytes(value: float) -> str:
    return f"{value / 1e6:,.0f} MB"
