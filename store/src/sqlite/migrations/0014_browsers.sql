-- A signed-in browser is somebody's to see, to name and to send away, and keeps how its link was made.
-- The cookies of before were set on names that every program on the machine shares: they open nothing
-- any more, and each person signs in once more.

DROP TABLE cookie;
CREATE TABLE cookie (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
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
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX cookie_user ON cookie (user);

ALTER TABLE login_link ADD COLUMN made_with TEXT NOT NULL DEFAULT 'key_file';
