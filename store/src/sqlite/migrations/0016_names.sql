-- Who may come in, what they were told, and the rules they made: the same tables, columns and names as in
-- PostgreSQL. A person is known by name everywhere, and what has a key of its own needs no number beside it.

CREATE TABLE person (
    name TEXT NOT NULL PRIMARY KEY,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO person SELECT name, created_at, disabled_at FROM user ORDER BY n;

CREATE TABLE access_key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    person TEXT NOT NULL REFERENCES person (name),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO access_key
    SELECT k.n, k.id, k.hash, k.role, u.name, k.name, k.created_at, k.revoked_at
    FROM key k JOIN user u ON u.n = k.user ORDER BY k.n;
DROP TABLE key;

CREATE TABLE cookie_by_name (
    hash BLOB NOT NULL PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES person (name),
    -- The proof of whoever made its link: `terminal`, `cookie`, `key_file`, `as_person`.
    made_with TEXT NOT NULL,
    name TEXT NOT NULL,
    -- What the browser says of itself.
    user_agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    -- Up to when its person was told, in this browser, of others that signed in.
    told_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO cookie_by_name
    SELECT c.hash, c.id, u.name, c.made_with, c.name, c.user_agent, c.created_at, c.last_seen_at, c.told_at,
           c.expires_at
    FROM cookie c JOIN user u ON u.n = c.user ORDER BY c.n;
DROP TABLE cookie;
ALTER TABLE cookie_by_name RENAME TO cookie;
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX cookie_person ON cookie (person);

CREATE TABLE login_link_by_name (
    hash BLOB NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (name),
    expires_at INTEGER NOT NULL,
    made_with TEXT NOT NULL
) STRICT;
INSERT INTO login_link_by_name
    SELECT l.hash, u.name, l.expires_at, l.made_with FROM login_link l JOIN user u ON u.n = l.user ORDER BY l.n;
DROP TABLE login_link;
ALTER TABLE login_link_by_name RENAME TO login_link;
CREATE INDEX login_link_expiry ON login_link (expires_at);

CREATE TABLE answer_link_by_name (
    hash BLOB NOT NULL PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL REFERENCES person (name),
    channel TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
INSERT INTO answer_link_by_name
    SELECT l.hash, l.ask, u.name, l.channel, l.expires_at, l.used_at
    FROM answer_link l JOIN user u ON u.n = l.user ORDER BY l.n;
DROP TABLE answer_link;
ALTER TABLE answer_link_by_name RENAME TO answer_link;
CREATE INDEX answer_link_expiry ON answer_link (expires_at);

CREATE TABLE browser_by_name (
    hash BLOB NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (name),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
INSERT INTO browser_by_name
    SELECT b.hash, u.name, b.endpoint, b.key, b.auth, b.language, b.at
    FROM browser b JOIN user u ON u.n = b.user ORDER BY b.n;
DROP TABLE browser;
ALTER TABLE browser_by_name RENAME TO browser;
CREATE INDEX browser_person ON browser (person);

DROP TABLE user;

CREATE TABLE nudge_by_key (
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    PRIMARY KEY (ask, person, step, channel)
) STRICT;
INSERT INTO nudge_by_key SELECT ask, person, step, channel, at, state, receipt FROM nudge ORDER BY n;
DROP TABLE nudge;
ALTER TABLE nudge_by_key RENAME TO nudge;
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;

CREATE TABLE made_rule_by_key (
    person TEXT NOT NULL,
    ask BLOB NOT NULL,
    place INTEGER NOT NULL,
    mark BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (person, ask, place)
) STRICT;
INSERT INTO made_rule_by_key SELECT person, ask, place, mark, made_at, until, entry FROM made_rule ORDER BY n;
DROP TABLE made_rule;
ALTER TABLE made_rule_by_key RENAME TO made_rule;
CREATE INDEX made_rule_mark ON made_rule (person, mark);

CREATE TABLE confirmed_rule_by_key (
    person TEXT NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (person, digest)
) STRICT;
INSERT INTO confirmed_rule_by_key SELECT person, digest, at, entry FROM confirmed_rule ORDER BY n;
DROP TABLE confirmed_rule;
ALTER TABLE confirmed_rule_by_key RENAME TO confirmed_rule;

CREATE TABLE watched_file_by_key (
    server TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BLOB,
    at INTEGER NOT NULL,
    PRIMARY KEY (server, name)
) STRICT;
INSERT INTO watched_file_by_key SELECT server, name, digest, at FROM watched_file ORDER BY n;
DROP TABLE watched_file;
ALTER TABLE watched_file_by_key RENAME TO watched_file;
