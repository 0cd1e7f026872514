import { type ArithmeticFor, type CompoundList, forEachChild, type SyntaxNode, type While } from 'unbash'
import { type Effect, type Span, target } from '../../effect.ts'
import { type ExecutionContext, emitAt, spanOf } from '../state/state.ts'

/**
 * Loops without an end: one that asks other machines or a paid model again and again, with nothing that slows it down, and one
 * that only starts programs in the background.
 */

/** Commands that end a loop, or that wait for something. */
const PACING: ReadonlySet<string> = new Set(
  'break exit return sleep usleep wait read select kill exec inotifywait inotifywatch fswatch watchman entr timeout nc ncat socat tail tcpdump'.split(
    ' ',
  ),
)

/** Commands that are done at once. */
const INSTANT: ReadonlySet<string> = new Set(['echo', 'printf', ':', 'true', 'let', 'date', 'disown'])

/** Looks at a loop whose body made the effects from `start` on. */
export function reportEndless(node: While | ArithmeticFor, start: number, site: ExecutionContext): void {
  if (!isEndless(node) || isPaced(node.body)) return
  const span = spanOf(node, site.frame)
  if (onlyStarts(node.body)) {
    const reason = 'it starts programs in the background without end'
    emitAt(site, target('code', ''), { verb: 'execute', action: 'resource:exhaust', span, reversible: false, reason })
  } else asksOn(site, start, span)
}

/** `yes | xargs …`: an input without end. */
export function reportEndlessPipe(
  site: ExecutionContext,
  stage: { readonly start: number; readonly names: readonly string[]; readonly span: Span },
): void {
  const each = site.analysis.commands.some(({ wrappers }) => wrappers.includes('xargs') || wrappers.includes('parallel'))
  if (stage.names[0] === 'yes' && each) asksOn(site, stage.start, stage.span)
}

/** Devices that give without end. */
const GIVES = /^\/dev\/(?:zero|u?random|full)$/

/** `cat /dev/zero > file`, `yes > file`: what has no end goes into a file that has room for it. */
export function reportEndlessOutput(
  site: ExecutionContext,
  at: { readonly words: readonly { readonly text: string | null; readonly span: Span }[]; readonly written: readonly Effect[] },
): void {
  const [program, ...operands] = at.words
  const name = program?.text ?? ''
  const endless = name === 'yes' || (name === 'cat' && operands.some(({ text }) => GIVES.test(text ?? '')))
  const file = endless
    ? at.written.find(({ verb, target }) => verb === 'write' && target.kind === 'path' && target.scope !== 'device')
    : undefined
  if (file === undefined || program === undefined) return
  const reason = 'it writes until the disk is full'
  emitAt(site, file.target, { verb: 'execute', action: 'resource:endless', span: program.span, reason })
}

function asksOn(site: ExecutionContext, start: number, span: Span): void {
  const asked = site.analysis.effects.slice(start).find(asks)
  if (asked === undefined) return
  const reason = 'it asks again and again, without end or rest'
  emitAt(site, asked.target, { verb: 'execute', action: 'resource:endless', span, reason })
}

/** Somebody else serves it, or is paid for it. */
function asks({ verb, action, target: { kind, scope } }: Effect): boolean {
  if (action === 'agent:start') return true
  return (verb === 'fetch' || verb === 'send') && (kind === 'url' || kind === 'host') && scope !== 'loopback'
}

function isEndless(node: While | ArithmeticFor): boolean {
  if (node.type === 'ArithmeticFor') return node.test === undefined
  const [only, ...more] = node.clause.commands
  return only !== undefined && more.length === 0 && isAlways(only.command, node.kind === 'while')
}

/** A word without anything that is put in when it runs. */
const PLAIN = /^["']?\w+["']?$/

/** A test that says the same each time: `true`, `:`, `[ 1 ]`, `[[ 1 ]]`, `((1))`; `false` after `until`. */
function isAlways(node: SyntaxNode, truth: boolean): boolean {
  switch (node.type) {
    case 'ArithmeticCommand':
      return truth && /^\s*[1-9]\d*\s*$/.test(node.body)
    case 'TestCommand': {
      const { expression } = node
      return truth && expression.type === 'TestUnary' && expression.operator === '-n' && PLAIN.test(expression.operand.text)
    }
    case 'Command':
      return isAlwaysCommand(node, truth)
    default:
      return false
  }
}

function isAlwaysCommand({ name, suffix }: Extract<SyntaxNode, { type: 'Command' }>, truth: boolean): boolean {
  const words = suffix.map((item) => (item.type === 'Word' ? item.text : '$'))
  const program = name?.value
  if (!truth) return program === 'false' && words.length === 0
  if (program === '[' || program === 'test') return PLAIN.test(words[0] ?? '') && words.length <= 2
  return (program === 'true' || program === ':') && words.length === 0
}

function isPaced(body: CompoundList): boolean {
  const stack: SyntaxNode[] = [body]
  for (let item = stack.pop(), count = 0; item !== undefined && count < 10_000; item = stack.pop(), count++) {
    if (item.type === 'Command' && PACING.has(item.name?.value ?? '') && !inBackground(item, body)) return true
    forEachChild(item, (child) => stack.push(child))
  }
  return false
}

/** `sleep 100 &` slows nothing down. */
function inBackground(command: SyntaxNode, body: CompoundList): boolean {
  return body.commands.some((statement) => statement.background === true && statement.command === command)
}

function onlyStarts(body: CompoundList): boolean {
  const ahead = body.commands.filter((statement) => statement.background !== true)
  if (ahead.length === body.commands.length) return false
  return ahead.every(({ command }) => command.type === 'Command' && (command.name === undefined || INSTANT.has(command.name.value)))
}
