/**
 * Files that calls wrote in sessions which had taken in what somebody else may have written, for the calls of other sessions that read them.
 * A name that ends with a slash stands for all that lies below it: there were more files than are told apart.
 */
export const fileLabels = `
CREATE TABLE file_labels (
  tenant TEXT NOT NULL,
  file TEXT NOT NULL,
  digest TEXT,
  session TEXT NOT NULL,
  source TEXT NOT NULL,
  tool TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant, file)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_labels_digest ON file_labels (tenant, digest) WHERE digest IS NOT NULL;
CREATE INDEX file_labels_age ON file_labels (at);
`
