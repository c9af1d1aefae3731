"""URLs: the form that is fetched, the key, noise, file names, packed links."""
