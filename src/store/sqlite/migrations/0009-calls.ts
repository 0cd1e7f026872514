/**
 * Approvals are found by what a yes for a session covers and by the call that people made of one, too. `calls` keeps for a day
 * which call came under which id of its host, and what it rested on: the same id is the same call (T20). Its rows are signed.
 */
export const calls = `
ALTER TABLE approvals ADD COLUMN standing TEXT;
ALTER TABLE approvals ADD COLUMN edited TEXT;
CREATE INDEX approvals_standing ON approvals (standing) WHERE standing IS NOT NULL;
CREATE INDEX approvals_edited ON approvals (edited) WHERE edited IS NOT NULL;
CREATE TABLE calls (
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  call_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  body TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  key TEXT NOT NULL,
  mac TEXT NOT NULL,
  PRIMARY KEY (tenant, session, call_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_expiry ON calls (expires_at);
`
