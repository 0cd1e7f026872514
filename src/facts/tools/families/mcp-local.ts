/** Common MCP servers that work on this machine or fetch for it: filesystem, git, fetch, shell, browsers, databases, memory. */
import type { ToolContext, ToolFamily, ToolSpec } from '../spec.ts'
import {
  byName,
  DELETE_FILE,
  EDITOR,
  each,
  FETCH_URL,
  FIND_FILES,
  LIST_FILES,
  LOOK_AT_PAGE,
  MEMORY,
  NAVIGATE,
  PAGE_ACT,
  PAGE_SCRIPT,
  quiet,
  READ_FILE,
  SEARCH_FILES,
  SERVER_SCRIPT,
  SHELL,
  WEB_SEARCH,
  WRITE_FILE,
} from './shapes.ts'
import { typedInto } from './typed.ts'

const MOVE_ARGS = {
  source: 'move',
  old_path: 'move',
  from: 'move',
  src: 'move',
  destination: 'write',
  new_path: 'write',
  to: 'write',
  dst: 'write',
} as const

export const filesystem: ToolFamily = {
  family: 'mcp-filesystem',
  servers: ['filesystem', 'fs', 'files', 'desktop-commander', 'secure-filesystem-server'],
  tools: byName({
    'read_file read_text_file read_media_file read_multiple_files get_file_contents cat_file view_file get_file_info head_file': READ_FILE,
    'write_file create_file save_file append_file edit_file edit_block update_file modify_file create_directory make_directory': WRITE_FILE,
    'list_directory list_directory_with_sizes directory_tree list_files list_dir get_file_info list_allowed_directories': LIST_FILES,
    search_files: FIND_FILES,
    start_search: SEARCH_FILES,
    ...quiet('get_more_search_results list_searches stop_search'),
    'delete_file remove_file delete_directory remove_directory': DELETE_FILE,
    'move_file rename_file': { tier: 'medium', args: MOVE_ARGS },
    copy_file: { tier: 'low', args: { ...MOVE_ARGS, source: 'read', old_path: 'read', from: 'read', src: 'read' } },
    str_replace_editor: EDITOR,
    'chmod set_permissions': {
      tier: 'medium',
      on: { path: 'ignore' },
      refine: (context) => {
        for (const path of context.all('path')) changeMode(context, path)
      },
    },
  }),
}

function changeMode(context: ToolContext, path: { readonly text: string; readonly pointer: string }): void {
  const mode = context.value('mode')
  const attributes = { mode: typeof mode === 'number' ? String(mode) : (context.text('mode', 'permissions') ?? 'unknown') }
  context.use('change', path, { action: 'fs:chmod', attributes })
}

const METHODS_THAT_SEND: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** A request by its arguments; `always` where the tool's own name says that it sends. */
function request(context: ToolContext, always = false): void {
  const method = (context.text('method', 'http_method') ?? 'GET').toUpperCase()
  const sends =
    always || METHODS_THAT_SEND.has(method) || ['body', 'data', 'json', 'payload'].some((name) => context.value(name) !== undefined)
  for (const name of ['url', 'uri', 'endpoint', 'target', 'server']) {
    for (const url of context.all(name)) context.use(sends ? 'send' : 'fetch', url, { attributes: always ? {} : { method } })
  }
}

const REQUEST: ToolSpec = {
  tier: 'medium',
  on: { url: 'ignore', host: 'ignore', path: 'ignore' },
  args: { server: 'ignore', target: 'ignore' },
  refine: (context) => request(context),
}
const POST: ToolSpec = { ...REQUEST, tier: 'high', refine: (context) => request(context, true) }

export const fetch: ToolFamily = {
  family: 'mcp-fetch',
  servers: ['fetch', 'http', 'requests', 'curl', 'web', 'firecrawl', 'exa', 'tavily', 'brave', 'brave-search', 'search', 'context7'],
  tools: byName({
    'fetch fetch_url fetch_html fetch_json fetch_txt fetch_markdown http_get get_webpage read_url firecrawl_scrape firecrawl_crawl firecrawl_map':
      FETCH_URL,
    'fetch_readable fetch_youtube_transcript': FETCH_URL,
    'http_request make_request api_call api_request': REQUEST,
    'http_post http_put http_delete http_patch webhook send_webhook': POST,
    'brave_web_search brave_local_search tavily_search tavily-search web_search web_search_exa firecrawl_search google_search': WEB_SEARCH,
    post_webpage: { tier: 'high', on: { url: 'send' } },
  }),
}

export const shell: ToolFamily = {
  family: 'mcp-shell',
  servers: 'shell desktop-commander terminal bash command commands cli ssh code-runner python e2b sandbox'.split(' '),
  tools: byName({
    'run_command execute_command run_bash execute_bash shell_exec run_shell exec_shell start_process terminal_execute TerminalExecute':
      SHELL,
    interact_with_process: {
      tier: 'medium',
      args: { input: 'ignore' },
      effects: [{ verb: 'execute', action: 'proc:stdin', kind: 'process', from: ['pid'], value: 'running session' }],
      refine: (context) => {
        for (const text of context.all('input')) typedInto(context, text)
      },
    },
    'kill_process force_terminate': {
      tier: 'medium',
      effects: [{ verb: 'change', action: 'proc:kill', kind: 'process', from: ['pid'], value: 'process' }],
    },
    'read_process_output list_processes list_sessions': {
      tier: 'low',
      effects: [{ verb: 'read', action: 'proc:stdin', kind: 'process', from: ['pid'], value: 'running session' }],
    },
    'run_python execute_python python python_exec ipython': {
      tier: 'medium',
      args: { code: 'python', script: 'python', source: 'python' },
    },
    'run_javascript execute_javascript': { tier: 'medium', args: { code: 'javascript', script: 'javascript' } },
    'run_code execute_code': { tier: 'medium' },
  }),
}

