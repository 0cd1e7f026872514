/** Approvals of single calls. The body is signed; the columns beside it are only for finding rows. `call` is a keyed digest. */
export const approvals = `
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  call TEXT NOT NULL,
  session TEXT NOT NULL,
  tenant TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  key TEXT NOT NULL,
  mac TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX approvals_open ON approvals (call) WHERE status IN ('pending', 'approved');
CREATE INDEX approvals_status ON approvals (status, tenant, session);
`
