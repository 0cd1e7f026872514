/** Calls as each host sends them: a shell command, a read, an edit or a server's tool, and what a denial looks like there. */
export interface NativeHost {
  readonly name: string
  readonly shell: (command: string) => Readonly<Record<string, unknown>>
  /** An ordinary read. */
  readonly read: Readonly<Record<string, unknown>>
  /** The tool and arguments that the shell call is judged as. */
  readonly judged: readonly [tool: string, argument: string]
  /** A part of the answer that refuses, by itself. */
  readonly refusal: Readonly<Record<string, unknown>>
  /** Where its settings are, below the home. */
  readonly files: readonly string[]
}

const CLAUDE = { session_id: 's', transcript_path: '/t', cwd: '/tmp', hook_event_name: 'PreToolUse', tool_use_id: 'c1' }
const DENIES = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }
const CURSOR = { conversation_id: 's', generation_id: 'g', model: 'm', cursor_version: '3.14', workspace_roots: ['/tmp'], user_email: null }
const WINDSURF = { trajectory_id: 's', execution_id: 'e1', timestamp: '2026-11-24T00:00:00Z' }

export const NATIVE: readonly NativeHost[] = [
  {
    name: 'codex',
    shell: (command) => ({ ...CLAUDE, turn_id: 't', model: 'm', permission_mode: 'default', tool_name: 'Bash', tool_input: { command } }),
    read: { ...CLAUDE, tool_name: 'view_image', tool_input: { path: 'a.png' } },
    judged: ['Bash', 'command'],
    refusal: DENIES,
    files: ['.codex/hooks.json', '.codex/config.toml'],
  },
  {
    name: 'gemini-cli',
    shell: (command) => ({
      session_id: 's',
      cwd: '/tmp',
      hook_event_name: 'BeforeTool',
      timestamp: 't',
      tool_name: 'run_shell_command',
      tool_input: { command },
    }),
    read: { session_id: 's', cwd: '/tmp', hook_event_name: 'BeforeTool', tool_name: 'read_file', tool_input: { file_path: 'a.md' } },
    judged: ['run_shell_command', 'command'],
    refusal: { decision: 'deny' },
    files: ['.gemini/settings.json'],
  },
  {
    name: 'qwen-code',
    shell: (command) => ({ ...CLAUDE, permission_mode: 'yolo', tool_name: 'run_shell_command', tool_input: { command } }),
    read: { ...CLAUDE, tool_name: 'read_file', tool_input: { file_path: 'a.md' } },
    judged: ['run_shell_command', 'command'],
    refusal: DENIES,
    files: ['.qwen/settings.json'],
  },
  {
    name: 'cursor',
    shell: (command) => ({ ...CURSOR, hook_event_name: 'beforeShellExecution', command, cwd: '/tmp' }),
    read: { ...CURSOR, hook_event_name: 'preToolUse', tool_name: 'Read', tool_input: { file_path: 'a.md' }, tool_use_id: 'c2' },
    judged: ['Shell', 'command'],
    refusal: { permission: 'deny' },
    files: ['.cursor/hooks.json'],
  },
  {
    name: 'copilot-cli',
    shell: (command) => ({ sessionId: 's', timestamp: 1, cwd: '/tmp', toolName: 'bash', toolArgs: JSON.stringify({ command }) }),
    read: { sessionId: 's', timestamp: 1, cwd: '/tmp', toolName: 'view', toolArgs: { path: 'a.md' } },
    judged: ['bash', 'command'],
    refusal: { permissionDecision: 'deny' },
    files: ['.copilot/hooks/countersign.json'],
  },
  {
    name: 'opencode',
    shell: (command) => ({ event: 'before', session: 's', call: 'c1', directory: '/tmp', tool: 'bash', args: { command } }),
    read: { event: 'before', session: 's', call: 'c2', directory: '/tmp', tool: 'read', args: { filePath: 'a.md' } },
    judged: ['bash', 'command'],
    refusal: { decision: 'deny' },
    files: ['.config/opencode/plugin/countersign.js'],
  },
  {
    name: 'cline',
    shell: (command) => ({
      clineVersion: '3',
      hookName: 'PreToolUse',
      taskId: 's',
      workspaceRoots: ['/tmp'],
      preToolUse: { toolName: 'execute_command', parameters: { command } },
    }),
    read: {
      hookName: 'PreToolUse',
      taskId: 's',
      workspaceRoots: ['/tmp'],
      preToolUse: { toolName: 'read_file', parameters: { path: 'a' } },
    },
    judged: ['execute_command', 'command'],
    refusal: { cancel: true },
    files: ['Documents/Cline/Hooks/PreToolUse', 'Documents/Cline/Hooks/PostToolUse', 'Documents/Cline/Hooks/UserPromptSubmit'],
  },
  {
    name: 'windsurf',
    shell: (command) => ({ ...WINDSURF, agent_action_name: 'pre_run_command', tool_info: { command_line: command, cwd: '/tmp' } }),
    read: { ...WINDSURF, agent_action_name: 'pre_read_code', tool_info: { file_path: '/tmp/a.md' } },
    judged: ['run_command', 'CommandLine'],
    refusal: {},
    files: ['.codeium/windsurf/hooks.json'],
  },
  {
    name: 'goose',
    shell: (command) => ({
      event: 'PreToolUse',
      session_id: 's',
      tool_call_id: 'c1',
      working_dir: '/tmp',
      tool_name: 'developer__shell',
      tool_input: { command },
    }),
    read: {
      event: 'PreToolUse',
      session_id: 's',
      working_dir: '/tmp',
      tool_name: 'developer__text_editor',
      tool_input: { command: 'view', path: 'a.md' },
    },
    judged: ['developer__shell', 'command'],
    refusal: { decision: 'block' },
    files: ['.agents/plugins/countersign/hooks/hooks.json', '.agents/plugins/countersign/plugin.json'],
  },
  {
    name: 'kiro',
    shell: (command) => ({ hook_event_name: 'preToolUse', cwd: '/tmp', tool_name: 'execute_bash', tool_input: { command } }),
    read: {
      hook_event_name: 'preToolUse',
      cwd: '/tmp',
      tool_name: 'fs_read',
      tool_input: { operations: [{ mode: 'Line', path: 'a.md' }] },
    },
    judged: ['execute_bash', 'command'],
    refusal: {},
    files: ['.kiro/agents/countersign.json'],
  },
  {
    name: 'droid',
    shell: (command) => ({ ...CLAUDE, permission_mode: 'off', tool_name: 'Execute', tool_input: { command } }),
    read: { ...CLAUDE, tool_name: 'Read', tool_input: { file_path: 'a.md' } },
    judged: ['Execute', 'command'],
    refusal: DENIES,
    files: ['.factory/settings.json'],
  },
  {
    name: 'amp',
    shell: (command) => ({ tool: 'Bash', thread: 'T-1', cwd: '/tmp', args: { cmd: command } }),
    read: { tool: 'Read', thread: 'T-1', cwd: '/tmp', args: { path: 'a.md' } },
    judged: ['Bash', 'command'],
    refusal: {},
    files: ['.config/amp/countersign-delegate', '.config/amp/settings.json'],
  },
  {
    name: 'openclaw',
    shell: (command) => ({ event: 'before', session: 's', call: 'c1', directory: '/tmp', agent: null, tool: 'exec', args: { command } }),
    read: { event: 'before', session: 's', call: 'c2', directory: '/tmp', agent: null, tool: 'read', args: { path: 'a.md' } },
    judged: ['openclaw_exec', 'command'],
    refusal: { decision: 'deny' },
    files: ['.openclaw/extensions/countersign/index.js', '.openclaw/extensions/countersign/openclaw.plugin.json'],
  },
]
