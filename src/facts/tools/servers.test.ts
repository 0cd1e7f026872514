import { describe, expect, test } from 'vitest'
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

describe('git', () => {
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
      ['read fs:list path /repo', 'publish git:push repository /repo !'],
    ],
    ['git_reset', { repo_path: '/repo' }, { server: 'git' }, ['read fs:list path /repo', 'change git:index repository /repo']],
    [
      'git_checkout',
      { repo_path: '/repo', branch_name: '--orphan' },
      { server: 'git' },
      ['read fs:list path /repo', 'likely execute code --orphan <option>', 'change git:commit repository /repo'],
    ],
    [
      'git_diff',
      { repo_path: '/repo', target: '--output=/tmp/x' },
      { server: 'git' },
      ['read fs:list path /repo', 'read git:read repository /repo'],
    ],
    ['git_add', { repo_path: '/repo', files: ['a'] }, { server: 'git' }, ['read fs:list path /repo', 'change git:commit repository /repo']],
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
    ['run_workflow', { owner: 'o', repo: 'r', workflow_id: 'deploy.yml' }, { server: 'github' }, ['execute gh:workflow repository r']],
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
      ['execute browser:script code fetch("https://x.example")'],
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
    ['search_nodes', { query: 'x' }, { server: 'memory' }, []],
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
    ['create_event', { summary: 'x', attendees: ['a@b.example'] }, { server: 'google-calendar' }, ['change calendar:event resource x']],
    ['delete_event', { eventId: 'e1' }, { server: 'google-calendar' }, ['delete calendar:event resource e1 !']],
    ['create_refund', { payment_intent: 'pi_1', amount: 100 }, { server: 'stripe' }, ['pay payment:refund account payment:refund !']],
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
