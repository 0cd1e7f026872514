/** How large a call may be and still be judged. */

import type { LimitsSection } from '../policy.ts'
import { described, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'

const MEBIBYTE = 1024 * 1024

export const limits = section({
  fields: () => ({
    limits: described(
      record({
        max_bytes: described(whole(1_024, 64 * MEBIBYTE), 'Bytes of a call; default 1048576. Over HTTP at most 10485760.'),
        max_depth: described(whole(4, 256), 'Nesting of its arguments; default 64.'),
        max_command_bytes: described(whole(256, 4 * MEBIBYTE), 'Bytes of a shell command that is analysed; default 262144.'),
      }),
      'Larger calls are refused.',
    ),
  }),
  compile: (values): { limits: LimitsSection } => ({
    limits: {
      maxBytes: values.limits?.max_bytes ?? MEBIBYTE,
      maxDepth: values.limits?.max_depth ?? 64,
      maxCommandBytes: values.limits?.max_command_bytes ?? MEBIBYTE / 4,
    },
  }),
})
