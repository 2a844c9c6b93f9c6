-- The rules for permissions that people confirmed: by the SHA-256 of their text, which stands beside it.
CREATE TABLE confirmed_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, digest)
) STRICT;

-- The files that say what a server does, as they were seen last: without a digest where one is not there.
CREATE TABLE watched_file (
    n INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BLOB,
    at INTEGER NOT NULL,
    UNIQUE (server, name)
) STRICT;
