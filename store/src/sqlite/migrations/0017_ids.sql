-- Sessions, asks, facts and tasks: the same tables, columns and names as in PostgreSQL. A row names another
-- by its id. `superseded` and `closed` have one meaning in both.
--
-- What only SQLite has is the thread of facts (`fact.before`, `session.last_fact`): see 0003.

-- Whether another session holds the name now.
DROP INDEX session_name;
UPDATE session SET superseded = superseded <> 0;
CREATE UNIQUE INDEX session_name ON session (owner, external_id) WHERE external_id IS NOT NULL AND NOT superseded;
-- How many of its asks have ended, or more: gives `ask.closed` its order.
ALTER TABLE session ADD COLUMN n_closed INTEGER NOT NULL DEFAULT 0;
UPDATE session SET n_closed = coalesce(last_fact, 0);

CREATE TABLE fact_by_id (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session BLOB NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask BLOB,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
-- A fact whose session somebody took away stays: the chain says what is wrong with it.
INSERT INTO fact_by_id (number, at, kind, session, before, ask, salt, digest, hash, payload)
    SELECT f.number, f.at, f.kind, coalesce(s.id, zeroblob(16)), f.before, a.id, f.salt, f.digest, f.hash, f.payload
    FROM fact f LEFT JOIN session s ON s.n = f.session LEFT JOIN ask a ON a.n = f.ask ORDER BY f.number;

CREATE TABLE ask_body_by_id (
    ask BLOB NOT NULL PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO ask_body_by_id (ask, body) SELECT a.id, b.body FROM ask_body b JOIN ask a ON a.n = b.n ORDER BY b.n;

CREATE TABLE ask_question_by_id (
    session BLOB NOT NULL,
    question TEXT NOT NULL,
    ask BLOB NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT;
INSERT INTO ask_question_by_id (session, question, ask)
    SELECT s.id, q.question, a.id
    FROM ask_question q JOIN session s ON s.n = q.session JOIN ask a ON a.n = q.ask ORDER BY a.n;

CREATE TABLE task_by_id (
    n INTEGER PRIMARY KEY,
    session BLOB NOT NULL UNIQUE,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB,
    -- The server that it was given to.
    server BLOB
) STRICT;
INSERT INTO task_by_id (n, session, id, owner, state, body, last_message, server)
    SELECT t.session, s.id, t.id, t.owner, t.state, t.body, t.last_message, t.server
    FROM task t JOIN session s ON s.n = t.session ORDER BY t.session;

CREATE TABLE ask_by_id (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session BLOB NOT NULL,
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing BETWEEN 0 AND 2),
    state TEXT NOT NULL,
    -- When something is next to happen to it by itself.
    deadline INTEGER,
    idempotency_key TEXT,
    -- Which of the session's asks it was to end: the later, the larger.
    closed INTEGER,
    -- When it ended.
    ended_at INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT,
    -- What it tells was erased with whatever had ended before this; none while it is there.
    erased_at INTEGER,
    -- Whom it is for now: names between line ends, `*` for anyone. None where it is its owner's.
    people TEXT
) STRICT;
INSERT INTO ask_by_id (n, id, session, owner, round, depth, standing, state, deadline, idempotency_key, closed,
                       ended_at, outcome, sheet, late, dropped, erased_at, people)
    SELECT a.n, a.id, s.id, a.owner, a.round, a.depth, a.standing, a.state, a.deadline, a.idempotency_key, a.closed,
           (SELECT f.at FROM fact f WHERE f.number = a.closed), a.outcome, a.sheet, a.late, a.dropped, a.erased_at,
           a.people
    FROM ask a JOIN session s ON s.n = a.session ORDER BY a.n;

DROP TABLE fact;
DROP TABLE ask_body;
DROP TABLE ask_question;
DROP TABLE task;
DROP TABLE ask;
ALTER TABLE fact_by_id RENAME TO fact;
ALTER TABLE ask_body_by_id RENAME TO ask_body;
ALTER TABLE ask_question_by_id RENAME TO ask_question;
ALTER TABLE task_by_id RENAME TO task;
ALTER TABLE ask_by_id RENAME TO ask;

CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
-- Asks that may be erased, in the order in which they ended.
CREATE INDEX ask_ended ON ask (ended_at) WHERE standing = 2 AND erased_at IS NULL;
-- Few at a time, so that an inbox looks through them.
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
CREATE INDEX task_owner ON task (owner);
-- Waiting for their turn or at work: few, and looked for when a daemon starts.
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
