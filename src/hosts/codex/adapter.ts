/** Codex CLI behind the seam. It takes one form of denial and runs the call on everything else, a question included. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import type { Check, HostAbout, Scope } from '../adapter.ts'
import { CLAUDE_ANSWERS, CLAUDE_NOTE, claudeEvent, claudeHeard, claudeProposal } from '../claude-form.ts'
import { group, type Items, listEntry, promptLine } from '../entries.ts'
import { type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'
import { type Entry, readSettings, textOf } from '../install.ts'
import { waitsForInput } from '../typed-later.ts'
import { requirementsEntry } from './requirements.ts'
import { trustedHooks, trustIn, withoutTrust, withTrust } from './trust.ts'

const ABOUT: HostAbout = {
  title: 'Codex CLI',
  programs: ['codex'],
  traces: ['.codex'],
  scopes: ['user', 'managed'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'the client runs a call whose hook answers `ask`' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: [
    'what is typed into a shell that runs already (`write_stdin`)',
    'tools that run at the provider, such as web search',
    'anything, where `features.hooks=false` is given with `-c` or in a trusted project, and the hook is not in managed settings',
  ],
  subagents: 'one session',
  seen: 'driven',
}

const items: Items = (command) => {
  const gate = group(command, { timeout: ABOUT.waits })
  return { PreToolUse: gate, PostToolUse: gate, UserPromptSubmit: group(promptLine(command), { timeout: ABOUT.waits }, null) }
}

function directory(): string {
  return process.env.CODEX_HOME ?? join(homedir(), '.codex')
}

const MANAGED = '/etc/codex'

function entries(scope: Scope): readonly Entry[] {
  if (scope === 'managed') return [requirementsEntry(join(MANAGED, 'requirements.toml'), items)]
  const hooks = join(directory(), 'hooks.json')
  return [listEntry(hooks, items), trust(join(directory(), 'config.toml'), hooks)]
}

/** What Codex trusts of the hooks beside it. A hook that is not trusted is skipped without a word. */
function trust(path: string, hooks: string): Entry {
  const ours = (command: string) => trustedHooks(hooks, planned(hooks, command))
  const isOurs = (key: string): boolean => trustedHooks(hooks, readSettings(hooks)).some((hook) => hook.key === key)
  return {
    path,
    written: (before, command) => {
      const [config, wanted] = [before ?? '', ours(command)]
      const trusted = trustIn(config)
      return wanted.every(({ key, digest }) => trusted.get(key) === digest) ? config : withTrust(config, wanted)
    },
    cleaned: (before) => {
      const rest = withoutTrust(before, isOurs)
      if (rest === before) return before
      return rest.trim() === '' ? null : rest
    },
    command: () => null,
    holds: (text, command) => ours(command).every(({ key, digest }) => trustIn(text).get(key) === digest),
    same: (rest, original) => (rest ?? '').trim() === original.trim(),
  }
}

/** The hooks as they will stand. */
function planned(hooks: string, command: string): JsonObject {
  const read = readJson(listEntry(hooks, items).written(textOf(hooks), command))
  return read.ok && isJsonObject(read.value) ? read.value : {}
}

/** A feature that is off in the user's own settings is off for all hooks of the user. */
function weak(): readonly Check[] {
  const config = textOf(join(directory(), 'config.toml')) ?? ''
  const off = /^\s{0,8}(?:features\.)?hooks\s{0,8}=\s{0,8}false\b/m.test(config)
  return off ? [{ name: 'codex settings', state: 'fail', detail: '`features.hooks` is false in `config.toml`: no hook runs' }] : []
}

/** Nobody is ever asked about what is typed into a shell that runs, so none is opened. */
function read(input: JsonObject): NativeEvent | null {
  const event = claudeEvent(input, () => true)
  if (event?.kind !== 'call' || event.call.tool.server !== null || !isJsonObject(event.call.args)) return event
  const command = text(event.call.args, 'command', 'cmd')
  if (event.call.tool.name === 'apply_patch' || command === null || !waitsForInput(command)) return event
  return { kind: 'refused', code: 'ingress.unseen_input', message: UNSEEN, call: event.call }
}

const UNSEEN = 'the command opens a session that is typed into later, which the host shows to no hook; give the commands in one call'

export const codex = hostOf({
  name: 'codex',
  about: ABOUT,
  read,
  answers: { ...CLAUDE_ANSWERS, note: CLAUDE_NOTE },
  entries,
  managed: MANAGED,
  proposal: claudeProposal('Bash', 'view_image'),
  heard: claudeHeard,
  weak,
  advice: ['Codex reads its hooks when it starts: sessions that run already are not gated.'],
})
