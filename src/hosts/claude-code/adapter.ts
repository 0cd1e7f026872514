/** Claude Code behind the seam. */
import { existsSync, readFileSync } from 'node:fs'
import type { HostAbout, HostAdapter, Installation } from '../adapter.ts'
import { claudeHeard, claudeProposal } from '../claude-form.ts'
import { ENTRYPOINT_VARIABLE, HOST_TIMEOUT_SECONDS } from './commands.ts'
import { installChanges, placesOf, uninstallChanges } from './install.ts'
import { parseHook } from './parse.ts'
import { probeInstallation } from './probe.ts'
import { probeLive } from './probe-live.ts'
import { denial, NO_OPINION, noted, replyTo } from './reply.ts'

const ABOUT: HostAbout = {
  title: 'Claude Code',
  programs: ['claude'],
  traces: ['.claude'],
  scopes: ['user', 'project', 'managed'],
  waits: HOST_TIMEOUT_SECONDS,
  ask: { attended: 'prompt', headless: 'denial', why: 'the client shows its own prompt; `-p` and the SDK have nobody to show it to' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: ['`@file` mentions', '`!command` lines in slash commands, which the client runs without asking a hook'],
  subagents: 'one session',
  seen: 'driven',
}

export const claudeCode: HostAdapter = {
  name: 'claude-code',
  about: ABOUT,
  entrypointVariable: ENTRYPOINT_VARIABLE,
  rewrites: true,
  parse: parseHook,
  reply: replyTo,
  noted,
  noOpinion: NO_OPINION,
  told: (answer, line) => ({ ...answer, systemMessage: [answer.systemMessage ?? [], line].flat().join(' ') }),
  denial,
  settingsPath: ({ scope }) => placesOf(scope).settings,
  install: ({ scope, ...program }) => installChanges(placesOf(scope), program),
  uninstall: ({ scope }) => uninstallChanges(placesOf(scope)),
  installed: () => ABOUT.scopes.some((scope) => mentions(placesOf(scope).settings)),
  advice,
  probe: probeInstallation,
  probeLive,
  exercise: { propose: claudeProposal('Bash', 'Read'), heard: claudeHeard },
}

/** Whatever is wrong with the settings is for `probe` to say. */
function mentions(settings: string): boolean {
  return existsSync(settings) && readFileSync(settings, 'utf8').includes('claude-code-hook')
}

function advice({ scope }: Installation): readonly string[] {
  const unseen = 'The gate does not see `@file` mentions and `!command` lines in slash commands: the client never asks a hook about them.'
  if (scope === 'managed') return [unseen]
  return [
    'What settings of this scope cannot hold: `disableAllHooks` or `env` in a project, `--bare`, `--safe-mode`, `--setting-sources`,',
    'and `CLAUDE_CODE_SIMPLE` or `CLAUDE_CONFIG_DIR` take the hook away. Managed settings resist: `countersign init --scope managed` (as root).',
    unseen,
  ]
}
