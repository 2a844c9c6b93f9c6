-- A signed-in browser is somebody's to see, to name and to send away, and keeps how its link was made.
-- The cookies of before were set on names that every program on the machine shares: they open nothing
-- any more, and each person signs in once more.
DELETE FROM cookie;
-- The defaults are for older servers that still run: what they sign in proves a key and no more.
ALTER TABLE cookie ADD COLUMN id BYTEA NOT NULL DEFAULT decode(md5(random()::text || clock_timestamp()::text), 'hex');
ALTER TABLE cookie ADD CONSTRAINT cookie_id UNIQUE (id);
-- The proof of whoever made its link: `terminal`, `cookie`, `key_file`, `as_person`.
ALTER TABLE cookie ADD COLUMN made_with TEXT NOT NULL DEFAULT 'key_file';
ALTER TABLE cookie ADD COLUMN name TEXT NOT NULL DEFAULT '';
-- What the browser says of itself.
ALTER TABLE cookie ADD COLUMN user_agent TEXT NOT NULL DEFAULT '';
ALTER TABLE cookie ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE cookie ADD COLUMN last_seen_at BIGINT NOT NULL DEFAULT 0;
-- Up to when its person was told, in this browser, of others that signed in.
ALTER TABLE cookie ADD COLUMN told_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX cookie_person ON cookie (person);

ALTER TABLE login_link ADD COLUMN made_with TEXT NOT NULL DEFAULT 'key_file';
