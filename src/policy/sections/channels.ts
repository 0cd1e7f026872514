/** The field `approvals.channels`. A channel that could not be told, or whose answers nobody could check, is an error. */
import { isMap } from 'yaml'
import { describeUrl } from '../../facts/resources/url/index.ts'
import { CHANNEL_KINDS, type ChannelKind, type ChannelPolicy, type SecretSource } from '../channels.ts'
import {
  described,
  type Field,
  flag,
  type Located,
  listOf,
  located,
  mapOf,
  oneOf,
  rangeOf,
  text,
  whole,
  type YamlNode,
} from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import type { Range } from '../reading/source.ts'
import type { CompileContext } from '../section.ts'
import { durationOf } from './written.ts'

const SECOND = 1_000
const SLACK_API = 'https://slack.com/api'

const secret = located(text)
const SECRET_HELP = 'Each `env:NAME` or `file:/path` (mode 0600).'

const kindField = oneOf(CHANNEL_KINDS)

const common = <K extends ChannelKind>(kind: K) => ({
  name: described(located(text), 'Its name, in small letters, digits and `-`; replies come to `/v1/channels/<name>/reply`.'),
  type: oneOf([kind]),
  approvers: described(
    mapOf(located(text)),
    'Who may answer there: their name in the channel, and who that is. Default nobody: it is told.',
  ),
  show: described(
    oneOf(['call', 'summary']),
    '`summary` leaves the arguments out; then people can deny there, but not approve. Default `call`.',
  ),
  tenants: described(listOf(text), 'Only approvals of these tenants are told. Default all.'),
  link: described(located(text), 'Address of the console, for a link. A link alone never approves.'),
  timeout: described(located(text), 'Time for one attempt; default 10s, of a command that answers 5m.'),
  attempts: described(whole(1, 20), 'How often it is tried before it is given up; default 8, of a command 3.'),
})

const allowPrivate = described(flag, 'Let its address be inside of this network. Default false.')

const webhookField = record(
  {
    ...common('webhook'),
    url: described(located(text), 'Where messages go; https, or http with `allow_private`.'),
    secrets: described(listOf(secret), `What signs messages, newest first. ${SECRET_HELP}`),
    reply_secrets: described(listOf(secret), `What replies are signed with; default \`secrets\`. ${SECRET_HELP}`),
    poll: described(flag, 'Ask for the answer at `url/<approval>` instead of waiting for it. Default false.'),
    allow_private: allowPrivate,
  },
  { required: ['name', 'type', 'url', 'secrets'] },
)

const slackField = record(
  {
    ...common('slack'),
    channel: described(text, 'The conversation to post to, with `token`.'),
    token: described(secret, `The bot token. ${SECRET_HELP}`),
    webhook: described(secret, `An incoming webhook instead of \`token\`; its address is the secret. ${SECRET_HELP}`),
    signing_secret: described(secret, `What Slack signs clicks with. ${SECRET_HELP}`),
    api_url: described(located(text), `Default \`${SLACK_API}\`.`),
    allow_private: allowPrivate,
  },
  { required: ['name', 'type'] },
)

const commandField = record(
  {
    ...common('command'),
    command: described(located(listOf(text)), 'The program, by its absolute path, and its arguments. The call is its standard input.'),
    answers: described(flag, 'Read the answer from its standard output. Default false.'),
  },
  { required: ['name', 'type', 'command'] },
)

type RawWebhook = NonNullable<ReturnType<(typeof webhookField)['read']>>
type RawSlack = NonNullable<ReturnType<(typeof slackField)['read']>>
type RawCommand = NonNullable<ReturnType<(typeof commandField)['read']>>
type RawChannel = { readonly kind: 'webhook'; readonly raw: RawWebhook } | { readonly kind: 'slack'; readonly raw: RawSlack } | CommandRaw
type CommandRaw = { readonly kind: 'command'; readonly raw: RawCommand }

