-- The server that a task was given to. None where an earlier version took it.
ALTER TABLE task ADD COLUMN server BYTEA;

-- The servers that share this database, and when each last said that it is there. By the clock of the
-- database alone: theirs may differ.
CREATE TABLE server (
    id BYTEA PRIMARY KEY,
    -- Which of its starts said so, so that two that go by one name are noticed.
    start BYTEA NOT NULL,
    -- Since when it has said so without a break.
    since TIMESTAMPTZ NOT NULL,
    seen TIMESTAMPTZ NOT NULL,
    -- For how long others wait for it.
    patience INTERVAL NOT NULL
) WITH (fillfactor = 50);
