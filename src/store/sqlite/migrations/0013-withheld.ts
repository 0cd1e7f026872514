/** Calls that a model API remembers and its client never saw, so that the next turn can answer them. Ids and texts of ours, no arguments. */
export const withheld = `
CREATE TABLE withheld (
  message TEXT PRIMARY KEY,
  response TEXT NOT NULL,
  conversation TEXT NOT NULL,
  body TEXT NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE INDEX withheld_response ON withheld (response);
CREATE INDEX withheld_conversation ON withheld (conversation) WHERE conversation <> '';
`
