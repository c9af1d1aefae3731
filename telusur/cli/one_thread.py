"""Import this before numpy: matrices as small as those of our networks are for one thread.

Two threads that wait for each other made the networks of `telusur evaluate` cost 52 seconds of CPU
instead of 4. Who knows better sets the variable.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