/** Read as what its `type` says, so that a field of another type is unknown. */
export const channelField: Field<RawChannel> = {
  expects: 'a mapping with `name` and `type`',
  schema: { anyOf: [webhookField.schema, slackField.schema, commandField.schema] },
  fields: new Map([...(webhookField.fields ?? []), ...(slackField.fields ?? []), ...(commandField.fields ?? [])]),
  read: (node, reader, key) => {
    const type = isMap(node) ? node.get('type') : undefined
    if (type === 'slack') return tagged('slack', slackField.read(node, reader, key))
    if (type === 'command') return tagged('command', commandField.read(node, reader, key))
    if (type === 'webhook' || !isMap(node)) return tagged('webhook', webhookField.read(node, reader, key))
    kindField.read(type === undefined ? null : (node.get('type', true) as YamlNode), reader, rangeOf(node, key))
    return undefined
  },
}

function tagged<K extends ChannelKind>(kind: K, raw: unknown): Extract<RawChannel, { kind: K }> | undefined {
  return raw === undefined ? undefined : ({ kind, raw } as Extract<RawChannel, { kind: K }>)
}

/** Faults go to the reader; a channel with one is left out. */
export function compileChannels(raws: readonly RawChannel[], context: CompileContext): readonly ChannelPolicy[] {
  const seen = new Set<string>()
  return raws.flatMap((raw) => {
    const check = checker(raw.raw.at, context)
    const name = raw.raw.name
    if (name !== undefined) {
      if (!/^[a-z][a-z0-9-]{0,31}$/.test(name.value))
        check.wrong(`\`${name.value}\` is no name of a channel`, 'use small letters, digits and `-`, at most 32', name.at)
      if (seen.has(name.value)) check.wrong(`there are two channels \`${name.value}\``, 'give each its own name', name.at)
      seen.add(name.value)
    }
    return channelOf(raw, check)
  })
}

function channelOf(raw: RawChannel, check: Checker): ChannelPolicy {
  switch (raw.kind) {
    case 'webhook':
      return webhookOf(raw.raw, check)
    case 'slack':
      return slackOf(raw.raw, check)
    case 'command':
      return commandOf(raw.raw, check)
  }
}

function webhookOf(raw: RawWebhook, check: Checker): ChannelPolicy {
  const allow = raw.allow_private ?? false
  const secrets = (raw.secrets ?? []).flatMap((each) => check.secret(each) ?? [])
  if (raw.secrets?.length === 0) check.wrong('a webhook needs a secret', 'name one as `env:NAME` or `file:/path`')
  const replies = raw.reply_secrets?.flatMap((each) => check.secret(each) ?? [])
  const base = commonOf(raw, check, { timeoutMs: 10 * SECOND, most: 60 * SECOND, attempts: 8 })
  const poll = raw.poll ?? false
  if (poll && base.approvers.size === 0) check.wrong('`poll` asks for answers, but nobody may answer', 'name them in `approvers`')
  return {
    ...base,
    kind: 'webhook',
    url: check.address(raw.url, allow),
    secrets,
    replySecrets: replies ?? secrets,
    poll,
    allowPrivate: allow,
  }
}

function slackOf(raw: RawSlack, check: Checker): ChannelPolicy {
  const allow = raw.allow_private ?? false
  const base = commonOf(raw, check, { timeoutMs: 10 * SECOND, most: 60 * SECOND, attempts: 8 })
  const [token, webhook, signingSecret] = [check.secret(raw.token), check.secret(raw.webhook), check.secret(raw.signing_secret)]
  if ((token === null) === (webhook === null)) check.wrong('a Slack channel needs either `token` or `webhook`', 'name the secret of one')
  if (token !== null && raw.channel === undefined) check.wrong('with `token`, Slack needs `channel`', 'name the conversation to post to')
  if (base.approvers.size > 0 && signingSecret === null)
    check.wrong('answers from Slack need `signing_secret`', 'without it nobody can tell who clicked')
  for (const [user, { at }] of raw.approvers ?? [])
    if (!/^[UW][A-Z0-9]{2,20}$/.test(user))
      check.wrong(`\`${user}\` is no user id of Slack`, 'such as `U02AB3CDE`; names can be changed', at)
  const api = raw.api_url === undefined ? SLACK_API : check.address(raw.api_url, allow)
  return { ...base, kind: 'slack', channel: raw.channel ?? null, token, webhook, signingSecret, api, allowPrivate: allow }
}

