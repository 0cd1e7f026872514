import type { JsonObject } from './json.ts'

/**
 * The lingua franca of every layer: what a call would do, on what, how surely, and whether it can be undone.
 * Lives in core because a decision carries its effects; facts/ makes them (docs/decisions/0001).
 */
export const VERBS = [
  'read', // takes in the content of its target
  'write', // creates, overwrites or appends content
  'delete', // removes its target
  'execute', // runs a program, a script or code
  'fetch', // gets something over the network
  'send', // gives something to somebody over the network: upload, POST, mail, message, remote login
  'publish', // makes something available to others: push, release, deploy
  'pay', // moves money or something as good
  'persist', // leaves something behind that runs later: cron, services, start-up files, hooks
  'change', // alters state that is no file content: permissions, processes, services, history, cloud resources
  'opaque', // could not be told; `reason` says why. Never silence
] as const
export type Verb = (typeof VERBS)[number]

export const TARGET_KINDS = [
  'path',
  'url',
  'host',
  'address',
  'program',
  'script',
  'code',
  'package',
  'repository',
  'database',
  'process',
  'service',
  'resource',
  'account',
  'agent',
  'variable',
  'unknown',
] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

/** Where a path or a host lies. */
export const SCOPES = [
  'workspace',
  'temporary',
  'home',
  'system',
  'device',
  'elsewhere', // paths, and whatever a call reaches in a shell of another machine or of a container
  'public',
  'private',
  'loopback',
  'link-local',
  'metadata', // hosts
  'unknown',
] as const
export type Scope = (typeof SCOPES)[number]

/** What a path is to an attacker or to its owner, whatever its name says. */
export const PATH_CLASSES = [
  'plain',
  'credential',
  'shell-startup',
  'agent-settings',
  'agent-instructions',
  'gate',
  'gate-program',
  'vcs',
  'ci',
  'scheduled',
  'system',
  'boot',
  'device',
  'other-user',
  'personal',
  'filesystem-root',
  'home-root',
  'workspace-root',
  'history',
] as const
export type PathClass = (typeof PATH_CLASSES)[number]

export interface Target {
  readonly kind: TargetKind
  /** As the call names it, decoded but not resolved; the empty string only for kind `unknown`. */
  readonly value: string
  /** The kernel's name of a path after symbolic links, or the normalised host of a URL; null where not resolved. */
  readonly real: string | null
  /** Where the last name of a path is itself a link: that link's own name, its directories resolved. Absent: it is none. */
  readonly link?: string
  readonly scope: Scope
  /** Every class the lexical or the real path falls into; empty means plain or not a path. */
  readonly classes: readonly PathClass[]
}

/** What a target really is: the kernel's name of a path, the normalised host; as the call names it where it was not resolved. */
export function resolvedName({ real, value }: Pick<Target, 'real' | 'value'>): string {
  return real ?? value
}

/** certain: it happens if the call runs · likely: unless the world differs · possible: on some branch or reading. */
export const CERTAINTIES = ['certain', 'likely', 'possible'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** The part of the call an effect was read from: UTF-16 offsets `[start, end)` in the string at `pointer`. */
export interface Span {
  /** JSON pointer into the call's args. */
  readonly pointer: string
  readonly start: number
  readonly end: number
}

/** One thing that a call would do: a verb, a target, and how sure that is. */
export interface Effect {
  readonly verb: Verb
  /** `family:operation`, such as `git:push`, `code:remote`, `sql:drop`; null where the verb says it all. */
  readonly action: string | null
  readonly target: Target
  /** False where the act cannot be undone with what the caller has. */
  readonly reversible: boolean
  readonly certainty: Certainty
  readonly span: Span | null
  /** For opaque effects, and wherever a reader needs it: what could not be told, or why it is so. */
  readonly reason: string | null
  /**
   * Where the client of a service (git, kubectl, gh, npm) runs that does it: an absolute path, as the shell names it. Null: it is not known.
   * Absent: it was not looked for. Whoever asks the same client beforehand may only ask it there.
   */
  readonly directory?: string | null
  /** Details rules may use: force, recursive, remote, branch, method, amount, currency, mass, where … */
  readonly attributes: JsonObject
}
