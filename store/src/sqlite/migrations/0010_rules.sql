-- The rules that people made from answers: a row for each question that one answers, found by the
-- SHA-256 of what it matches.
CREATE TABLE made_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    ask BLOB NOT NULL,
    place INTEGER NOT NULL,
    mark BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, ask, place)
) STRICT;
CREATE INDEX made_rule_mark ON made_rule (person, mark);
