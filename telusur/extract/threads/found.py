"""Posts that are looked for when somebody asks for them: most callers never do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import overload

from telusur.models import Post


@dataclass(slots=True, frozen=True)
class PageDiscussion:
    """What people wrote on a page: the posts of a thread, and the comments of readers."""

    page_type: str = ""
    posts: tuple[Post, ...] = ()
    comments: tuple[Post, ...] = ()


class LatePosts(Sequence[Post]):
    """The posts or comments of a page, found on first access."""

    def __init__(self, find: Callable[[], list[Post]]) -> None:
        self._find: Callable[[], list[Post]] | None = find
        self._posts: list[Post] = []

    def _all(self) -> list[Post]:
        if self._find is not None:
            find, self._find = self._find, None
            self._posts = find()
        return self._posts

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Post: ...
    @overload
    def __getitem__(self, index: slice) -> list[Post]: ...
    def __getitem__(self, index: int | slice) -> Post | list[Post]:
        return self._all()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == list(other)

    def __reduce__(self) -> tuple[type[list[Post]], tuple[list[Post]]]:
        return list, (self._all(),)

    def __repr__(self) -> str:
        return repr(self._all())

    __hash__ = None  # type: ignore[assignment]
