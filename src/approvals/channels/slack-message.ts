/**
 * An approval as a Slack message. Every text of an agent is made visible, then escaped for mrkdwn, and stands in code, where
 * Slack reads neither links nor emoji; what does not fit is not approved from here (T24).
 */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { visibleText } from '../../facts/resources/text/visible.ts'
import type { SlackChannel } from '../../policy/channels.ts'
import type { Notice } from './notice.ts'

/** Characters that Slack takes in one section. */
const SECTION = 3_000
const SECTIONS = 8
const MAX_EFFECTS = 12
/** Characters of a tool's name; a longer one is cut, and then its call is not approved from here. */
const MAX_NAME = 200

export interface SlackMessage {
  readonly text: string
  readonly blocks: readonly JsonObject[]
  /** The whole call is in it. */
  readonly complete: boolean
}

/** Text of anybody, for mrkdwn: nothing in it is a link, a mention, a format or the end of a code block. */
export function mrkdwn(text: string): string {
  return visibleText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('`', '⟨U+0060⟩')
}

/** The message that asks, or says what came of it. */
export function slackMessage(notice: Notice, policy: SlackChannel): SlackMessage {
  const { data } = notice
  const args = argumentBlocks(data)
  const name = mrkdwn(textOf(own(data, 'tool')))
  const complete = notice.complete && args !== null && name.length <= MAX_NAME
  const tool = `\`${name.slice(0, MAX_NAME)}\``
  const asked = notice.phase === 'requested'
  const head = asked ? `Approval needed: ${tool}` : `${tool}: ${mrkdwn(outcome(data)).slice(0, SECTION / 2)}`
  const blocks = [
    section(`*${head}*`),
    section(why(data)),
    ...(args ?? [section('_The call is not shown here: it is too long, or this channel shows none. It can only be denied from here._')]),
    ...effects(data),
    ...waysBack(data),
    ...previewed(own(data, 'preview')),
    ...(asked ? agreed(data) : []),
    ...(asked ? behind(data) : []),
    context(
      `${asked ? 'until' : 'was open until'} ${textOf(own(data, 'approve_by'))} · digest \`${notice.digest.slice(0, 16)}\` · \`${notice.approval}\``,
    ),
    ...(asked && policy.approvers.size > 0 ? [buttons(notice, complete)] : []),
    ...linkBlock(data),
  ]
  return { text: asked ? `Approval needed: ${name.slice(0, MAX_NAME)}` : head, blocks, complete }
}

function section(text: string): JsonObject {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }
}

function context(text: string): JsonObject {
  return { type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] }
}

function why(data: JsonObject): string {
  const requester = own(data, 'requester')
  const who = isJsonObject(requester) ? requester : {}
  const asking = [own(who, 'agent'), own(who, 'user')].filter((name) => typeof name === 'string').join(' for ') || 'nobody named'
  const reason = mrkdwn(textOf(own(data, 'reason'))).slice(0, SECTION / 2)
  const place = own(data, 'cwd')
  const where = typeof place === 'string' ? ` in \`${mrkdwn(place).slice(0, 300)}\`` : ''
  return `asked by \`${mrkdwn(asking).slice(0, 300)}\`${where} · \`${mrkdwn(textOf(own(data, 'code')))}\`\n\`${reason}\``
}

/** The arguments in code blocks; null where they are not in the notice or too long for a message. */
function argumentBlocks(data: JsonObject): readonly JsonObject[] | null {
  if (!Object.hasOwn(data, 'args')) return null
  // A line end of a text is written `\\n` in JSON: those that are left are of its own form.
  const written = JSON.stringify(own(data, 'args'), null, 1).split('\n').map(mrkdwn).join('\n')
  const parts = pieces(written, SECTION - 10)
  if (parts.length > SECTIONS) return null
  return [
    ...parts.map((part) => section(`\`\`\`${part}\`\`\``)),
    context(`${parts.length === 1 ? 'all' : `all, in ${parts.length} parts,`} of ${textOf(own(data, 'args_units'))} characters`),
  ]
}

