-- What people were told of open asks. A row is there before the nudge is sent, so that it is sent
-- once, and goes with the end of its ask.

CREATE TABLE nudge (
    n INTEGER PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    UNIQUE (ask, person, step, channel)
) STRICT;
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;

-- Links and buttons that answer one ask, for one person: only the SHA-256 of each.
CREATE TABLE answer_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    ask BLOB NOT NULL,
    user INTEGER NOT NULL REFERENCES user (n),
    channel TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
