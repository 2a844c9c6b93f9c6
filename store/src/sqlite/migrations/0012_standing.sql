-- A list of three is a table to SQLite: it made one, filled it and dropped it whenever an ask was
-- written, three times in the life of each. A range is two comparisons. The rest is as it was.

CREATE TABLE ask_in_range (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing BETWEEN 0 AND 2),
    state TEXT NOT NULL,
    -- When something is next to happen to it by itself.
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT,
    erased_at INTEGER,
    people TEXT
) STRICT;
INSERT INTO ask_in_range (n, id, session, owner, round, depth, standing, state, deadline, idempotency_key,
                          closed, outcome, sheet, late, dropped, erased_at, people)
    SELECT n, id, session, owner, round, depth, standing, state, deadline, idempotency_key,
           closed, outcome, sheet, late, dropped, erased_at, people
    FROM ask ORDER BY n;
DROP TABLE ask;
ALTER TABLE ask_in_range RENAME TO ask;

CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
