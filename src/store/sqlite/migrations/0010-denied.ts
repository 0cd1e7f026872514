/** What a session was denied, found without a walk over all that it was allowed. */
export const denied = `
CREATE INDEX records_denied ON records (session, sequence) WHERE decision IN ('deny', 'halt');
`
