/** Approvals as lines of a terminal. Everything that a caller chose is written out by whoever prints it (T24). */
import { isFast } from '../approvals/answer.ts'
import { principalIn } from '../approvals/edit.ts'
import { groupsOf } from '../approvals/groups.ts'
import { approvals as countOf, currentApprover } from '../approvals/machine.ts'
import { proposalToJson } from '../approvals/scope.ts'
import type { StoredApproval } from '../approvals/store.ts'
import { instant, nameOf } from '../approvals/view.ts'
import { alsoNamedTexts } from '../core/also-named.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject, own } from '../core/json.ts'

/** JSON whose text holds no character that a terminal or a reader would take for something else. */
export function plainJson(value: JsonObject, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN, (text) =>
    Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  )
}

/** Everything without a shape of its own, but for the line ends that JSON is set with. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** One approval on one line: its call to the end, never cut. */
export function approvalLine(approval: StoredApproval): string {
  const { id, status, terms, sheet, approveBy, useBy, edit } = approval
  const yes = terms.quorum > 1 || terms.chain.length > 0 ? `${countOf(approval)}/${Math.max(terms.quorum, terms.chain.length)}` : ''
  const next = status === 'pending' ? currentApprover(approval) : null
  const end = status === 'pending' ? `until ${instant(approveBy)}` : status === 'approved' ? `use until ${instant(useBy ?? 0)}` : ''
  const marks = [edit === null ? '' : 'changed', reach(approval), approval.answers.some((each) => isFast(approval, each)) ? 'fast' : '']
  return [id, status, ...marks, yes, next === null ? '' : `next ${next}`, end, `${String(sheet.tool)} ${argsOf(sheet)}`, String(sheet.code)]
    .filter((part) => part !== '')
    .join('  ')
}

/** `agent claude-code, user alice, tenant shop, started by a → b`. */
function askedBy(principal: string): string {
  const { chain, ...names } = principalIn(principal)
  const named = Object.entries(names).flatMap(([key, name]) => (name === null ? [] : [`${key} ${name}`]))
  const all = [...named, ...(chain.length === 0 ? [] : [`through ${chain.join(' → ')}`])]
  return all.length === 0 ? 'nobody named' : all.join(', ')
}

/** One approval in full: arguments to the end, effects, why it is asked, what was changed, how far a yes may reach, who answered. */
export function approvalInFull(approval: StoredApproval): readonly string[] {
  const { sheet, binding, answers, edit, proposals, version } = approval
  const args = argsOf(sheet)
  return [
    approvalLine(approval),
    ...alsoNamedTexts(sheet.call).map((name) => `also named   ${name}`),
    `asked by     ${askedBy(binding.principal)}`,
    `session      ${binding.session ?? 'none'}`,
    `directory    ${binding.cwd ?? 'none'}`,
    `version      ${version}`,
    `why          ${String(sheet.reason)} (${String(sheet.code)})`,
    `digest       ${typeof sheet.digest === 'string' ? sheet.digest : 'left out, because a secret was taken out of the call'}`,
    ...(edit === null
      ? []
      : [
          `changed by   ${edit.by} at ${instant(edit.at)}, and decided again: ${String(sheet.decision)}`,
          `it was       ${argsOf(edit.before)}`,
        ]),
    `arguments    ${args.length} characters`,
    ...pretty(isJsonObject(sheet.call) ? (own(sheet.call, 'args') ?? null) : null),
    ...(Array.isArray(sheet.not_bound) && sheet.not_bound.length > 0
      ? [`not bound    ${sheet.not_bound.join(', ')}: changes nothing, so a yes covers any`]
      : []),
    ...effectsOf(sheet.effects ?? []),
    ...waysBack(sheet),
    ...notApplied(approval),
    ...proposals.map((proposal) => `could allow  --scope ${scopeText(proposal)}: ${proposal.text}`),
    ...approval.withheld.map(({ action, target, why }) => `only once    ${action} of ${target}: ${why}`),
    ...answers.map((answer) => answerLine(approval, answer)),
    ...appliedLines(approval),
  ]
}

