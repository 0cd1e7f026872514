/** Warnings about names that nothing goes by: tools, and the actions and attributes that a condition asks for. */
import { ACTIONS, isKnownAction } from '../../facts/actions.ts'
import { ATTRIBUTES } from '../../facts/attributes.ts'
import { CAPABILITY_NAMES, overlap } from '../../grants/actions.ts'
import type { NamedText } from '../condition/check.ts'
import type { RegistrySection } from '../policy.ts'
import { nearest } from '../reading/nearest.ts'
import type { Range } from '../reading/source.ts'
import type { CompileContext } from '../section.ts'
import { lintToolName } from './tools.ts'

/** Actions that the policy gives to its own tools. */
export function declaredActions(registry: RegistrySection | null): readonly string[] {
  return [...(registry?.tools.values() ?? [])].flatMap(({ effects }) => effects.flatMap(({ action }) => action ?? []))
}

/** ``; did you mean `git:push`?``, or nothing. */
export function meantAction(name: string, registry: RegistrySection | null): string {
  return meant(name, [...CAPABILITY_NAMES, ...ACTIONS, ...declaredActions(registry)])
}

/** Warns of every name in a condition that no call, or no effect, can have. `place` finds it in the file. */
export function lintNamed(named: readonly NamedText[], place: (at: Range) => Range, context: CompileContext): void {
  for (const { kind, text, at } of named) {
    if (kind === 'tool') lintToolName({ value: text, at: place(at) }, context)
    else if (kind === 'attribute') lintAttribute(text, place(at), context)
    else if (kind === 'prefix' ? !isPrefix(text, context.registry) : !isAction(text, context.registry)) {
      const hint = meantAction(text, context.registry)
      const message = kind === 'prefix' ? `no effect has an action that begins with \`${text}\`` : `no effect has the action \`${text}\``
      context.warn('lint.action_unknown', `${message}, so nothing matches it${hint}`, place(at))
    }
  }
}

function lintAttribute(name: string, at: Range, { warn }: CompileContext): void {
  if (ATTRIBUTES.has(name)) return
  warn('lint.attribute_unknown', `no effect has the attribute \`${name}\`, so this is always null${meant(name, ATTRIBUTES)}`, at)
}

/** Unlike a gate, a condition compares whole actions: `git:*` is none, and neither is the name of a capability. */
function isAction(name: string, registry: RegistrySection | null): boolean {
  if (name.endsWith('*')) return false
  return isKnownAction(name) || declaredActions(registry).some((action) => overlap(name, action))
}

function isPrefix(text: string, registry: RegistrySection | null): boolean {
  const known = [...ACTIONS, ...declaredActions(registry)]
  return known.some((action) => action.startsWith(text)) || isAction(text, registry)
}

function meant(name: string, names: Iterable<string>): string {
  const found = name.length > 64 ? null : nearest(name, names)
  return found === null ? '' : `; did you mean \`${found}\`?`
}
