-- A session's facts hang on a thread: each names the one before it, and the session the last. An
-- index by session would be touched in another place for every session that is busy, and each
-- place is a page to be written and flushed: about half of all pages were of such indexes.

CREATE TABLE fact_on_thread (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
INSERT INTO fact_on_thread (number, at, kind, session, before, ask, salt, digest, hash, payload)
    SELECT number, at, kind, session, lag(number) OVER (PARTITION BY session ORDER BY number), ask, salt,
           digest, hash, payload
    FROM fact ORDER BY number;
ALTER TABLE session ADD COLUMN last_fact INTEGER;
UPDATE session SET last_fact = (SELECT max(number) FROM fact WHERE fact.session = session.n);
DROP TABLE fact;
ALTER TABLE fact_on_thread RENAME TO fact;

-- Only asks that are open or whose outcome nobody fetched are looked for by their session; the rest
-- are found along the thread.
DROP INDEX ask_in_session;
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;

-- From here on `ask_question` has only questions whose id does not say the round of their ask, as
-- `r7q1` does in round 7.
