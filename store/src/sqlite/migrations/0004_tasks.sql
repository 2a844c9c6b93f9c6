-- Tasks that people give to agents. Each has a session of its own; what is said in it are facts.

CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
) STRICT;
CREATE INDEX task_owner ON task (owner);
-- Waiting for their turn or at work: few, and looked for when a daemon starts.
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
