/** Numbers that change together with a record: rates, calls in flight, spent budgets. */
export const counters = `
CREATE TABLE counters (
  key TEXT PRIMARY KEY,
  value INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX counters_expiry ON counters (expires_at) WHERE expires_at IS NOT NULL;
`
