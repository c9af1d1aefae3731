"""Adam: going down a slope with a speed of its own for each number."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class Adam:
    """Changes numbers a little against their slopes, step by step (Kingma and Ba, 2015)."""

    def __init__(self, numbers: list[Floats], rate: float) -> None:
        self._numbers = numbers
        self._rate = rate
        self._means = [np.zeros_like(each) for each in numbers]
        self._squares = [np.zeros_like(each) for each in numbers]
        self._steps = 0

    def step(self, slopes: list[Floats]) -> None:
        """Change the numbers in place."""
        self._steps += 1
        rate = self._rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for at, slope in enumerate(slopes):
            self._means[at] += np.float32(0.1) * (slope - self._means[at])
            self._squares[at] += np.float32(0.001) * (slope * slope - self._squares[at])
            spread = np.sqrt(self._squares[at]) + np.float32(1e-8)
            self._numbers[at] -= np.float32(rate) * self._means[at] / spread
