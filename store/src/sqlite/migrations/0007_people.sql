-- Asks that are for others than the user whose agent asks.
--
-- `deadline` is from here on when something is next to happen to an ask by itself: others are shown
-- it as well, or it ends. What the ask says of its end is in its body.

-- Whom it is for now: names between line ends, `*` for anyone. None where it is its owner's.
ALTER TABLE ask ADD COLUMN people TEXT;
-- Few at a time, so that an inbox looks through them.
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
