/**
 * Lists, statistics and filtered searches read this index instead of the records, whose bodies are large. A file that has it has
 * a key with a counter, too.
 */
export const listed = `
CREATE INDEX records_listed ON records (sequence, kind, at, tenant, session, tool, decision, code);
`
