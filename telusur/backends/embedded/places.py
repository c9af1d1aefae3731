"""Where the parts of a collection are in its directory."""

ARCHIVE = "archive"
INDEX = "index"
MEANING = "meaning"
# In the folder of the index: which link texts it has.
LINK_TEXTS = "anchored.npy"
