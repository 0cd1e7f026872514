/**
 * The text of a long record, in pieces: each is written and synced by itself, so that no other commit waits for megabytes. Where a body does
 * not begin with `{`, it is the name of its pieces. `record_drafts` names pieces whose record is not there yet, or never came.
 */
export const recordPieces = `
CREATE TABLE record_pieces (
  name TEXT NOT NULL,
  piece INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (name, piece)
) STRICT;
CREATE TABLE record_drafts (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;
CREATE TRIGGER pieces_are_final BEFORE UPDATE ON record_pieces BEGIN SELECT RAISE(ABORT, 'records are append-only'); END;
CREATE TRIGGER pieces_stay BEFORE DELETE ON record_pieces WHEN NOT EXISTS (SELECT 1 FROM record_drafts WHERE name = OLD.name)
  BEGIN SELECT RAISE(ABORT, 'records are append-only'); END;
`
