/** Qwen Code behind the seam: Claude Code's form, in Gemini CLI's settings. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { HostAbout } from '../adapter.ts'
import { CLAUDE_ANSWERS, CLAUDE_NOTE, claudeEvent, claudeHeard, claudeProposal } from '../claude-form.ts'
import { group, type Items, listEntry, machineEntry, promptLine } from '../entries.ts'
import { hostOf } from '../host.ts'

const ABOUT: HostAbout = {
  title: 'Qwen Code',
  programs: ['qwen'],
  traces: ['.qwen'],
  scopes: ['user', 'project', 'managed'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'the client does not tell its hooks whether somebody sits there' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: [
    'anything, where a project sets `disableAllHooks` and the hook is not in managed settings',
    'anything, where `QWEN_CODE_SYSTEM_SETTINGS_PATH` leads the client past managed settings',
  ],
  subagents: 'one session',
  seen: 'driven',
}

const items: Items = (command) => {
  const handler = { name: 'countersign', timeout: ABOUT.waits * 1000 }
  const gate = group(command, handler, null)
  return { PreToolUse: gate, PostToolUse: gate, PostToolUseFailure: gate, UserPromptSubmit: group(promptLine(command), handler, null) }
}

/** Settings of the machine win over those of users and projects. */
const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/QwenCode' : '/etc/qwen-code'

/** As the client resolves it. */
function ownDirectory(): string {
  const said = process.env.QWEN_HOME
  return said ? resolve(said.replace(/^~(?=$|\/)/, homedir())) : join(homedir(), '.qwen')
}

export const qwenCode = hostOf({
  name: 'qwen-code',
  about: ABOUT,
  read: (input) => claudeEvent(input, () => true),
  answers: { ...CLAUDE_ANSWERS, note: CLAUDE_NOTE },
  entries: (scope) =>
    scope === 'managed'
      ? [machineEntry(join(MANAGED, 'settings.json'), items, { disableAllHooks: false })]
      : [
          listEntry(join(scope === 'project' ? join(process.cwd(), '.qwen') : ownDirectory(), 'settings.json'), items, {
            notation: 'comments',
          }),
        ],
  managed: MANAGED,
  proposal: claudeProposal('run_shell_command', 'read_file'),
  heard: claudeHeard,
})
