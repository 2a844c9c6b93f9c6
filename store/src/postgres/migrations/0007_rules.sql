-- The rules that people made from answers: a row for each question that one answers, found by the
-- SHA-256 of what it matches.
CREATE TABLE made_rule (
    person TEXT COLLATE "C" NOT NULL,
    ask BYTEA NOT NULL,
    place BIGINT NOT NULL,
    mark BYTEA NOT NULL,
    made_at BIGINT NOT NULL,
    until BIGINT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (person, ask, place)
);
CREATE INDEX made_rule_mark ON made_rule (person, mark);
