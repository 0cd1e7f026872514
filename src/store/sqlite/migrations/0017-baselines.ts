/**
 * What is known of roles, learned from the log: `closed` up to the last day that is over, with the number of its last record, and `head`
 * with the records since. Everything in it can be learned again. `revision` rises with each change, so that a reader sees that there is one.
 */
export const baselines = `
CREATE TABLE baselines (
  tenant TEXT NOT NULL,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  upto INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  key TEXT NOT NULL,
  mac TEXT NOT NULL,
  PRIMARY KEY (tenant, role, state)
) STRICT, WITHOUT ROWID;
CREATE INDEX baselines_changed ON baselines (state, revision);
`