function commandOf(raw: RawCommand, check: Checker): ChannelPolicy {
  const answers = raw.answers ?? false
  const limits = { timeoutMs: answers ? 300 * SECOND : 10 * SECOND, most: 3_600 * SECOND, attempts: 3 }
  const base = commonOf(raw, check, limits)
  const command = raw.command?.value ?? []
  if (command[0] === undefined) check.wrong('the command is empty', 'name a program by its absolute path', raw.command?.at)
  else if (!command[0].startsWith('/'))
    check.wrong(`\`${command[0]}\` is no absolute path`, 'a search along PATH could find a program of the agent', raw.command?.at)
  if (answers !== base.approvers.size > 0)
    check.wrong('`answers` and `approvers` need each other', 'name who answers, or leave both out: then it is only told')
  return { ...base, kind: 'command', command, answers }
}

interface Limits {
  readonly timeoutMs: number
  readonly most: number
  readonly attempts: number
}

function commonOf(raw: RawWebhook | RawSlack | RawCommand, check: Checker, limits: Limits) {
  const people = [...(raw.approvers ?? [])].map(([known, { value }]) => [known, value.includes(':') ? value : `human:${value}`] as const)
  return {
    name: raw.name?.value ?? '',
    approvers: new Map(people),
    show: raw.show ?? ('call' as const),
    tenants: raw.tenants ?? null,
    link: raw.link === undefined ? null : check.link(raw.link),
    timeoutMs: check.duration(raw.timeout, limits),
    attempts: raw.attempts ?? limits.attempts,
  }
}

interface Checker {
  readonly wrong: (message: string, help: string, at?: Range) => void
  readonly secret: (written: Located<string> | undefined) => SecretSource | null
  readonly address: (written: Located<string> | undefined, allowPrivate: boolean) => string
  readonly link: (written: Located<string>) => string
  readonly duration: (written: Located<string> | undefined, limits: Limits) => number
}

function checker(whole: Range, context: CompileContext): Checker {
  const { reader } = context
  const wrong = (message: string, help: string, at: Range = { start: whole.start, end: whole.start + 1 }): void => {
    reader.fail({ code: 'policy.wrong_value', message, help, at })
  }
  return {
    wrong,
    secret: (written) => {
      if (written === undefined) return null
      const source = secretSource(written.value)
      // The text is not repeated: it may be the secret itself.
      if (source === null)
        wrong('this names no secret', 'write `env:NAME` or `file:/path`; a secret does not stand in a policy', written.at)
      return source
    },
    address: (written, allowPrivate) => {
      const fault = written === undefined ? null : addressFault(written.value, allowPrivate)
      if (written !== undefined && fault !== null) wrong(`\`${written.value}\` ${fault.message}`, fault.help, written.at)
      return written?.value ?? ''
    },
    link: (written) => {
      if (isLink(written.value)) return written.value.replace(/\/$/, '')
      wrong(`\`${written.value}\` is no address of a console`, 'write it as `https://gate.example.com`', written.at)
      return ''
    },
    duration: (written, { timeoutMs, most }) => durationOf(written, { otherwise: timeoutMs, most, context }),
  }
}

function secretSource(written: string): SecretSource | null {
  if (/^env:[A-Za-z_][A-Za-z0-9_]*$/.test(written)) return { env: written.slice(4) }
  return written.startsWith('file:/') ? { file: written.slice(5) } : null
}

/** What is sent names the call: it leaves the machine only under TLS, and to a private address only where that is said. */
function addressFault(written: string, allowPrivate: boolean): { readonly message: string; readonly help: string } | null {
  if (!URL.canParse(written)) return { message: 'is no address', help: 'write it as `https://hooks.example.com/path`' }
  const url = new URL(written)
  if (url.username !== '' || url.password !== '') return { message: 'holds a password', help: 'name it as a secret' }
  if (url.hash !== '') return { message: 'has a fragment', help: 'a fragment is never sent' }
  const scope = describeUrl(written).scope
  if (scope === 'metadata') return { message: 'is a metadata service', help: 'those are never told' }
  if (!allowPrivate && scope !== 'public') return { message: 'is not a public address', help: 'set `allow_private: true` if it is meant' }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && allowPrivate)) return null
  return { message: 'is not https', help: 'use https, or http with `allow_private: true`' }
}

function isLink(written: string): boolean {
  if (!URL.canParse(written)) return false
  const { protocol, username, password, search, hash } = new URL(written)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && search === '' && hash === ''
}
