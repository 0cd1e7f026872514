/**
 * Grants are found by what they are for. Nobody signs these columns: what they find is judged by its signed body, so a forged one
 * can hide a grant and never make one. Empty text does not narrow the search, as for every grant from before. Approvals are found
 * by their end, and counted without reading their rows.
 */
export const foundGrants = `
ALTER TABLE grants ADD COLUMN action TEXT NOT NULL DEFAULT '';
ALTER TABLE grants ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE grants ADD COLUMN holder TEXT NOT NULL DEFAULT '';
ALTER TABLE grants ADD COLUMN ends_at INTEGER NOT NULL DEFAULT 9007199254740991;
ALTER TABLE grants ADD COLUMN spent INTEGER NOT NULL DEFAULT 0;
UPDATE grants SET
  action = CASE WHEN json_valid(body) THEN coalesce(CAST(json_extract(body, '$.action') AS TEXT), '') ELSE '' END,
  ends_at = CASE WHEN json_valid(body) THEN coalesce(CAST(json_extract(body, '$.expires') AS INTEGER), ends_at) ELSE ends_at END,
  spent = revoked_at IS NOT NULL;
CREATE INDEX grants_found ON grants (action, spent, subject, holder, ends_at);
DROP INDEX approvals_status;
CREATE INDEX approvals_status ON approvals (status, tenant, session, ends_at);
CREATE INDEX approvals_ends ON approvals (ends_at);
`
