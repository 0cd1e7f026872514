/** Built-in tools of other coding agents: Codex, Gemini CLI, Cursor, Copilot, OpenCode, Cline and agents of the Windsurf kind. */
import { scriptIndex, shellWords } from '../../resources/text/quote.ts'
import type { ToolContext, ToolFamily, ToolSpec } from '../spec.ts'
import {
  DELETE_FILE,
  EDITOR,
  each,
  FETCH_URL,
  FIND_FILES,
  LIST_FILES,
  MEMORY,
  NAVIGATE,
  quiet,
  READ_FILE,
  SEARCH_FILES,
  SHELL,
  SUBAGENT,
  WEB_SEARCH,
  WRITE_FILE,
} from './shapes.ts'
import { typedInto } from './typed.ts'

/** `command` as a list of words, as one text, or inside `action` (`local_shell`); `commands` as a list of lines (`shell`). */
function runList(context: ToolContext): void {
  const lines = [...context.all('commands.*'), ...context.all('action.commands.*')]
  for (const line of lines) context.use('shell', line)
  if (lines.length > 0 && context.text('command', 'cmd') === null && context.all('action.command').length === 0) return
  const words = [...context.all('command.*'), ...context.all('action.command.*')]
  const script = scriptIndex(words.map(({ text }) => text))
  const at = words[script]
  if (at !== undefined) context.use('shell', at)
  else if (words.length > 0)
    context.use('shell', { text: shellWords(words.map(({ text }) => text)), pointer: (words[0]?.pointer ?? '').replace(/\/\d+$/, '') })
  for (const single of ['command', 'cmd', 'action.command']) for (const text of context.all(single)) context.use('shell', text)
  if (words.length === 0 && context.text('command', 'cmd') === null && context.all('action.command').length === 0) {
    context.opaque('the shell tool was called without a command')
  }
}

const LISTED_SHELL: ToolSpec = {
  tier: 'medium',
  on: { command: 'ignore', cwd: 'cwd', path: 'ignore' },
  args: { 'action.working_directory': 'cwd', justification: 'ignore' },
  refine: runList,
}

const PATCH: ToolSpec = {
  tier: 'low',
  on: { command: 'ignore' },
  args: {
    ...{ command: 'patch', input: 'patch', patch: 'patch', patchText: 'patch', patch_text: 'patch' },
    ...{ 'operation.path': 'ignore', 'operation.diff': 'ignore' },
  },
  refine: (context) => {
    const [kind] = context.all('operation.type')
    for (const path of context.all('operation.path')) context.use(kind?.text === 'delete_file' ? 'delete' : 'write', path)
  },
}

/** Keys that a terminal is sent by name (`{enter}`): a line ends, or nothing is typed. */
function typed(context: ToolContext): void {
  for (const { text, pointer } of context.all('input')) {
    typedInto(context, { text: text.replace(/\{enter\}/gi, '\n').replace(/\{[a-z0-9+-]{1,20}\}/gi, ''), pointer })
  }
  context.emit('execute', context.thing('process', 'running session'), { action: 'proc:stdin' })
}

/** Tools that code mode may call by name: those that do something are read where they are called, the others only keep books. */
const CODE_MODE: ReadonlySet<string> = new Set(
  'exec_command shell shell_command local_shell unified_exec apply_patch write_stdin update_plan view_image wait_agent spawn_agent'.split(
    ' ',
  ),
)

/** JavaScript that calls the tools: what is called by a name that is not known, or by no name at all, cannot be told. */
function codeMode(context: ToolContext): void {
  for (const { text, pointer } of [...context.all('input'), ...context.all('code')]) {
    for (const match of text.matchAll(/(?<![\w$.])tools\b(?:\s*\??\.\s*([A-Za-z_$][\w$]*))?/g)) {
      const span = { pointer, start: match.index, end: match.index + match[0].length }
      const [, name] = match
      if (name === undefined) context.opaque('the code calls tools by names that are not written out', span)
      else if (!CODE_MODE.has(name)) {
        const reason = `the code calls the tool \`${name.slice(0, 100)}\`, of which nothing is known here`
        context.emit('opaque', context.thing('code', name), { reason, span, certainty: 'possible', reversible: false })
      }
    }
  }
}

