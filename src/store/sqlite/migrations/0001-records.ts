/** The log. `STRICT` keeps types honest; the triggers keep honest code from rewriting history (tampering shows in the hashes). */
export const records = `
CREATE TABLE records (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  session TEXT,
  tenant TEXT,
  tool TEXT,
  decision TEXT,
  code TEXT,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX records_session ON records (session, sequence) WHERE session IS NOT NULL;
CREATE TRIGGER records_are_final BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'records are append-only'); END;
CREATE TRIGGER records_stay BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'records are append-only'); END;
`
