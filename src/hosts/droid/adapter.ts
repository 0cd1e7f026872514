/** Factory's Droid behind the seam: Claude Code's form, with its own names of the tools. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Check, HostAbout } from '../adapter.ts'
import { CLAUDE_ANSWERS, CLAUDE_NOTE, claudeEvent, claudeHeard, claudeProposal } from '../claude-form.ts'
import { group, type Items, listEntry, promptLine } from '../entries.ts'
import { hostOf } from '../host.ts'

const ABOUT: HostAbout = {
  title: 'Factory Droid',
  programs: ['droid'],
  traces: ['.factory'],
  scopes: ['user', 'project'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'the client does not tell its hooks whether somebody sits there' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: ['anything, where hooks are switched off in its own settings'],
  seen: 'documents',
}

const items: Items = (command) => {
  const handler = { timeout: ABOUT.waits }
  const gate = group(command, handler)
  return { PreToolUse: gate, PostToolUse: gate, UserPromptSubmit: group(promptLine(command), handler, null) }
}

/** A file of hooks beside the settings takes the place of those in them. */
function weak(): readonly Check[] {
  const path = join(homedir(), '.factory', 'hooks.json')
  return existsSync(path)
    ? [{ name: 'droid settings', state: 'fail', detail: `\`${path}\` is there, and hooks in \`settings.json\` are not read then` }]
    : []
}

export const droid = hostOf({
  name: 'droid',
  about: ABOUT,
  read: (input) => claudeEvent(input, () => true),
  answers: { ...CLAUDE_ANSWERS, note: CLAUDE_NOTE },
  entries: (scope) => [listEntry(join(scope === 'project' ? process.cwd() : homedir(), '.factory', 'settings.json'), items)],
  proposal: claudeProposal('Execute', 'Read'),
  heard: claudeHeard,
  weak,
})
