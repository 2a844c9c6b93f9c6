-- Security events, in a chain of their own: whoever knocks has no session.

CREATE TABLE security_event (
    number BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BYTEA NOT NULL
);

-- The latest of them, so that one that was cut off at the end is missed.
CREATE TABLE security_head (
    id SMALLINT PRIMARY KEY CHECK (id = 1),
    number BIGINT NOT NULL,
    hash BYTEA NOT NULL
) WITH (fillfactor = 10);
INSERT INTO security_head (id, number, hash) VALUES (1, 0, decode(repeat('00', 32), 'hex'));

-- When it ended.
ALTER TABLE ask ADD COLUMN ended_at BIGINT;
UPDATE ask SET ended_at = fact.at FROM fact
    WHERE ask.standing > 0 AND fact.session = ask.session AND fact.ask = ask.id AND fact.kind = 'closed';
-- What it tells was erased with whatever had ended before this; none while it is there.
ALTER TABLE ask ADD COLUMN erased_at BIGINT;
-- Asks that may be erased, in the order in which they ended.
CREATE INDEX ask_ended ON ask (ended_at) WHERE standing = 2 AND erased_at IS NULL;
