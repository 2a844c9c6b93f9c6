-- The server that a task was given to. None where an earlier version took it.

ALTER TABLE task ADD COLUMN server BLOB;
