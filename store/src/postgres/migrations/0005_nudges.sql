-- What people were told of open asks. A row is there before the nudge is sent, so that it is sent
-- once, and goes with the end of its ask.

CREATE TABLE nudge (
    ask BYTEA NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    step BIGINT NOT NULL,
    channel TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    PRIMARY KEY (ask, person, step, channel)
);
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;

-- Links and buttons that answer one ask, for one person: only the SHA-256 of each.
CREATE TABLE answer_link (
    hash BYTEA PRIMARY KEY,
    ask BYTEA NOT NULL,
    person TEXT COLLATE "C" NOT NULL REFERENCES person (name),
    channel TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
