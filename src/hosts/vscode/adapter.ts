/** VS Code behind the seam. It runs the hooks of Claude Code's settings, so one installation serves both; only its events are its own. */
import type { HostAbout, HostAdapter } from '../adapter.ts'
import { claudeCode } from '../claude-code/adapter.ts'
import { claudeHeard } from '../claude-form.ts'
import { isPresent } from '../present.ts'
import { parseVscode } from './event.ts'

const ABOUT: HostAbout = {
  title: 'VS Code',
  programs: ['code', 'code-insiders', 'codium'],
  traces: ['.vscode', '.vscode-insiders', '.vscode-server', '.config/Code', '.config/Code - Insiders', '.config/VSCodium'],
  scopes: ['user', 'project'],
  waits: claudeCode.about.waits,
  ask: { attended: 'prompt', headless: 'denial', why: 'the editor shows its own prompt' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: ['extensions that run tools without the agent', 'anything, where the editor is told not to read `~/.claude/settings.json`'],
  borrows: [
    { from: 'claude-code', scopes: ['user', 'project'], when: '', told: 'once' },
    { from: 'copilot-cli', scopes: ['user'], when: 'where `chat.hookFilesLocations` names that directory', told: 'once' },
  ],
  seen: 'documents',
}

export const vscode: HostAdapter = {
  ...claudeCode,
  name: 'vscode',
  about: ABOUT,
  entrypointVariable: null,
  parse: parseVscode,
  installed: () => isPresent(ABOUT) && claudeCode.installed(),
  advice: () => ['VS Code reads the hooks of `~/.claude/settings.json`: this is the hook of Claude Code, and it answers both.'],
  probe: () => [],
  exercise: {
    propose: ({ session, id, cwd, call }) => ({
      ...{ sessionId: session, hookEventName: 'PreToolUse', cwd, tool_use_id: id },
      ...(call.kind === 'shell'
        ? { tool_name: 'run_in_terminal', tool_input: { command: call.command } }
        : { tool_name: 'read_file', tool_input: { filePath: call.path } }),
    }),
    heard: claudeHeard,
  },
}
