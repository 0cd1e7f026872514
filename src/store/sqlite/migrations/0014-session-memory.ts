/**
 * What the sessions remember: the state of a session as of an event, and the events since. The event that the state is of stays, so that
 * whoever knows it sees that nothing came after it.
 */
export const sessionMemory = `
CREATE TABLE session_states (
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  key TEXT NOT NULL,
  mac TEXT NOT NULL,
  PRIMARY KEY (tenant, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_states_age ON session_states (at);
CREATE TABLE session_events (
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  key TEXT NOT NULL,
  mac TEXT NOT NULL,
  PRIMARY KEY (tenant, session, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_events_age ON session_events (at);
`
