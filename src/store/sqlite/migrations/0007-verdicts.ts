/** What judges answered, for a time, so that the same question is not paid for twice. `key` is a digest over tenant and question. */
export const verdicts = `
CREATE TABLE verdicts (
  key TEXT PRIMARY KEY,
  answer TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX verdicts_expiry ON verdicts (expires_at);
`
