-- The browsers that asked to be told, each for one person, by the SHA-256 of their address.
CREATE TABLE browser (
    hash BYTEA PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL REFERENCES person (name),
    endpoint TEXT NOT NULL,
    key BYTEA NOT NULL,
    auth BYTEA NOT NULL,
    language TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX browser_person ON browser (person);

-- The key that their messages are signed with: one, made when it is first needed.
CREATE TABLE push_key (
    n BIGINT PRIMARY KEY CHECK (n = 1),
    pkcs8 BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);
