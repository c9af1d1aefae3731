"""A console whose reader may close the pipe."""

from rich.console import Console


class PipedConsole(Console):
    """Raises BrokenPipeError when the reader is gone: for rich that is a failure."""

    def on_broken_pipe(self) -> None:
        """Let the command end without a complaint."""
        raise BrokenPipeError
