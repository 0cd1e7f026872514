/** What the policy says of approval channels: who is told of an approval, how, and whose answers are taken from there. */

export const CHANNEL_KINDS = ['webhook', 'slack', 'command'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Where a secret stands; the secret itself is never in a policy. */
export type SecretSource = { readonly env: string } | { readonly file: string }

interface Common {
  /** Stands in the address that replies come to. */
  readonly name: string
  /** Who answers there, by the name that the channel knows them by → `human:…`. Empty: it is told and never answers. */
  readonly approvers: ReadonlyMap<string, string>
  /** `summary`: without the arguments; then nobody can approve there, because nobody has seen the call (T24). */
  readonly show: 'call' | 'summary'
  /** Only approvals of these tenants are told; null: of all. */
  readonly tenants: readonly string[] | null
  /** Address of the console, for a link; null: none. A link alone never approves. */
  readonly link: string | null
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number
  readonly attempts: number
}

interface Remote {
  /** Also addresses inside of this network; never those of metadata services. */
  readonly allowPrivate: boolean
}

/** Standard Webhooks: signed with the first secret; any of them may sign a reply. */
export interface WebhookChannel extends Common, Remote {
  readonly kind: 'webhook'
  readonly url: string
  readonly secrets: readonly SecretSource[]
  readonly replySecrets: readonly SecretSource[]
  /** Its answer is asked for at `url/<approval>`, for receivers that cannot reach the gate. */
  readonly poll: boolean
}

export interface SlackChannel extends Common, Remote {
  readonly kind: 'slack'
  /** With a token: the conversation to post to. */
  readonly channel: string | null
  readonly token: SecretSource | null
  /** An incoming webhook instead of a token; its address is the secret. */
  readonly webhook: SecretSource | null
  readonly signingSecret: SecretSource | null
  readonly api: string
}

export interface CommandChannel extends Common {
  readonly kind: 'command'
  /** Program by absolute path, and arguments; no shell reads them. */
  readonly command: readonly string[]
  /** Its output is an answer; else it is only told. */
  readonly answers: boolean
}

export type ChannelPolicy = WebhookChannel | SlackChannel | CommandChannel

/** The files that hold secrets of these channels. */
export function secretFiles(channels: readonly ChannelPolicy[]): readonly string[] {
  return channels.flatMap(sourcesOf).flatMap((source) => ('file' in source ? [source.file] : []))
}

/** Every secret that the channel names. */
export function sourcesOf(channel: ChannelPolicy): readonly SecretSource[] {
  switch (channel.kind) {
    case 'webhook':
      return [...channel.secrets, ...channel.replySecrets]
    case 'slack':
      return [channel.token, channel.webhook, channel.signingSecret].filter((source) => source !== null)
    case 'command':
      return []
  }
}
