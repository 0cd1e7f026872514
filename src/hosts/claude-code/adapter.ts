/** Claude Code behind the seam. */
import type { HostAdapter } from '../adapter.ts'
import { ENTRYPOINT_VARIABLE } from './commands.ts'
import { installChanges, placesOf, uninstallChanges } from './install.ts'
import { parseHook } from './parse.ts'
import { probeInstallation } from './probe.ts'
import { probeLive } from './probe-live.ts'
import { denial, NO_OPINION, noted, replyTo } from './reply.ts'

export const claudeCode: HostAdapter = {
  name: 'claude-code',
  entrypointVariable: ENTRYPOINT_VARIABLE,
  parse: parseHook,
  reply: replyTo,
  noted,
  noOpinion: NO_OPINION,
  told: (answer, line) => ({ ...answer, systemMessage: [answer.systemMessage ?? [], line].flat().join(' ') }),
  denial,
  settingsPath: ({ scope }) => placesOf(scope).settings,
  install: ({ scope, ...program }) => installChanges(placesOf(scope), program),
  uninstall: ({ scope }) => uninstallChanges(placesOf(scope)),
  probe: probeInstallation,
  probeLive,
}
