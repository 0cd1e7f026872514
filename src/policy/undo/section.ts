/** What is captured before a call runs, so that it can be undone. */
import { described, flag, located, oneOf, text, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'
import { durationOf } from '../sections/written.ts'
import type { UndoSection } from './model.ts'

const MEBIBYTE = 1024 * 1024
const DAY = 86_400_000

const fields = record({
  keep: described(located(text), 'How long a capture is kept, such as `7d`; default 7d, at most 365d.'),
  max_files: described(
    whole(1, 1_000_000),
    'Files of one call that are captured; default 10000. Beyond it the capture says that it is partial.',
  ),
  max_mb: described(whole(1, 1_048_576), 'Mebibytes of one call that are copied; default 256.'),
  total_mb: described(whole(1, 16_777_216), 'Mebibytes of all captures; default 2048. The oldest go first.'),
  on_failure: described(oneOf(['pass', 'deny']), 'What a call gets whose capture failed; default `deny`.'),
  require_way_back: described(flag, 'False: what cannot be undone and has no compensator is not asked about for that alone. Default true.'),
})

export const undo = section({
  fields: () => ({
    undo: described(fields, 'What a call would delete or overwrite is captured before it runs. Without this section nothing is captured.'),
  }),
  compile: ({ undo: raw }, context): { undo: UndoSection | null } => ({
    undo:
      raw === undefined
        ? null
        : {
            keepMs: durationOf(raw.keep, { otherwise: 7 * DAY, most: 365 * DAY, context }),
            maxFiles: raw.max_files ?? 10_000,
            maxBytes: (raw.max_mb ?? 256) * MEBIBYTE,
            totalBytes: (raw.total_mb ?? 2_048) * MEBIBYTE,
            onFailure: raw.on_failure ?? 'deny',
            requireWayBack: raw.require_way_back ?? true,
          },
  }),
})
