"""What is closed at the end of a `with` block."""

from abc import ABC, abstractmethod
from typing import Self


class Closes(ABC):
    """Something that holds files or processes until it is closed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Let go of what it holds; a second time does nothing."""