export const codex: ToolFamily = {
  family: 'codex',
  servers: [],
  tools: {
    ...each('shell local_shell exec_command container.exec unified_exec shell_command', LISTED_SHELL),
    apply_patch: PATCH,
    write_stdin: {
      tier: 'medium',
      args: { chars: 'ignore', input: 'ignore' },
      effects: [{ verb: 'execute', action: 'proc:stdin', kind: 'process', value: 'running session' }],
      refine: (context) => {
        for (const text of [...context.all('chars'), ...context.all('input')]) typedInto(context, text)
      },
    },
    exec: { tier: 'medium', args: { input: 'javascript', code: 'javascript' }, refine: codeMode },
    view_image: READ_FILE,
    ...each('spawn_agent send_input', SUBAGENT),
    ...quiet('update_plan wait_agent wait close_agent request_user_input list_mcp_resources read_mcp_resource list_permissions'),
    web_search: WEB_SEARCH,
  },
}

export const gemini: ToolFamily = {
  family: 'gemini-cli',
  servers: [],
  tools: {
    run_shell_command: { tier: 'medium', args: { command: 'shell', description: 'ignore', dir_path: 'cwd', directory: 'cwd' } },
    ...each('write_file replace', WRITE_FILE),
    read_file: READ_FILE,
    read_many_files: { tier: 'low', args: { 'paths.*': 'read', 'include.*': 'read', 'exclude.*': 'ignore' } },
    list_directory: LIST_FILES,
    glob: FIND_FILES,
    ...each('search_file_content grep_search', SEARCH_FILES),
    web_fetch: {
      tier: 'low',
      args: { url: 'fetch' },
      refine: (context) => {
        for (const prompt of context.all('prompt'))
          for (const url of urls(prompt.text)) context.use('fetch', { text: url, pointer: prompt.pointer })
      },
    },
    google_web_search: WEB_SEARCH,
    save_memory: MEMORY,
    ...quiet('write_todos ask_user enter_plan_mode exit_plan_mode activate_skill get_internal_docs'),
    ...each('delegate_to_agent codebase_investigator', SUBAGENT),
  },
}

export const cursor: ToolFamily = {
  family: 'cursor',
  servers: [],
  tools: {
    ...each('Shell run_terminal_cmd', SHELL),
    ...each('Delete delete_file', DELETE_FILE),
    ...each('StrReplace edit_file search_replace ApplyPatch', WRITE_FILE),
    ...each('ReadFile SemanticSearch codebase_search file_search', READ_FILE),
    ...each('EditNotebook edit_notebook', { tier: 'low', on: { path: 'write' }, args: { target_notebook: 'write' } }),
    ...each('Grep grep', SEARCH_FILES),
    Glob: FIND_FILES,
    ...quiet('ReadLints update_memory AskQuestion SwitchMode'),
  },
}

export const copilot: ToolFamily = {
  family: 'copilot',
  servers: [],
  tools: {
    ...each('bash powershell runTerminalCommand run_in_terminal runInTerminal', SHELL),
    ...each('write_bash write_powershell', { tier: 'medium', args: { input: 'ignore' }, refine: typed }),
    ...each('view readFile copilot_readFile', READ_FILE),
    ...each('create edit editFiles createFile insert_edit_into_file replace_string_in_file create_file', WRITE_FILE),
    ...each('multi_replace_string_in_file edit_notebook_file create_directory create_new_jupyter_notebook', WRITE_FILE),
    str_replace_editor: EDITOR,
    ...each('read_bash stop_bash list_bash read_powershell stop_powershell', { tier: 'low' }),
    ...each('str_replace insert', WRITE_FILE),
    ...quiet('report_intent think update_todo store_memory fetch_copilot_cli_documentation ask_user task_complete'),
    rg: SEARCH_FILES,
    fetch_webpage: { tier: 'low', on: { path: 'read', url: 'fetch' }, args: { query: 'ignore' } },
    run_terminal_command: SHELL,
  },
}

export const opencode: ToolFamily = {
  family: 'opencode',
  servers: [],
  tools: {
    bash: SHELL,
    read: READ_FILE,
    ...each('write edit multiedit', WRITE_FILE),
    patch: PATCH,
    glob: FIND_FILES,
    list: LIST_FILES,
    grep: SEARCH_FILES,
    webfetch: FETCH_URL,
    ...each('websearch codesearch', WEB_SEARCH),
    task: SUBAGENT,
    ...quiet('todowrite todoread question skill invalid lsp'),
  },
}

