/**
 * What a host said of a session, such as what its user asked for, is few records among all of its decisions and results: with this
 * index they are found at once, however long the session is.
 */
export const sessionRecords = `
CREATE INDEX records_of_session ON records (session, sequence) WHERE kind = 'session' AND session IS NOT NULL;
`
