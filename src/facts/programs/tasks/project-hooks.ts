import type { CommandContext, ParsedCommand } from '../../host.ts'
import { type Found, type Looking, nearest, ran } from './nearest.ts'
import { field, items, yamlOf } from './project-yaml.ts'

/** Hooks that a project keeps in `.pre-commit-config.yaml`. */

/** `pre-commit run`: hooks that the project keeps itself are commands; the others come from where the file says. */
export function runHooks(parsed: ParsedCommand, context: CommandContext): void {
  const { span } = parsed.invocation
  const found = nearest('.pre-commit-config.yaml', { context, span })
  if (found === null) return
  const wanted = parsed.operands[1]?.text ?? null
  ran(found, context, (inner) => runLocal(found, wanted, { context: inner, span }))
}

function runLocal(found: Found, wanted: string | null, { context, span }: Looking): void {
  const settings = yamlOf(found)
  if (settings === null) context.opaque(`\`${found.path}\`, which says what runs, cannot be read as YAML`, span)
  for (const source of items(field(settings, 'repos'))) {
    if (field(source, 'repo') !== 'local') continue
    for (const hook of items(field(source, 'hooks'))) {
      const entry = field(hook, 'entry')
      if (typeof entry !== 'string' || (wanted !== null && field(hook, 'id') !== wanted)) continue
      const words = items(field(hook, 'args')).flatMap((word) => (typeof word === 'string' ? [word] : []))
      if (field(hook, 'language') !== 'pygrep') context.shell([entry, ...words].join(' '), span, 'pre-commit')
    }
  }
}
