-- What holds for the asks of a session that say nothing of their deadline.
ALTER TABLE session ADD COLUMN timeout_ms INTEGER;
ALTER TABLE session ADD COLUMN timeout_policy TEXT;
