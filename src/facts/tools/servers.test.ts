import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { linesOf } from './tool-harness.ts'

/** Tools of well-known MCP servers. */

describe('filesystem', () => {
  for (const [tool, args, called, expected] of [
    ['read_file', { path: 'a.txt' }, { server: 'filesystem' }, ['read path /repo/a.txt']],
    ['read_multiple_files', { paths: ['a', '/etc/shadow'] }, { server: 'filesystem' }, ['read path /repo/a', 'read path /etc/shadow']],
    ['write_file', { path: 'a.txt', content: 'x' }, { server: 'filesystem' }, ['write path /repo/a.txt']],
    [
      'edit_file',
      { path: 'a.txt', edits: [{ oldText: 'x', newText: 'y' }], dryRun: false },
      { server: 'filesystem' },
      ['write path /repo/a.txt'],
    ],
    ['move_file', { source: 'a', destination: 'b' }, { server: 'filesystem' }, ['delete fs:move path /repo/a !', 'write path /repo/b']],
    ['copy_file', { source: 'a', destination: 'b' }, { server: 'filesystem' }, ['read path /repo/a', 'write path /repo/b']],
    ['delete_file', { path: 'a' }, { server: 'filesystem' }, ['delete path /repo/a !']],
    ['list_directory', { path: '/etc' }, { server: 'filesystem' }, ['read fs:list path /etc']],
    ['directory_tree', { path: '.' }, { server: 'filesystem' }, ['read fs:list path /repo']],
    ['search_files', { path: '.', pattern: '*.pem' }, { server: 'filesystem' }, ['read fs:list path /repo']],
    ['create_directory', { path: 'd' }, { server: 'filesystem' }, ['write path /repo/d']],
    ['set_permissions', { path: 'a', mode: '777' }, { server: 'filesystem' }, ['change fs:chmod path /repo/a']],
    ['mcp__filesystem__read_file', { path: 'a.txt' }, {}, ['read path /repo/a.txt']],
    ['mcp_filesystem_write_file', { path: 'a.txt', content: 'x' }, {}, ['write path /repo/a.txt']],
    [
      'read_text_file',
      { path: 'a', extra: { target_path: '/etc/passwd' } },
      { server: 'secure-filesystem-server' },
      ['read path /repo/a', 'read path /etc/passwd'],
    ],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args, called)).toEqual(expected))
  }
})

