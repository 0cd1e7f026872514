/**
 * Each index costs every commit that adds to its table a page of 4 KiB. The age of a session stands in its first event, and in the one that
 * came with its state; the age of an attempt is in the id of its record, which has an index of its own.
 */
export const fewerPages = `
DROP INDEX session_events_age;
CREATE INDEX session_events_marked ON session_events (at) WHERE seq = 1 OR seq % 32 = 0;
DROP INDEX outcomes_at;
`
