/** Capabilities that people handed out. The body is signed; a grant that is taken back is signed as such. */
export const grants = `
CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  key TEXT NOT NULL,
  mac TEXT NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
`
