/**
 * What approval channels still have to be told: one row for each channel and approval. `id` names the message, over all
 * attempts. `state`: waiting, claimed, told, dead or over. `due_at`: the next attempt, or the end of a claim.
 */
export const outbox = `
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  approval TEXT NOT NULL,
  channel TEXT NOT NULL,
  phase TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  receipt TEXT,
  error TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (approval, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_due ON outbox (due_at) WHERE state IN ('waiting', 'claimed', 'told');
`