/** Why the changes of the preview cannot be made instead, where the policy offers that. */
function notApplied({ kept }: StoredApproval): readonly string[] {
  return kept !== null && 'problem' in kept ? [`not applied  exactly what the preview shows cannot be made: ${kept.problem}`] : []
}

function appliedLines({ applied }: StoredApproval): readonly string[] {
  if (applied === null) return []
  const { at, by, problem, record } = applied
  return [
    `applied      ${instant(at)} ${by}: ${problem === null ? 'the changes of the preview' : `not made, ${problem}`} (record ${record})`,
  ]
}

/** What asks have in common, for people who look through many of them; every call stays listed by itself. */
export function groupLines(approvals: readonly StoredApproval[]): readonly string[] {
  return groupsOf(approvals.filter(({ status }) => status === 'pending')).map(({ text, ids }) => `alike: ${text}: ${ids.join(' ')}`)
}

/** Says so where most of these were approved sooner than anybody can read them; else null. */
export function haste(approvals: readonly StoredApproval[]): string | null {
  const given = approvals.flatMap((approval) =>
    approval.answers.filter(({ verdict }) => verdict === 'approve').map((each) => isFast(approval, each)),
  )
  const fast = given.filter(Boolean).length
  if (fast === 0 || fast * 2 <= given.length) return null
  return `${fast} of ${given.length} approvals here were given in under two seconds: nobody reads a call that fast`
}

/** What takes the call back, who can, and for how long; and what nothing takes back. */
function waysBack({ undo, no_way_back: none }: JsonObject): readonly string[] {
  const ways = (Array.isArray(undo) ? undo : []).filter(isJsonObject)
  return [
    ...ways.map(({ name, how, until, owner, cannot, exercised, helps }) => {
      const told = `${name}: ${how}; ${until}; by ${owner}. Not: ${cannot}${exercised === true ? '' : ' (untried)'}`
      return `${helps === true ? 'kept first ' : 'way back   '}  ${told}`
    }),
    ...(Array.isArray(none) && none.length > 0 ? [`no way back  ${none.join(', ')}`] : []),
  ]
}

function answerLine(approval: StoredApproval, answer: StoredApproval['answers'][number]): string {
  const { by, verdict, reason, at, breakGlass, seat, scope } = answer
  const marks = [
    breakGlass ? '(glass broken)' : '',
    seat === null ? '' : `(for ${seat})`,
    scope === 'once' ? '' : `(${nameOf(scope)})`,
    isFast(approval, answer) ? '(in under two seconds)' : '',
  ].filter((mark) => mark !== '')
  return `answer       ${instant(at)} ${[`${by}: ${verdict}`, ...marks, reason].join(' ')}`
}

function reach({ scope, uses, terms }: StoredApproval): string {
  if (scope === 'session') return `session ${uses}/${terms.session?.uses ?? 0}`
  return scope === 'once' ? '' : nameOf(scope)
}

/** As `--scope` takes it: the whole grant, because two of them may be for one action. */
function scopeText(proposal: StoredApproval['proposals'][number]): string {
  if (proposal.kind !== 'grant') return proposal.kind
  const { grant = null } = proposalToJson(proposal)
  return `'${JSON.stringify({ grant })}'`
}

function argsOf({ call }: JsonObject): string {
  const args = isJsonObject(call) ? own(call, 'args') : null
  return JSON.stringify(args ?? null)
}

function pretty(value: Json): readonly string[] {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((text) => `  ${text}`)
}

function effectsOf(effects: Json): readonly string[] {
  if (!Array.isArray(effects)) return []
  return effects.filter(isJsonObject).map(({ verb, action, target, reversible }) => {
    const value = isJsonObject(target) ? own(target, 'value') : null
    return `would        ${String(action ?? verb)} ${JSON.stringify(value ?? null)}${reversible === false ? ', which cannot be undone' : ''}`
  })
}
