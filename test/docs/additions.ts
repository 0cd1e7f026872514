/** What a stranger writes who follows the table "To add" of ARCHITECTURE.md, and nothing else: one of each. */

export interface Edit {
  readonly file: string
  /** Where the text goes: after the first place where this stands. Absent: the file is new. */
  readonly after?: string
  readonly text: string
}

export interface Addition {
  /** As in the first column of the table. */
  readonly what: string
  /** Source files that may be touched. */
  readonly files: number
  readonly edits: readonly Edit[]
}

const HOST = `import type { HostAdapter } from '../adapter.ts'
import { claudeCode } from '../claude-code/adapter.ts'

/** Speaks Claude Code's dialect under a name of its own. */
export const stranger: HostAdapter = { ...claudeCode, name: 'stranger', settingsPath: () => '/etc/stranger/hooks.json' }
`

const LAYER = `import { finding } from '../finding.ts'
import type { Layer } from '../layer.ts'

/** Asks about everything that a role \`stranger\` does. */
export const strangers: Layer = {
  name: 'strangers',
  onError: 'deny',
  evaluate: ({ call }) =>
    call.principal.role === 'stranger'
      ? [finding({ layer: 'strangers', rule: 'role', verdict: 'ask', code: 'strangers.unknown', message: 'nobody knows this role' })]
      : [],
}
`

const FAMILY = `import type { ToolFamily } from '../spec.ts'
import { act } from './shapes.ts'

export const strangerShop: ToolFamily = {
  family: 'mcp-stranger-shop',
  servers: ['strangershop'],
  exact: true,
  tools: { shut_down: act('high', 'delete shop:close', { kind: 'resource', from: ['shop'], value: 'shop', reversible: false }) },
}
`

const LANGUAGE = `import type { Knowledge } from './vocabulary.ts'
import { acting, NONE, words } from './vocabulary.ts'

export const STRANGE: Knowledge = {
  title: 'Strange',
  shape: { names: /[a-z]+/y, comments: ['#'], quotes: '"' },
  harmless: words('print'),
  acts: new Map([...acting('delete', 'obliterate', { tree: true })]),
  higher: NONE,
  builders: NONE,
  assigns: ['='],
}
`

const ROUTE = `import Type from 'typebox'
import { ok } from '../reply.ts'
import { type Route, route } from '../route.ts'

export function strangerRoutes(): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/stranger',
      tag: 'system',
      summary: 'Says hello to strangers',
      who: 'anyone',
      answers: { 200: { description: 'a greeting', schema: Type.Object({ hello: Type.Literal('stranger') }) } },
      handle: () => ok({ hello: 'stranger' }),
    }),
  ]
}
`

const STORE = `import { openStore } from '../sqlite/open.ts'
import type { Store } from '../store.ts'

/** Another engine: keeps what SQLite keeps, and counts what it was asked to keep. */
export function openCountingStore(directory: string): Store & { readonly appended: () => number } {
  const inner = openStore({ directory })
  let appended = 0
  return {
    append: (record) => {
      appended += 1
      return inner.append(record)
    },
    run: (work, record) => {
      appended += 1
      return inner.run(work, record)
    },
    query: (work) => inner.query(work),
    read: (query) => inner.read(query),
    get: (id) => inner.get(id),
    head: () => inner.head(),
    now: () => inner.now(),
    close: () => inner.close(),
    appended: () => appended,
  }
}
`

const HAZARD = `
    {
      id: 'stranger-shop',
      code: 'hazard.destruction',
      level: 'hard',
      reason: 'closes the shop',
      advice: null,
      safer: 'git status',
      examples: { match: ['strangerwipe /srv/shop'], not_match: ['git status'] },
      verbs: ['delete'],
      actions: ['shop'],
    },`

