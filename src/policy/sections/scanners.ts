/** Scanners of others: programs that are shown a call and whose objection counts. */
import { SEVERITIES } from '../../core/severity.ts'
import type { ScannerPolicy } from '../policy.ts'
import { described, flag, listOf, located, oneOf, text } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import type { CompileContext } from '../section.ts'
import { durationOf, toolPatternOf } from './written.ts'

const MAX_MS = 60_000
const OTHERWISE_MS = 5_000

export const scannerField = listOf(
  record({
    name: described(located(text), 'Its name in findings and in the log.'),
    command: described(
      located(listOf(text)),
      'Absolute path of the program, then its arguments; run without a shell. `{command}` stands for the command line of the call. ' +
        'The call is on standard input as `{"tool_name": …, "tool_input": …}`.',
    ),
    tools: described(
      listOf(located(text)),
      'Patterns of tools. Default: every call, and with `{command}` every call that has a command line.',
    ),
    fail_on: described(oneOf(SEVERITIES), 'Least severity that denies the call; below it the call is flagged. Default `high`.'),
    required: described(flag, 'True: where it gives no answer the call is denied. Default false: people are asked.'),
    timeout: described(located(text), 'Time for an answer, such as `5s`; default 5s, at most 60s.'),
    env: described(listOf(text), 'Names of variables that it is given besides `PATH` and `LANG`; default none.'),
  }),
)

type RawScanner = NonNullable<ReturnType<(typeof scannerField)['read']>>[number]

export function compileScanners(written: readonly RawScanner[], context: CompileContext): readonly ScannerPolicy[] {
  const names = new Set<string>()
  return written.flatMap((raw) => compileScanner(raw, names, context) ?? [])
}

function compileScanner(raw: RawScanner, names: Set<string>, context: CompileContext): ScannerPolicy | null {
  const { reader } = context
  const { name, command } = raw
  if (name === undefined || command === undefined) return null
  if (names.has(name.value))
    reader.fail({
      code: 'policy.duplicate_rule',
      message: `there are two scanners \`${name.value}\``,
      help: 'give each its own name',
      at: name.at,
    })
  names.add(name.value)
  const [program] = command.value
  if (program === undefined || !program.startsWith('/')) {
    const message = program === undefined ? 'a scanner needs a program' : `\`${program}\` is no absolute path`
    reader.fail({
      code: 'policy.wrong_value',
      message,
      help: 'write the path of the program in full, such as `/usr/bin/scan`',
      at: command.at,
    })
  }
  return {
    name: name.value,
    command: command.value,
    tools: raw.tools?.flatMap((tool) => toolPatternOf(tool, context, { strict: false }) ?? []) ?? null,
    failOn: raw.fail_on ?? 'high',
    onError: raw.required === true ? 'deny' : 'ask',
    timeoutMs: durationOf(raw.timeout, { otherwise: OTHERWISE_MS, most: MAX_MS, context }),
    env: raw.env ?? [],
  }
}
