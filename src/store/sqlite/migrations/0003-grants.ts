/** Capabilities that people handed out. The body is signed; only `revoked_at` ever changes. */
export const grants = `
CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  key TEXT NOT NULL,
  mac TEXT NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
`
