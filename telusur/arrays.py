"""Arrays of numpy by what is in them: the one place where their types have names."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Unsigned32 = NDArray[np.uint32]
Unsigned64 = NDArray[np.uint64]
#: Of any number type: what is stored small becomes float32 where it is used.
Rows = NDArray[Any]
