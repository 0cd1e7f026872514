import type { Effect, Span } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import { secretName } from '../../resources/secret/names.ts'
import type { Stage, Statement } from './tree.ts'
import { scalars, type Value } from './value.ts'

/** Secrets of the environment that a script of PowerShell prints: what a statement gives, and nothing takes, is its output. */

/** Cmdlets that print what they are given. */
const PRINTS = /^(?:write-(?:output|host|information|warning|verbose|error)|echo|write|out-(?:host|default|string))$/i

const isSecret = ({ verb, target }: Effect) => verb === 'read' && target.kind === 'variable' && secretName(target.value) !== null

/** Says which secrets a statement prints, where its value is what it prints. */
export function reportShownValue(statement: Statement, value: Value, at: { readonly context: CommandContext; readonly span: Span }): void {
  const last = statement.kind === 'pipeline' ? statement.stages.at(-1) : undefined
  if (last === undefined || last.redirects.length > 0 || !prints(last)) return
  const secret = scalars(value)
    .flatMap(({ from }) => from)
    .find(isSecret)
  if (secret !== undefined) at.context.emit('read', secret.target, { action: 'env:get', span: at.span })
}

/** Comparisons, lengths and tests give no value away. */
function prints({ expression, nodes: [first, ...rest] }: Stage): boolean {
  if (first === undefined) return false
  if (!expression)
    return first.kind === 'string' && PRINTS.test(first.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''))
  if (first.kind === 'member' && !/^get(?:environmentvariable)?$/i.test(first.name)) return false
  return !rest.some((node) => node.kind === 'operator' && /^-(?!join$|f$)/i.test(node.text))
}