/** Never within an escape: `&amp;` and `⟨…⟩` stay whole. */
function pieces(text: string, length: number): readonly string[] {
  const out: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + length)
    if (to < text.length) {
      const tail = text.slice(Math.max(from + 1, to - 24), to)
      const open = Math.max(tail.lastIndexOf('&'), tail.lastIndexOf('⟨'))
      const closed = Math.max(tail.lastIndexOf(';'), tail.lastIndexOf('⟩'))
      if (open > closed) to -= tail.length - open
      else if (text.charCodeAt(to - 1) >= 0xd800 && text.charCodeAt(to - 1) <= 0xdbff) to -= 1
    }
    out.push(text.slice(from, to))
    from = to
  }
  return out
}

function effects(data: JsonObject): readonly JsonObject[] {
  const all = own(data, 'effects')
  const list = Array.isArray(all) ? all : []
  if (list.length === 0) return []
  const lines = list.slice(0, MAX_EFFECTS).map((effect: Json) => `• \`${mrkdwn(effectText(effect)).slice(0, 180)}\``)
  const more = list.length > MAX_EFFECTS ? [`• and ${list.length - MAX_EFFECTS} more`] : []
  return [section(['*It would*', ...lines, ...more].join('\n'))]
}

function effectText(effect: Json): string {
  if (!isJsonObject(effect)) return ''
  const target = own(effect, 'target')
  const where = isJsonObject(target) ? [own(target, 'value') ?? own(target, 'kind')] : []
  const undo = own(effect, 'reversible') === false ? ['(cannot be undone)'] : []
  return [own(effect, 'verb'), ...where, ...undo].map(textOf).join(' ')
}

/** What takes it back and what that cannot, or that nothing does. */
function waysBack(data: JsonObject): readonly JsonObject[] {
  const [undo, none] = [own(data, 'undo'), own(data, 'no_way_back')]
  const ways = (Array.isArray(undo) ? undo : []).flatMap((way: Json) => (isJsonObject(way) ? [way] : []))
  const part = (way: JsonObject, name: string): string => cut(mrkdwn(textOf(own(way, name))), MAX_PATH)
  const lines = ways.slice(0, MAX_WAYS).map((way) => {
    const untried = own(way, 'exercised') === true ? '' : ' (untried)'
    const what = own(way, 'helps') === true ? 'Kept first' : 'Way back'
    return `*${what}* \`${part(way, 'name')}\`: ${part(way, 'how')}; ${part(way, 'until')}. Not: ${part(way, 'cannot')}${untried}`
  })
  const more = ways.length > MAX_WAYS ? [`and ${ways.length - MAX_WAYS} more ways back`] : []
  const acts = (Array.isArray(none) ? none : []).map((act: Json) => `\`${cut(mrkdwn(textOf(act)), MAX_PATH)}\``)
  const final = acts.length === 0 ? [] : [`*No way back* ${acts.slice(0, MAX_EFFECTS).join(' ')}`]
  const all = [...lines, ...more, ...final]
  return all.length === 0 ? [] : [section(all.join('\n'))]
}

const MAX_WAYS = 3
const MAX_FILES = 12
const KINDS: Readonly<Record<string, string>> = {
  diff: 'Preview, from the arguments',
  dry_run: 'Preview, by the dry run of the program itself',
  sandbox: 'Preview, tried out on a copy',
  apply: 'Preview of the changes that are made',
}