export const cline: ToolFamily = {
  family: 'cline',
  servers: [],
  tools: {
    execute_command: SHELL,
    ...each('write_to_file replace_in_file apply_diff insert_content search_and_replace', WRITE_FILE),
    ...each('list_files list_code_definition_names', LIST_FILES),
    search_files: READ_FILE,
    browser_action: NAVIGATE,
    ...each('new_task', SUBAGENT),
    ...quiet('ask_followup_question attempt_completion plan_mode_respond switch_mode update_todo_list'),
    // The command-line client has tools of its own.
    run_commands: LISTED_SHELL,
    read_files: { tier: 'low', args: { 'files.*.path': 'read', 'files.*': 'read' } },
    search_codebase: { tier: 'low', args: { 'queries.*': 'ignore' } },
    fetch_web_content: { tier: 'low', args: { 'requests.*.url': 'fetch', 'requests.*.prompt': 'ignore' } },
    editor: WRITE_FILE,
    ...each('spawn_agent team_spawn_teammate team_run_task', SUBAGENT),
    ...quiet('ask_question team_shutdown_teammate team_status team_task team_cancel_run team_list_runs team_await_runs'),
    ...quiet('team_send_message team_broadcast team_read_mailbox team_mission_log team_cleanup team_create_outcome'),
    ...quiet('team_attach_outcome_fragment team_review_outcome_fragment team_finalize_outcome team_list_outcomes'),
    str_replace_based_edit_tool: EDITOR,
    fetch_instructions: { tier: 'low' },
  },
}

/** Goose's `developer` extension, Amazon Q and Kiro, Zed, Factory's Droid. */
/** What is typed into a session that runs; the other actions look at sessions, or end them. */
function driven(context: ToolContext): void {
  const action = context.text('action') ?? ''
  if (/^(?:list|poll|log|kill|clear|remove)$/.test(action)) return
  for (const name of ['data', 'text', 'keys', 'keys.*', 'literal', 'paste']) for (const each of context.all(name)) typedInto(context, each)
  context.emit('execute', context.thing('process', 'running session'), { action: 'proc:stdin' })
}

export const others: ToolFamily = {
  family: 'other-agents',
  servers: [],
  tools: {
    ...each('developer__shell execute_bash Execute', SHELL),
    ...each('developer__write developer__edit Create', WRITE_FILE),
    developer__tree: LIST_FILES,
    developer__read_image: { tier: 'low', args: { source: 'read' } },
    FetchUrl: FETCH_URL,
    terminal: { ...SHELL, args: { ...SHELL.args, cd: 'cwd' } },
    ...each('developer__text_editor text_editor fs_write', EDITOR),
    fs_read: READ_FILE,
    use_aws: {
      tier: 'medium',
      refine: (context) => {
        const words = ['aws', context.text('service_name') ?? '', context.text('operation_name') ?? '']
        for (const { pointer } of context.all('operation_name')) context.use('shell', { text: shellWords(words), pointer })
      },
    },
    ...each('get_errors lsp_diagnostics lsp_hover diagnostics read_lints list_code_usages test_search batch_read', READ_FILE),
    ...each('semantic_search finder', READ_FILE),
    ls: LIST_FILES,
    glob_files: FIND_FILES,
    ...quiet('todo_read get_changed_files get_terminal_output terminal_last_command fetch_rules task_output get_project_setup_info'),
    ...quiet('read_notebook_cell_output list_mcp_resource_templates'),
    developer__list_windows: { tier: 'low' },
    developer__screen_capture: { tier: 'low' },
    openclaw_exec: { ...SHELL, args: { ...SHELL.args, workdir: 'cwd' } },
    openclaw_process: { tier: 'medium', args: { action: 'ignore', sessionId: 'ignore' }, refine: driven },
    ...each('sessions_spawn sessions_send', SUBAGENT),
    ...quiet('session_status sessions_list sessions_history agents_list'),
  },
}

export const cascade: ToolFamily = {
  family: 'cascade',
  servers: [],
  tools: {
    run_command: SHELL,
    send_command_input: { tier: 'medium', args: { Input: 'shell', input: 'shell' } },
    ...each('view_file view_code_item view_file_outline view_content_chunk', READ_FILE),
    ...each('write_to_file replace_file_content multi_replace_file_content propose_code', WRITE_FILE),
    ...each('list_dir find_by_name', LIST_FILES),
    grep_search: SEARCH_FILES,
    search_web: WEB_SEARCH,
    ...each('read_url_content open_browser_url', FETCH_URL),
    ...each('invoke_subagent define_subagent manage_subagents browser_subagent', SUBAGENT),
    create_memory: MEMORY,
    schedule: { tier: 'medium', effects: [{ verb: 'persist', action: 'agent:schedule', kind: 'agent', value: 'schedule' }] },
    ...quiet(
      'command_status task_boundary notify_user manage_task generate_image ask_question list_permissions read_terminal trajectory_search',
    ),
  },
}

/** Web addresses in a prompt, which the tool fetches itself. */
function urls(text: string): readonly string[] {
  return [...text.matchAll(/https?:\/\/[^\s"'<>]{1,2000}/gi)].slice(0, 20).map((match) => match[0])
}
