/**
 * What contracts know of a session, in pieces, each with what the results of a part of the log added: from the result after record `start`
 * to record `upto`, whose hash stands with it. Everything in it can be made again from the log.
 */
export const sessionTables = `
CREATE TABLE session_tables (
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  policy TEXT NOT NULL,
  number INTEGER NOT NULL,
  start INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  hash TEXT NOT NULL,
  entries INTEGER NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  key TEXT NOT NULL,
  mac TEXT NOT NULL,
  PRIMARY KEY (tenant, session, policy, number)
) STRICT;
CREATE INDEX session_tables_age ON session_tables (at);
`
