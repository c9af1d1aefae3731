"""The edit distance of two words: insert, delete, change, or swap two neighbours."""


def edit_distance(word: str, other: str, most: int) -> int:
    """Return the number of edits between two words; `most` + 1 when there are more."""
    if abs(len(word) - len(other)) > most:
        return most + 1
    word, other = _without_shared_ends(word, other)
    if not word or not other:
        return len(word) + len(other)
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        before, last, row = row, before, [at]
        for place, sought in enumerate(other, 1):
            cost = min(row[-1] + 1, before[place] + 1, before[place - 1] + (letter != sought))
            is_swap = at > 1 and place > 1 and letter == other[place - 2] and word[at - 2] == sought
            row.append(min(cost, last[place - 2] + 1) if is_swap else cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _without_shared_ends(word: str, other: str) -> tuple[str, str]:
    """Return both words without their common beginning and end."""
    start, shortest = 0, min(len(word), len(other))
    while start < shortest and word[start] == other[start]:
        start += 1
    end = 0
    while end < shortest - start and word[-1 - end] == other[-1 - end]:
        end += 1
    return word[start : len(word) - end], other[start : len(other) - end]