/** How much the preview saw, and in which files; what it saw in them is in the console. */
function previewed(preview: Json | undefined): readonly JsonObject[] {
  if (!isJsonObject(preview)) return []
  const note = cut(mrkdwn(textOf(own(preview, 'note'))), SECTION / 8)
  const known = KINDS[textOf(own(preview, 'kind'))]
  if (known === undefined) return [section(`*No preview*${note === '' ? '' : `\n\`${note}\``}`)]
  const counts = (['created', 'changed', 'deleted'] as const).flatMap((change) => counted(own(preview, change), `files ${change}`))
  const exit = own(preview, 'exit_code')
  const sums = [
    ...(typeof exit === 'number' ? [`exit code ${exit}`] : []),
    ...(counts.length === 0 ? ['no files'] : counts),
    ...counted(own(preview, 'rows'), 'rows'),
    ...(own(preview, 'network') === true ? ['tried to reach the network'] : []),
  ]
  const list = own(preview, 'files')
  const files = (Array.isArray(list) ? list : []).flatMap((file: Json) => (isJsonObject(file) ? [file] : []))
  const lines = files.slice(0, MAX_FILES).map((file) => {
    return `• ${cut(mrkdwn(textOf(own(file, 'change'))), 10)} \`${cut(mrkdwn(textOf(own(file, 'path'))), MAX_PATH)}\``
  })
  const left = files.length - lines.length + Number(own(preview, 'more_files') ?? 0)
  return [section([`*${known}*: ${sums.join(' · ')}`, ...lines, ...(left > 0 ? [`• and ${left} more`] : [])].join('\n'))]
}

const MAX_PATH = 180

function counted(value: Json | undefined, what: string): readonly string[] {
  return typeof value === 'number' && value > 0 ? [`${value} ${what}`] : []
}

/** Of an escaped text, never within an escape. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${pieces(text, length - 1)[0] ?? ''}…`
}

function agreed(data: JsonObject): readonly JsonObject[] {
  const yes = own(data, 'yes')
  if (typeof yes !== 'number' || yes === 0) return []
  return [context(mrkdwn(`${yes} of ${textOf(own(data, 'quorum'))} agreed: ${peopleOf(data).join(', ')}`).slice(0, SECTION / 2))]
}

/** How many calls wait that differ only in what one answer may cover. An answer here is for the call that is shown alone. */
function behind(data: JsonObject): readonly JsonObject[] {
  const count = own(data, 'behind')
  if (typeof count !== 'number' || count <= 0) return []
  const more = count === 1 ? 'one more call like it waits' : `${count} more calls like it wait`
  return [context(`*${more}*, and will be shown here after this one, one at a time. The console shows all of them.`)]
}

function peopleOf(data: JsonObject): readonly string[] {
  const answers = own(data, 'answers')
  return Array.isArray(answers) ? answers.flatMap((each: Json) => (isJsonObject(each) ? [textOf(own(each, 'by'))] : [])) : []
}

/** Deny comes first and is the one that stands out (T23); a yes is asked for once more. */
function buttons({ approval, digest }: Notice, complete: boolean): JsonObject {
  const value = JSON.stringify({ approval, digest })
  const label = (text: string): JsonObject => ({ type: 'plain_text', text })
  const deny = { type: 'button', action_id: 'countersign_deny', style: 'primary', text: label('Deny'), value }
  const confirm = {
    title: label('Let this call run?'),
    text: label('Exactly this call may run, once.'),
    confirm: label('Approve'),
    deny: label('Back'),
  }
  const approve = { type: 'button', action_id: 'countersign_approve', text: label('Approve'), value, confirm }
  return { type: 'actions', block_id: 'countersign', elements: complete ? [deny, approve] : [deny] }
}

function linkBlock(data: JsonObject): readonly JsonObject[] {
  const link = own(data, 'link')
  return typeof link === 'string' ? [context(`<${link.replaceAll(/[<>|]/g, '')}|Open it in the console>`)] : []
}

function outcome(data: JsonObject): string {
  const answers = own(data, 'answers')
  const names = Array.isArray(answers)
    ? answers.flatMap((each: Json) => (isJsonObject(each) ? [`${textOf(own(each, 'verdict'))} by ${textOf(own(each, 'by'))}`] : []))
    : []
  return [textOf(own(data, 'status')), ...names].join(' · ')
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}