export const browser: ToolFamily = {
  family: 'mcp-browser',
  servers: 'playwright puppeteer browser chrome chrome-devtools browserbase stagehand browser-use claude-in-chrome'.split(' '),
  tools: byName({
    'browser_navigate puppeteer_navigate navigate navigate_page new_page browser_tab_new stagehand_navigate browse WebBrowserNavigateTo':
      NAVIGATE,
    'browser_evaluate puppeteer_evaluate evaluate_script javascript_tool evaluate': PAGE_SCRIPT,
    'browser_run_code browser_run_code_unsafe': { ...PAGE_SCRIPT, ...SERVER_SCRIPT },
    'browser_click browser_type browser_fill_form browser_select_option browser_drag browser_press_key browser_handle_dialog': PAGE_ACT,
    ...each(
      'puppeteer_click puppeteer_fill puppeteer_select puppeteer_hover click fill fill_form form_input stagehand_act ' +
        'browser_hover drag hover press_key handle_dialog',
      PAGE_ACT,
    ),
    'browser_file_upload upload_file': {
      tier: 'high',
      on: { path: 'read' },
      effects: [{ verb: 'send', action: 'browser:upload', kind: 'resource', value: 'page', fixed: { carries: 'file' } }],
    },
    'browser_snapshot browser_take_screenshot browser_console_messages browser_network_requests browser_pdf_save': LOOK_AT_PAGE,
    'puppeteer_screenshot take_snapshot take_screenshot list_console_messages list_network_requests get_network_request': LOOK_AT_PAGE,
    'get_console_message performance_start_trace performance_stop_trace performance_analyze_insight': LOOK_AT_PAGE,
    'browser_wait_for browser_close browser_navigate_back browser_resize browser_tabs list_pages select_page close_page': {
      tier: 'low',
    },
    'resize_page wait_for emulate browser_verify_element_visible browser_verify_text_visible': { tier: 'low' },
    browser_install: {
      tier: 'medium',
      effects: [{ verb: 'fetch', action: 'pkg:download', kind: 'package', value: 'browser' }],
    },
  }),
}

const APPLESCRIPT: ToolSpec = {
  tier: 'medium',
  args: Object.fromEntries(
    ['code_snippet', 'script', 'script_content', 'scriptContent', 'code', 'script_code'].map((name) => [name, 'applescript'] as const),
  ),
}

export const applescript: ToolFamily = {
  family: 'mcp-applescript',
  servers: ['applescript', 'apple-script', 'osascript', 'macos-automator'],
  exact: true,
  tools: each('execute run_script execute_script applescript_execute run_applescript execute_applescript run osascript', APPLESCRIPT),
}

const CELL: ToolSpec = {
  tier: 'medium',
  args: { code: 'python', source: 'python', cell_source: 'python', cell_content: 'python' },
}

export const notebooks: ToolFamily = {
  family: 'mcp-notebook',
  servers: ['jupyter', 'notebook', 'ide', 'ipython', 'colab'],
  exact: true,
  tools: byName({
    'execute_cell execute_code execute_ipython insert_execute_code_cell append_execute_code_cell executeCode run_cell': CELL,
  }),
}

const QUERY: ToolSpec = {
  tier: 'medium',
  args: { sql: 'sql', query: 'sql', statement: 'sql', 'statements.*': 'sql', connection_string: 'ignore' },
}

export const database: ToolFamily = {
  family: 'mcp-database',
  servers: 'postgres postgresql sqlite mysql mariadb database db sql supabase neon bigquery snowflake duckdb mssql clickhouse'.split(' '),
  tools: byName({
    ...each(
      'query execute_sql run_sql execute_query read_query write_query query_database db_query run_query pg_execute_query mysql_query ' +
        'explain_query',
      QUERY,
    ),
    'create_table alter_table execute': QUERY,
    'apply_migration run_migration run_migrations migrate': {
      ...QUERY,
      effects: [{ verb: 'change', action: 'sql:migrate', kind: 'database', from: ['name', 'database', 'migration'], value: 'database' }],
    },
    'list_tables describe_table list_schemas describe_schema list_objects get_object_details': {
      tier: 'low',
      effects: [{ verb: 'read', action: 'sql:show', kind: 'database', from: ['table_name', 'schema', 'database'], value: 'database' }],
    },
    append_insight: { tier: 'low' },
  }),
}

export const memory: ToolFamily = {
  family: 'mcp-memory',
  servers: ['memory', 'mem0', 'knowledge-graph'],
  tools: byName({
    'create_entities create_relations add_observations add_memory save_memory': MEMORY,
    'delete_entities delete_observations delete_relations delete_all_memories': {
      tier: 'high',
      irreversible: true,
      effects: [{ verb: 'delete', action: 'agent:memory', kind: 'agent', value: 'memory' }],
    },
    'read_graph search_nodes open_nodes search_memory': {
      tier: 'low',
      effects: [{ verb: 'read', action: 'agent:memory', kind: 'agent', value: 'memory' }],
    },
  }),
}