export const ADDITIONS: readonly Addition[] = [
  {
    what: 'shell command',
    files: 1,
    edits: [
      {
        file: 'src/facts/programs/files/converters.ts',
        after: 'export const converters: CommandTable = byName({',
        text: "\n  strangerwipe: { operands: ['delete'] },",
      },
    ],
  },
  {
    what: 'language read by its words',
    files: 5,
    edits: [
      { file: 'src/facts/languages/lexical/tables-strange.ts', text: LANGUAGE },
      { file: 'src/facts/languages/lexical/vocabulary.ts', after: 'export type WordLanguage =', text: " 'strange' |" },
      {
        file: 'src/facts/languages/lexical/tables.ts',
        after: "tables-science.ts'\n",
        text: "import { STRANGE } from './tables-strange.ts'\n",
      },
      { file: 'src/facts/languages/lexical/tables.ts', after: 'WordLanguage, Knowledge>> = {', text: '\n  strange: STRANGE,' },
      { file: 'src/facts/host.ts', after: 'export type Language =', text: "\n  | 'strange'" },
      {
        file: 'src/facts/programs/interpreters/languages.ts',
        after: "  raku: runsWords({ language: 'raku', code: ['-e'], valued: ['-I', '-M'] }),",
        text: "\n  strange: runsWords({ language: 'strange', code: ['-e'] }),",
      },
    ],
  },
  {
    what: "MCP family, or a host's own tools",
    files: 2,
    edits: [
      { file: 'src/facts/tools/families/stranger.ts', text: FAMILY },
      { file: 'src/facts/tools/registry.ts', after: "mcp-teams.ts'\n", text: "import { strangerShop } from './families/stranger.ts'\n" },
      { file: 'src/facts/tools/registry.ts', after: 'const servers = once((): readonly ToolFamily[] => [', text: '\n  strangerShop,' },
    ],
  },
  {
    what: 'verb, or thing that it is done to, in names of tools and words of unknown programs',
    files: 1,
    edits: [{ file: 'src/facts/resources/text/act-words.ts', after: "    'overwrite reimage zeroize ", text: 'mothball ' }],
  },
  {
    what: 'hazard',
    files: 1,
    edits: [{ file: 'src/layers/hazard/packs/destruction.ts', after: '  rules: [', text: HAZARD }],
  },
  {
    what: 'layer',
    files: 2,
    edits: [
      { file: 'src/layers/strangers/index.ts', text: LAYER },
      {
        file: 'src/open.ts',
        after: "import { rules } from './layers/rules/index.ts'\n",
        text: "import { strangers } from './layers/strangers/index.ts'\n",
      },
      { file: 'src/open.ts', after: 'export const LAYERS: readonly Layer[] = [', text: 'strangers, ' },
    ],
  },
  {
    what: 'host (an agent)',
    files: 2,
    edits: [
      { file: 'src/hosts/stranger/adapter.ts', text: HOST },
      {
        file: 'src/hosts/index.ts',
        after: "from './claude-code/adapter.ts'\n",
        text: "import { stranger } from './stranger/adapter.ts'\n",
      },
      { file: 'src/hosts/index.ts', after: 'ROWS: Readonly<Record<string, () => HostAdapter>> = {', text: '\n  stranger: () => stranger,' },
    ],
  },
  {
    what: 'route',
    files: 2,
    edits: [
      { file: 'src/server/routes/stranger.ts', text: ROUTE },
      { file: 'src/server/routes/index.ts', after: "from './stats.ts'\n", text: "import { strangerRoutes } from './stranger.ts'\n" },
      { file: 'src/server/routes/index.ts', after: '  const routes = [', text: '\n    ...strangerRoutes(),' },
    ],
  },
  { what: 'store', files: 1, edits: [{ file: 'src/store/counting/open.ts', text: STORE }] },
  {
    what: 'sub-path of the package (`countersign/<name>`)',
    files: 2,
    edits: [
      { file: 'src/library/strangers.ts', text: "export { strangers } from '../layers/strangers/index.ts'\n" },
      {
        file: 'package.json',
        after: '"exports": {',
        text: '\n    "./strangers": { "types": "./dist/types/library/strangers.d.ts", "default": "./dist/lib/strangers.js" },',
      },
    ],
  },
  {
    what: 'reason code',
    files: 1,
    edits: [
      {
        file: 'src/core/codes.ts',
        after: 'export const CODES = {',
        text: "\n  'strangers.unknown': text('the role of the agent is not known', ASK_A_PERSON),",
      },
    ],
  },
]

/** Run in the changed copy; prints what the additions do. */
export const PROBE = `import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGate, parseCall } from './src/library/advanced.ts'
import { HOSTS } from './src/hosts/all.ts'
import { compilePolicy } from './src/library/policy.ts'
import { routesOf } from './src/server/routes/index.ts'
import { openCountingStore } from './src/store/counting/open.ts'

const home = mkdtempSync(join(tmpdir(), 'countersign-additions-'))
const compiled = compilePolicy('version: 1\\nunregistered: ask\\nlayers: { strangers: { enforcement: hard } }\\n')
if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
const state = { policy: compiled.policy, degraded: null }
const store = openCountingStore(home)
const { gate, close } = openGate({ home, policy: () => state, store })

async function decided(call: object) {
  const parsed = parseCall(JSON.stringify({ cwd: '/srv/work', ...call }))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed))
  const { effects, findings } = await gate.decide(parsed.call)
  return {
    effects: effects.map(({ verb, action, target }) => [verb, action ?? 'nothing', target.value].join(' ')),
    rules: findings.map(({ layer, rule, code }) => [layer, rule, code].join(' ')),
  }
}

const command = await decided({ tool: 'Bash', args: { command: 'strangerwipe /srv/old' } })
const code = await decided({ tool: 'Bash', args: { command: "strange -e 'obliterate(\\"/srv/data\\")'" } })
const family = await decided({ tool: 'shut_down', server: 'strangershop', args: { shop: 'main' } })
const words = await decided({ tool: 'Bash', args: { command: 'acmectl mothball main' } })
const role = await decided({ tool: 'Read', args: { file_path: '/srv/work/a' }, principal: { role: 'stranger' } })
const routes = routesOf(new Proxy({}, { get: () => () => null }) as never)
process.stdout.write(
  JSON.stringify({
    problems: null,
    command: command.effects,
    code: code.effects,
    family: family.effects,
    words: words.effects,
    hazard: family.rules,
    layer: role.rules,
    host: HOSTS.map(({ name }) => name),
    route: routes.map(({ path }) => path),
    store: store.appended(),
  }),
)
close()
`
