-- Security events, in a chain of their own: whoever knocks has no session.

CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;

-- The latest of them, so that one that was cut off at the end is missed.
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO security_head (id, number, hash) VALUES (1, 0, zeroblob(32));

-- What it tells was erased with whatever had ended before this; none while it is there.
ALTER TABLE ask ADD COLUMN erased_at INTEGER;
-- Asks that may be erased, in the order in which they ended.
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
