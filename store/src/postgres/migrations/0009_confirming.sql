-- The rules for permissions that people confirmed: by the SHA-256 of their text, which stands beside it.
CREATE TABLE confirmed_rule (
    person TEXT COLLATE "C" NOT NULL,
    digest BYTEA NOT NULL,
    at BIGINT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (person, digest)
);

-- The files that say what a server does, as they were seen last: without a digest where one is not there.
CREATE TABLE watched_file (
    server TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    digest BYTEA,
    at BIGINT NOT NULL,
    PRIMARY KEY (server, name)
);
