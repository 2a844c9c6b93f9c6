-- Why a session goes on from an earlier one, where someone said so.

ALTER TABLE session ADD COLUMN restore_reason TEXT;
