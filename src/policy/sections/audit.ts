/** The log: redaction and checkpoints. */
import { described, oneOf, whole } from '../fields.ts'
import type { AuditSection } from '../policy.ts'
import { record } from '../record.ts'
import { section } from '../section.ts'

export const audit = section({
  fields: () => ({
    audit: described(
      record({
        redact: described(oneOf(['default']), 'Secrets are always redacted before a record is written.'),
        checkpoint_every: described(whole(1, 1_000_000), 'Records between two checkpoints; default 1000.'),
      }),
      'The log of decisions.',
    ),
  }),
  compile: (values): { audit: AuditSection } => ({ audit: { checkpointEvery: values.audit?.checkpoint_every ?? 1_000 } }),
})
