-- The browsers that asked to be told, each for one person, by the SHA-256 of their address.
CREATE TABLE browser (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX browser_user ON browser (user);

-- The key that their messages are signed with: one, made when it is first needed.
CREATE TABLE push_key (
    n INTEGER PRIMARY KEY CHECK (n = 1),
    pkcs8 BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
