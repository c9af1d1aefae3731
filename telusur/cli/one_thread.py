"""Import this before numpy: it limits BLAS to one thread, the fastest for small matrices.

With two threads `telusur evaluate` took 52 seconds of CPU instead of 4, because they wait for each
other. Set the variable yourself to choose another number.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
