-- The point of an earlier session that one goes on from: what ended there later is no part of it.
-- Where nobody said so it is when the later one began.

ALTER TABLE session ADD COLUMN restored_to INTEGER;
