/**
 * Definitions of tools. `body` is the one that was pinned, signed, or null where none is; `seen_body` is the last other one, for
 * whoever has to accept it. `skeleton` finds names that look the same.
 */
export const pins = `
CREATE TABLE pins (
  tenant TEXT NOT NULL,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  skeleton TEXT NOT NULL,
  body TEXT,
  key TEXT,
  mac TEXT,
  seen_body TEXT,
  PRIMARY KEY (tenant, server, tool)
) STRICT, WITHOUT ROWID;
CREATE INDEX pins_skeleton ON pins (tenant, skeleton) WHERE body IS NOT NULL;
`
