/**
 * The read-only permit (D10): a call whose every effect is a read, whose name the operator vouches for by prefix, or whose server
 * is trusted and says so in a definition that is pinned (PRO-21). Names and annotations never outweigh an effect; of any other
 * server they raise and never permit.
 */
import type { ToolDefinition } from '../../core/call.ts'
import type { Effect } from '../../core/effect.ts'
import type { Finding } from '../../core/finding.ts'
import { type JsonObject, own } from '../../core/json.ts'
import type { Facts } from '../../facts/facts.ts'
import type { RulesSection } from '../../policy/policy.ts'
import { finding } from '../finding.ts'
import { heldTo } from '../integrity/definition.ts'
import type { LayerInput } from '../layer.ts'

/** Promptise's words that say a tool changes something. */
const DESTRUCTIVE_WORDS: ReadonlySet<string> = new Set(
  (
    'add append approve assign ban cancel charge clear create deactivate del delete deploy destroy disable drop edit erase exec ' +
    'execute flush grant insert install kill merge migrate modify move overwrite patch pay publish purge push put reboot refund ' +
    'remove rename replace reset restart restore revoke rm rollback send set shutdown submit suspend terminate transfer truncate ' +
    'uninstall unlink update upload upsert wipe withdraw write ' +
    // The commonest of other languages, as they are written in names. Names of any other are why prefixes are off by default.
    'borrar eliminar quitar suprimir supprimer effacer loeschen entfernen apagar excluir remover cancellare eliminare rimuovere verwijderen'
  ).split(' '),
)

/** Letters that a word needs to be looked for inside of another: `set` is in `settings`, `add` in `addresses` (PRO-20). */
const LONG_WORD = 5

/** The permit, or null where the call may do more than read or that cannot be told. */
export function readOnlyPermit(input: LayerInput): Finding | null {
  const { call, facts, policy } = input
  const { readOnly } = policy.rules
  if (!readOnly.autoAllow || vetoed(call.definition)) return null
  // Of a tool that no table knows, effects are told by its names: a claim, which never permits (D10, PRO-W5).
  const known = facts.tool.family !== null && facts.coverage === 'full'
  if (known && facts.effects.length > 0 && facts.effects.every(reads)) {
    return permit('every effect of the call is a read', { by: 'effects' })
  }
  const against = facts.effects.filter((effect) => outweighs(effect, facts))
  const prefix = vouchedPrefix(call.tool.name, readOnly)
  if (prefix !== null && against.length === 0) {
    return permit(`the name begins with \`${prefix}\``, { by: 'prefix', prefix })
  }
  if (!against.every((effect) => isGuess(effect, facts)) || !saysSo(input)) return null
  const message = `the pinned definition of \`${call.tool.name}\` says that it only reads, and its server is trusted`
  return permit(message, { by: 'annotation', definition: call.tool.definition })
}

function permit(message: string, evidence: JsonObject): Finding {
  return finding({ layer: 'rules', rule: 'read_only', verdict: 'allow', code: 'rules.read_only', message, evidence })
}

/** A server that the operator trusts says of a tool that it only reads, and has said so since the tool was pinned. */
function saysSo(input: LayerInput): boolean {
  const { server, name } = input.call.tool
  const { readOnly } = input.policy.rules
  const annotations = input.call.definition?.annotations ?? null
  if (server === null || !readOnly.trustedServers.has(server) || annotations === null) return false
  return own(annotations, 'readOnlyHint') === true && isPlain(name, readOnly) && heldTo(input).state === 'pinned'
}

function reads({ verb }: Effect): boolean {
  return verb === 'read' || verb === 'fetch'
}

/** That a tool itself is unknown is what the prefix vouches for; anything else that is no read outweighs the name. */
function outweighs(effect: Effect, { tool }: Facts): boolean {
  if (reads(effect)) return false
  return !(effect.verb === 'opaque' && tool.family === null && effect.span === null)
}

/** That a tool nobody knows changes something, told by a word of its name such as `order`: its server knows better. */
function isGuess({ action, certainty, span }: Effect, { tool }: Facts): boolean {
  return tool.family === null && action === 'resource:change' && certainty === 'likely' && span === null
}

/** A tool that its own server calls a writer is one. */
function vetoed(definition: ToolDefinition | null): boolean {
  const annotations = definition?.annotations ?? null
  if (annotations === null) return false
  return own(annotations, 'readOnlyHint') === false || own(annotations, 'destructiveHint') === true
}

/** Printable ASCII only: a letter that merely looks like another one is vouched for by nobody. */
const PLAIN_NAME = /^[\x21-\x7e]+$/

function vouchedPrefix(name: string, readOnly: RulesSection['readOnly']): string | null {
  const prefix = readOnly.prefixes.find((each) => name.startsWith(each))
  return prefix !== undefined && isPlain(name, readOnly) ? prefix : null
}

/** Readable as it is, and without a word that says the tool changes something. */
function isPlain(name: string, { destructiveWords }: RulesSection['readOnly']): boolean {
  const words = destructiveWords === null ? DESTRUCTIVE_WORDS : new Set(destructiveWords.map((word) => word.toLowerCase()))
  return PLAIN_NAME.test(name) && !wordsOf(name).some((word) => saysChange(word, words))
}

/** Plurals and words that are run together say it, too: `get_deletes`, `fetch_purgecache` (PRO-W5). */
function saysChange(word: string, words: ReadonlySet<string>): boolean {
  if (words.has(word) || (word.endsWith('s') && words.has(word.slice(0, -1)))) return true
  return [...words].some((each) => each.length >= LONG_WORD && (word.startsWith(each) || word.endsWith(each)))
}

/** `getAndDelete_user-2` → get, and, delete, user, 2. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
}
