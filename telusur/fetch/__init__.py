"""The one gate to the network: libcurl, Chromium, and the replay of an archive."""
