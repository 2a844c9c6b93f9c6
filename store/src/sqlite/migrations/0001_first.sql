-- The first schema. Never changed: what comes later is a file of its own.
--
-- Ordinary rowid tables with a 16-byte time-ordered id beside the rowid `n`: measured fastest.
-- Times are milliseconds since 1970 UTC.

CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO head (id, number, hash) VALUES (1, 0, zeroblob(32));

CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    external_id TEXT,
    -- 0 for the session that holds the name now, its own `n` for one whose name was taken over.
    superseded INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('named', 'derived', 'restored')),
    restored_from BLOB,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'timeout')),
    round INTEGER NOT NULL,
    total_rounds INTEGER,
    created_at INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    last_fingerprint BLOB,
    last_depth INTEGER,
    last_at INTEGER,
    n_open INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
-- Sessions that count towards the limit of active ones.
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
-- Sessions that may expire. By the time of beginning, which never changes, so that no activity
-- moves an entry; nothing idle since T began after T.
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';

CREATE TABLE ask (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing IN (0, 1, 2)),
    state TEXT NOT NULL,
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT
) STRICT;
CREATE INDEX ask_in_session ON ask (session, standing, round);
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- What was asked. Never changes, so it stands apart from what does; it is also the payload of the
-- fact `asked`.
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;

-- Which asks of a session have a question.
CREATE TABLE ask_question (
    session INTEGER NOT NULL,
    question TEXT NOT NULL,
    ask INTEGER NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT, WITHOUT ROWID;

-- What happened. Only ever added to; `salt` and `payload` may be erased together.
CREATE TABLE fact (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
CREATE INDEX fact_in_session ON fact (session);

CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;

CREATE TABLE key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    user INTEGER NOT NULL REFERENCES user (n),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE cookie (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX cookie_expiry ON cookie (expires_at);

CREATE TABLE login_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX login_link_expiry ON login_link (expires_at);
