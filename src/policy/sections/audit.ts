/** The log: redaction, checkpoints, and copies of its head. */
import { isMap } from 'yaml'
import type { AuditSection, HeadCopy } from '../policy.ts'
import { described, either, flag, listOf, located, oneOf, text, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'
import { copyFault } from './head-copies.ts'

const fullCopy = record(
  {
    to: described(located(text), 'An absolute path of a file, or an address that answers GET and takes PUT.'),
    required: described(flag, 'Nothing is decided while it cannot be read; default false: then it is said, and the gate goes on.'),
    token_env: described(text, 'Environment variable with a bearer token for the address.'),
  },
  { required: ['to'] },
)

const copyField = either({ when: (node) => !isMap(node), first: located(text), second: fullCopy })

type RawCopy = NonNullable<ReturnType<(typeof copyField)['read']>>

export const audit = section({
  fields: () => ({
    audit: described(
      record({
        redact: described(oneOf(['default']), 'Secrets are always redacted before a record is written.'),
        checkpoint_every: described(whole(1, 1_000_000), 'Records between two checkpoints; default 1000.'),
        head_copies: described(
          listOf(copyField),
          'Where signed heads of the log are kept, outside of what is put back with it; a log older than one of them is refused. ' +
            "Only in the machine's policy and the user's: in a project's it has no effect.",
        ),
      }),
      'The log of decisions.',
    ),
  }),
  compile: ({ audit: values }, context): { audit: AuditSection } => ({
    audit: {
      checkpointEvery: values?.checkpoint_every ?? 1_000,
      headCopies: (values?.head_copies ?? []).flatMap((raw) => copyOf(raw, context)),
    },
  }),
})

function copyOf(raw: RawCopy, { reader }: CompileContext): readonly HeadCopy[] {
  const to = 'node' in raw ? raw : raw.to
  if (to === undefined) return []
  const { required = false, token_env: tokenEnv = null } = 'node' in raw ? {} : raw
  const copy = { to: to.value, required, tokenEnv }
  const fault = copyFault(copy)
  if (fault !== null) reader.fail({ code: 'policy.wrong_value', ...fault, at: to.at })
  return [copy]
}
