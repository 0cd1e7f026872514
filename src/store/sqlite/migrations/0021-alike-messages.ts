/** Messages of a channel about calls of one session that are alike share a `chain`: one of them is open at a time. Null: it stands alone. */
export const alikeMessages = `
ALTER TABLE outbox ADD COLUMN chain TEXT;
CREATE INDEX outbox_chain ON outbox (chain, created_at, id) WHERE chain IS NOT NULL;
`
