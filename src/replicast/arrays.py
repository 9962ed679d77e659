"""Names for arrays, by what their elements are."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]
Codes = NDArray[np.int16]
Bools = NDArray[np.bool_]
