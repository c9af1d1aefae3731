"""`telusur completion`: the completion script for a shell."""

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the completion script for your shell.

    \b
    For example:
    telusur completion bash > ~/.local/share/bash-completion/completions/telusur
    """
    from telusur.cli import telusur

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(telusur, {}, "telusur", "_TELUSUR_COMPLETE").source())
    return 0
