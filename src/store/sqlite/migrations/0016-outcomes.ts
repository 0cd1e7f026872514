/**
 * Calls that were let through and do more when they are repeated, and what is known of their results. An index over the log, which it
 * is made from again where `outcome_index` has no row; no record of before has any. All names are keyed digests.
 */
export const outcomes = `
CREATE TABLE outcomes (
  tenant TEXT NOT NULL,
  effect TEXT NOT NULL,
  record TEXT NOT NULL,
  verb TEXT NOT NULL,
  call TEXT NOT NULL,
  session TEXT,
  call_id TEXT,
  idempotency TEXT,
  attended INTEGER NOT NULL,
  several INTEGER NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  why TEXT,
  PRIMARY KEY (tenant, effect, record)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcomes_call ON outcomes (tenant, call) WHERE state IN ('open', 'unknown');
CREATE INDEX outcomes_record ON outcomes (record);
CREATE INDEX outcomes_at ON outcomes (at);
CREATE TABLE outcome_index (built INTEGER NOT NULL) STRICT;
INSERT INTO outcome_index (built) VALUES (0);
`