describe('teams, stores and small things', () => {
  for (const [server, tool, args, expected] of [
    ['jira', 'jira_search', { jql: 'project = X' }, ['read resource:read resource project = X']],
    ['mcp-atlassian', 'jira_create_issue', { project_key: 'X', summary: 'y' }, ['publish resource:publish resource X !']],
    ['mcp-atlassian', 'jira_delete_issue', { issue_key: 'X-1' }, ['delete resource:delete resource X-1 !']],
    ['atlassian', 'getJiraIssue', { issueIdOrKey: 'X-1' }, ['read resource:read resource service']],
    ['atlassian', 'updateConfluencePage', { pageId: '7' }, ['publish resource:publish resource 7 !']],
    ['confluence', 'confluence_set_page_restrictions', { page_id: '7' }, ['change access:grant resource 7']],
    ['linear', 'list_issues', {}, ['read resource:read resource service']],
    ['linear', 'save_issue', { title: 'x' }, ['publish resource:publish resource x !']],
    ['sentry', 'search_issues', { query: 'x' }, ['read resource:read resource x']],
    ['sentry', 'update_issue', { issueId: '1' }, ['publish resource:publish resource 1 !']],
    ['notion', 'notion-search', { query: 'x' }, ['read resource:read resource x']],
    ['notion', 'API-delete-a-block', { block_id: 'b' }, ['delete resource:delete resource b !']],
    ['google-drive', 'read_file_content', { fileId: 'f' }, ['read resource:read resource service']],
    ['google-drive', 'share_file', { fileId: 'f', email: 'a@b.example' }, ['change access:grant resource f']],
    ['mongodb', 'find', { database: 'd', collection: 'c', filter: {} }, ['read sql:select database d']],
    ['mongodb', 'delete-many', { database: 'd', collection: 'c', filter: {} }, ['delete sql:delete database d !']],
    ['mongodb', 'update-many', { database: 'd', collection: 'c', filter: { a: 1 } }, ['write sql:update database d']],
    ['mongodb', 'update-many', { database: 'd', collection: 'c' }, ['write sql:update database d !']],
    ['mongodb', 'drop-database', { database: 'd' }, ['delete sql:drop database d !']],
    ['mongodb', 'aggregate', { database: 'd', pipeline: [{ $match: {} }] }, ['read sql:select database d']],
    [
      'mongodb',
      'aggregate',
      { database: 'd', pipeline: [{ $out: 'x' }] },
      ['read sql:select database d', 'write sql:replace database d !'],
    ],
    ['redis', 'get', { key: 'k' }, ['read sql:select database database']],
    ['redis', 'set', { key: 'k', value: 'v' }, ['write sql:insert database database']],
    ['redis', 'delete', { key: 'k' }, ['delete sql:delete database database !']],
    ['redis', 'flushall', {}, ['delete sql:flush database database !']],
    ['aws-api', 'call_aws', { cli_command: 'aws s3 rb s3://x --force' }, ['delete cloud:delete resource s3://x !']],
    ['aws-api', 'suggest_aws_commands', { query: 'delete my bucket' }, []],
    ['sequential-thinking', 'sequentialthinking', { thought: 'rm -rf /' }, []],
    ['time', 'get_current_time', { timezone: 'UTC' }, []],
    ['github', 'create_gist', { filename: 'a', content: 'x' }, ['publish gh:gist repository a !']],
    ['github', 'actions_run_trigger', { owner: 'o', repo: 'r' }, ['change gh:workflow-run repository r']],
    ['gmail', 'create_filter', { action: { forward: 'x@y.example' } }, ['change mail:settings resource mail:settings !']],
    ['gmail', 'modify_email', { messageId: '1' }, ['change mail:label resource 1']],
    ['gmail', 'download_attachment', { attachmentId: 'a', savePath: 'x.pdf' }, ['write path /repo/x.pdf', 'read mail:read resource a']],
    ['google-calendar', 'create-event', { summary: 's' }, ['change calendar:event resource s']],
    [
      'google-calendar',
      'create-event',
      { summary: 's', attendees: [{ email: 'a@b.example' }] },
      ['change calendar:event resource s', 'send calendar:invite address a@b.example !'],
    ],
    ['kubernetes', 'kubectl_get', { resourceType: 'pods' }, ['read k8s:read resource pods']],
    ['kubernetes', 'kubectl_get', { resourceType: 'secrets', name: 'x' }, ['read k8s:secret-read resource x']],
    ['kubernetes', 'kubectl_get', { resourceType: 'secret/db' }, ['read k8s:secret-read resource secret/db']],
    ['playwright', 'browser_take_screenshot', { filename: 'a.png' }, ['write path /repo/a.png', 'read browser:read resource page']],
    ['playwright', 'browser_snapshot', {}, ['read browser:read resource page']],
    [
      'playwright',
      'browser_evaluate',
      { function: "() => fetch('http://10.0.0.1/x')" },
      ["execute browser:script code () => fetch('http://10.0.0.1/x')", 'likely fetch url http://10.0.0.1/x'],
    ],
    ['desktop-commander', 'interact_with_process', { pid: 7, input: 'rm a' }, ['execute proc:stdin process 7', 'delete path /repo/a !']],
    // Names of every day belong to nobody without the server's name.
    ['acme', 'get', { key: 'k' }, ['likely read resource k']],
    ['acme', 'search', { query: 'k' }, ['likely read resource search']],
  ] as const) {
    test(`${server} ${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args as JsonObject, { server })).toEqual(expected))
  }
})

describe('git', () => {
  for (const [args, expected] of [
    [{ repo_path: '/repo', target: '--output=/tmp/x' }, true],
    [{ repo_path: '/repo', target: 'main' }, false],
    [{ repo_path: '/repo', start_timestamp: '--exec=x' }, true],
  ] as const) {
    test(`an option among the names: ${JSON.stringify(args)}`, () =>
      expect(linesOf('git_diff', args, { server: 'git' }).some((line) => line.includes('<option>'))).toBe(expected))
  }
  test('a repository is made where the call says', () =>
    expect(linesOf('git_init', { repo_path: '/srv/x' }, { server: 'git' })).toEqual([
      'write path /srv/x',
      'change git:init repository /srv/x',
    ]))

  for (const [tool, args, called, expected] of [
    ['git_status', { repo_path: '/repo' }, { server: 'git' }, ['read fs:list path /repo', 'read git:read repository /repo']],
    [
      'git_commit',
      { repo_path: '/repo', message: 'x' },
      { server: 'git' },
      ['read fs:list path /repo', 'change git:commit repository /repo'],
    ],
    [
      'git_push',
      { repo_path: '/repo', branch: 'main' },
      { server: 'git' },
      ['read fs:list path /repo', 'publish git:push repository origin'],
    ],
    ['git_reset', { repo_path: '/repo' }, { server: 'git' }, ['read fs:list path /repo', 'change git:reset repository /repo']],
    [
      'git_checkout',
      { repo_path: '/repo', branch_name: '--orphan' },
      { server: 'git' },
      ['read fs:list path /repo', 'change git:checkout repository /repo', 'execute git:tool code --orphan <option>'],
    ],
    [
      'git_diff',
      { repo_path: '/repo', target: '--output=/tmp/x' },
      { server: 'git' },
      [
        'read fs:list path /repo',
        'possible execute code --output=/tmp/x',
        'read git:read repository /repo',
        'write git:read path /tmp/x',
        'execute git:tool code --output=/tmp/x <option>',
      ],
    ],
    ['git_add', { repo_path: '/repo', files: ['a'] }, { server: 'git' }, ['read fs:list path /repo', 'change git:index repository /repo']],
    ['git_log', { repo_path: '../../..' }, { server: 'git' }, ['read fs:list path / <traversal>', 'read git:read repository ../../..']],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args, called)).toEqual(expected))
  }
})

describe('hosts of code', () => {
  for (const [tool, args, called, expected] of [
    [
      'create_issue',
      { owner: 'o', repo: 'r', title: 'x', body: 'see /etc/passwd' },
      { server: 'github' },
      ['publish gh:issue repository r !'],
    ],
    ['merge_pull_request', { owner: 'o', repo: 'r', pull_number: 3 }, { server: 'github' }, ['change gh:pr-merge repository r !']],
    [
      'push_files',
      { owner: 'o', repo: 'r', branch: 'main', files: [{ path: 'a', content: 'x' }] },
      { server: 'github' },
      ['publish git:push repository r !'],
    ],
    ['get_file_contents', { owner: 'o', repo: 'r', path: 'README.md' }, { server: 'github' }, ['read gh:read repository r']],
    ['delete_repository', { owner: 'o', repo: 'r' }, { server: 'github' }, ['delete gh:repo-delete repository r !']],
    ['delete_file', { owner: 'o', repo: 'r', path: 'a', branch: 'b' }, { server: 'github' }, ['delete gh:file-delete repository r']],
    ['list_issues', { owner: 'o', repo: 'r' }, { server: 'github' }, ['read gh:read repository r']],
    ['run_workflow', { owner: 'o', repo: 'r', workflow_id: 'deploy.yml' }, { server: 'github' }, ['change gh:workflow-run repository r']],
    ['create_merge_request', { project_id: '1', title: 'x' }, { server: 'gitlab' }, ['publish gl:pr-create repository 1 !']],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args, called)).toEqual(expected))
  }
})

describe('fetch, shell, browser', () => {
  for (const [tool, args, called, expected] of [
    ['fetch', { url: 'http://169.254.169.254/latest' }, { server: 'fetch' }, ['fetch url http://169.254.169.254/latest']],
    ['fetch_html', { url: 'https://example.com' }, { server: 'fetch' }, ['fetch url https://example.com']],
    ['execute_command', { command: 'rm a' }, { server: 'shell' }, ['delete path /repo/a !']],
    ['run_command', { command: 'rm', args: ['-rf', 'a'] }, { server: 'shell' }, ['delete path /repo/a !']],
    ['browser_navigate', { url: 'https://example.com' }, { server: 'playwright' }, ['fetch url https://example.com']],
    [
      'puppeteer_evaluate',
      { script: 'fetch("https://x.example")' },
      { server: 'puppeteer' },
      ['execute browser:script code fetch("https://x.example")', 'likely fetch url https://x.example'],
    ],
    ['browser_click', { element: 'Buy', ref: 'e1' }, { server: 'playwright' }, ['change browser:act resource Buy']],
    [
      'browser_file_upload',
      { paths: ['/etc/passwd'] },
      { server: 'playwright' },
      ['read path /etc/passwd', 'send browser:upload resource page !'],
    ],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args, called)).toEqual(expected))
  }
})

describe('databases and memory', () => {
  for (const [tool, args, called, expected] of [
    ['query', { sql: 'DELETE FROM users' }, { server: 'postgres' }, ['delete sql:delete database database !']],
    ['read_query', { query: 'SELECT 1' }, { server: 'sqlite' }, ['read sql:select database database']],
    ['write_query', { query: 'DROP TABLE users' }, { server: 'sqlite' }, ['delete sql:drop database database !']],
    ['execute_sql', { query: 'TRUNCATE orders', project_id: 'p' }, { server: 'supabase' }, ['delete sql:truncate database database !']],
    ['create_entities', { entities: [{ name: 'x' }] }, { server: 'memory' }, ['persist agent:memory agent memory']],
    ['search_nodes', { query: 'x' }, { server: 'memory' }, ['read agent:memory agent memory']],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args, called)).toEqual(expected))
  }
})

describe('people and money', () => {
  for (const [tool, args, called, expected] of [
    ['slack_post_message', { channel_id: 'C1', text: 'hi' }, { server: 'slack' }, ['send chat:message address C1 !']],
    ['slack_get_channel_history', { channel_id: 'C1' }, { server: 'slack' }, ['read chat:read resource chat:read']],
    ['send_email', { to: ['a@b.example'], subject: 'x', body: 'y' }, { server: 'gmail' }, ['send mail:send address a@b.example !']],
    [
      'send_email',
      { to: 'a@b.example', attachments: ['/repo/a.pdf'] },
      { server: 'gmail' },
      ['read path /repo/a.pdf', 'send mail:send address a@b.example !'],
    ],
    ['draft_email', { to: ['a@b.example'], subject: 'x' }, { server: 'gmail' }, ['change mail:draft address a@b.example !']],
    ['search_emails', { query: 'password' }, { server: 'gmail' }, ['read mail:read resource mail:read']],
    ['delete_email', { messageId: 'm1' }, { server: 'gmail' }, ['delete mail:delete resource m1 !']],
    [
      'create_event',
      { summary: 'x', attendees: ['a@b.example'] },
      { server: 'google-calendar' },
      ['change calendar:event resource x', 'send calendar:invite address a@b.example !'],
    ],
    ['delete_event', { eventId: 'e1' }, { server: 'google-calendar' }, ['delete calendar:event resource e1 !']],
    ['create_refund', { payment_intent: 'pi_1', amount: 100 }, { server: 'stripe' }, ['pay payment:refund account pi_1 !']],
    ['create_payment_link', { price: 'p1' }, { server: 'stripe' }, ['change payment:billing resource p1']],
    ['list_customers', { limit: 3 }, { server: 'stripe' }, ['read payment:read resource payment:read']],
    ['send_money', { recipient: 'X1', amount: 3, subject: 'rent' }, { server: 'bank' }, ['pay payment:transfer account X1 !']],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args, called)).toEqual(expected))
  }
})

describe('clusters', () => {
  for (const [tool, args, called, expected] of [
    ['kubectl_get', { resourceType: 'pods', namespace: 'prod' }, { server: 'kubernetes' }, ['read k8s:read resource pods']],
    ['kubectl_delete', { resourceType: 'deployment', name: 'api' }, { server: 'kubernetes' }, ['delete k8s:delete resource api !']],
    ['pods_exec', { name: 'api', command: ['rm', '-rf', '/'] }, { server: 'kubernetes' }, ['execute k8s:exec resource api']],
    ['helm_uninstall', { name: 'api' }, { server: 'helm' }, ['delete helm:uninstall resource api !']],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args, called)).toEqual(expected))
  }
})
