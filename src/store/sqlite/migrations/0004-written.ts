/** Files that the calls of a session would write, for the call that runs one. The newest write of a path counts. */
export const written = `
CREATE TABLE written (
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  path TEXT NOT NULL,
  digest TEXT,
  origin TEXT,
  tool TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant, session, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX written_age ON written (at);
`
