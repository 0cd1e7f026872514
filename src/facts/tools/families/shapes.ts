/** Shapes of tools that many families share. */
import { hasClass, target } from '../../effect.ts'
import { pathTarget } from '../../resources/path/index.ts'
import { describeUrl, urlAttributes, urlsIn, urlTarget } from '../../resources/url/index.ts'
import type { Argument, ToolContext, ToolEffect, ToolSpec } from '../spec.ts'

/** Bookkeeping of the agent itself: nothing outside it is touched. */
const QUIET: ToolSpec = {
  tier: 'low',
  on: { path: 'ignore', url: 'ignore', host: 'ignore', command: 'ignore', code: 'ignore', sql: 'ignore' },
}

export function quiet(names: string): Readonly<Record<string, ToolSpec>> {
  return each(names, QUIET)
}

/** A table in which what stands at `'get list'` stands under each of the two names. */
export function byName(entries: Readonly<Record<string, ToolSpec>>): Readonly<Record<string, ToolSpec>> {
  return Object.fromEntries(Object.entries(entries).flatMap(([names, spec]) => names.split(' ').map((name) => [name, spec])))
}

/** The same spec under several names, separated by blanks. */
export function each(names: string, spec: ToolSpec): Readonly<Record<string, ToolSpec>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, spec]))
}

export const SHELL: ToolSpec = { tier: 'medium', on: { command: 'shell', cwd: 'cwd', path: 'cwd' }, args: { description: 'ignore' } }
export const READ_FILE: ToolSpec = { tier: 'low', on: { path: 'read' } }
export const LIST_FILES: ToolSpec = { tier: 'low', on: { path: 'list' } }

/** Arguments that say which names are searched, and in which directory. */
const NAMES_SEARCHED = ['glob', 'include', 'include_pattern', 'includePattern', 'includes.*', 'Includes.*']
const SEARCHED_IN = ['path', 'dir_path', 'directory', 'SearchPath', 'SearchDirectory']

/** A search over `.env*` reads secrets, wherever it starts. `{a,b}` is looked at part by part; what `!` leaves out is not read. */
function readNamed(context: ToolContext, { text, pointer }: Argument): void {
  if (text.startsWith('!')) return
  const base = context.text(...SEARCHED_IN) ?? '.'
  for (const name of alternatives(text)) {
    const on = pathTarget(name.startsWith('/') || name.startsWith('~') ? name : `${base}/${name}`, context.cwd, context.view)
    if (hasClass(on, 'credential')) context.emit('read', on, { certainty: 'likely', span: { pointer, start: 0, end: text.length } })
  }
}

const MAX_ALTERNATIVES = 32

function alternatives(text: string): readonly string[] {
  const open = text.indexOf('{')
  const close = text.indexOf('}', open)
  if (open < 0 || close < 0) return text.split(',').slice(0, MAX_ALTERNATIVES)
  const parts = text.slice(open + 1, close).split(',')
  return parts.slice(0, MAX_ALTERNATIVES).map((part) => text.slice(0, open) + part.trim() + text.slice(close + 1))
}

/** Search for text in files. */
export const SEARCH_FILES: ToolSpec = {
  tier: 'low',
  on: { path: 'read' },
  args: {
    pattern: 'ignore',
    query: 'ignore',
    Query: 'ignore',
    ...Object.fromEntries(NAMES_SEARCHED.map((name): [string, 'ignore'] => [name, 'ignore'])),
  },
  onlyFiles: true,
  refine: (context) => {
    for (const name of NAMES_SEARCHED) for (const given of context.all(name)) readNamed(context, given)
    for (const name of SEARCHED_IN)
      for (const given of context.all(name))
        if (hasClass(pathTarget(given.text, context.cwd, context.view), 'home-root', 'filesystem-root'))
          context.use('read', given, { attributes: { recursive: true } })
  },
}

/** Search for files by name: a pattern that says where it starts lists that place. */
export const FIND_FILES: ToolSpec = {
  tier: 'low',
  on: { path: 'list' },
  args: { pattern: 'ignore' },
  onlyFiles: true,
  refine: (context) => {
    for (const { text, pointer } of context.all('pattern')) {
      const fixed = text.slice(0, Math.max(0, text.search(/[*?[{]|$/)))
      const start = fixed.slice(0, fixed.lastIndexOf('/') + 1)
      const name = text.slice(text.lastIndexOf('/') + 1)
      const options = /[a-z]/i.test(name) ? { attributes: { recursive: true, named: [name] } } : {}
      if (/^[/~]/.test(start)) context.use('list', { text: start.replace(/(?<=.)\/$/, ''), pointer }, options)
      else if (hasClass(pathTarget(name.replaceAll('*', 'a'), null, context.view), 'credential'))
        for (const path of context.all('path')) if (/^[/~]/.test(path.text)) context.use('list', path, options)
    }
  },
}
export const WRITE_FILE: ToolSpec = { tier: 'low', on: { path: 'write' } }
export const DELETE_FILE: ToolSpec = { tier: 'medium', irreversible: true, on: { path: 'delete' } }
export const FETCH_URL: ToolSpec = {
  tier: 'low',
  on: { url: 'fetch' },
  args: { prompt: 'ignore', proxy: 'ignore' },
  onlyFiles: true,
  refine: (context) => {
    // Who stands between sees all that is fetched, and may change it.
    for (const between of context.all('proxy')) context.use('fetch', between, { action: 'http:proxy' })
  },
}
export const WEB_SEARCH: ToolSpec = {
  tier: 'low',
  args: { query: 'ignore' },
  effects: [{ verb: 'fetch', action: 'web:search', kind: 'resource', value: 'web search' }],
}
export const SUBAGENT: ToolSpec = {
  tier: 'low',
  args: { prompt: 'ignore', description: 'ignore', message: 'ignore' },
  effects: [{ verb: 'execute', action: 'agent:task', kind: 'agent', value: 'subagent' }],
}
/** What is kept here is told to later sessions. */
export const MEMORY: ToolSpec = { tier: 'low', effects: [{ verb: 'persist', action: 'agent:memory', kind: 'agent', value: 'memory' }] }

/** `view`, `create`, `str_replace` and the like behind one `command` argument. */
export const EDITOR: ToolSpec = {
  tier: 'low',
  on: { command: 'ignore' },
  args: { path: 'ignore' },
  refine: (context) => {
    const viewing = context.text('command') === 'view' || context.text('command') === 'read'
    for (const path of context.all('path')) context.use(viewing ? 'read' : 'write', path)
  },
}
const SCRIPT_URL = /^\s*(?:javascript|vbscript|data:text\/html)[:;,]/i
/** What a page keeps for its user only. */
const KEPT = new RegExp(
  String.raw`\bdocument\s{0,4}\.\s{0,4}cookie\b|\b(?:localStorage|sessionStorage|indexedDB|cookieStore)\b` +
    String.raw`|type\s{0,4}=\s{0,4}["']?password|navigator\s{0,4}\.\s{0,4}clipboard`,
)

/** All of it, or what by its name says who the user is. */
const TAKEN = new RegExp(
  String.raw`\bdocument\s{0,4}\.\s{0,4}cookie\b(?!\s{0,4}=[^=])` +
    String.raw`|[(.]\s{0,4}(?:window\.)?(?:local|session)Storage\s{0,4}[),}]|\bcookieStore\.getAll` +
    String.raw`|Storage\.getItem\(\s{0,4}["'\x60][\w.:-]{0,32}(?:token|secret|auth|session|jwt|password)`,
  'i',
)

/** Addresses that a script names are fetched; where it looks at what the page keeps for its user, that may go along. */
function reached(context: ToolContext, { text, pointer }: Argument): void {
  const takes = KEPT.test(text)
  for (const { start, end, text: url } of urlsIn(text)) {
    context.emit(takes ? 'send' : 'fetch', urlTarget(url), {
      attributes: { ...urlAttributes(describeUrl(url)), ...(takes ? { carries: 'credential' } : {}) },
      span: { pointer, start, end },
      certainty: 'likely',
    })
  }
}

const DECODED =
  /\b(?:eval|Function|setTimeout|import)\s{0,4}\(\s{0,4}(?:(?:window|globalThis|self)\.)?(?:atob|unescape|decodeURIComponent|String\.fromCharCode)\s{0,4}\(/

/** Script that the call hides in an encoding, so that nobody sees what the page runs. */
function decoded(context: ToolContext, { text, pointer }: Argument): void {
  const found = DECODED.exec(text)
  if (found === null) return
  const span = { pointer, start: found.index, end: found.index + found[0].length }
  context.emit('execute', target('code', 'a decoded script'), { action: 'code:decoded', span })
}

/** A browser page is opened: what it does there the next calls say, unless the address is a script. */
export const NAVIGATE: ToolSpec = {
  tier: 'low',
  on: { url: 'fetch' },
  onlyFiles: true,
  refine: (context) => {
    for (const url of context.all('url')) if (SCRIPT_URL.test(url.text)) reached(context, url)
  },
}
/** Content of a page, which may be saved to a file that the call names. */
export const LOOK_AT_PAGE: ToolSpec = {
  tier: 'low',
  on: { path: 'write' },
  args: { ref: 'ignore', element: 'ignore', name: 'ignore' },
  effects: [{ verb: 'read', action: 'browser:read', kind: 'resource', value: 'page' }],
}
/** What no page has, and only a program: where scripts of pages run in one, it may do what any program may. */
const PROGRAM = /\brequire\s{0,4}\(|\bprocess\s{0,4}\.|['"](?:node:)?child_process['"]/

/** Code that the server itself runs, with a page in hand: it may do what any program may. */
export const SERVER_SCRIPT: ToolSpec = {
  tier: 'medium',
  args: { code: 'javascript' },
  effects: [{ verb: 'execute', action: 'browser:script', kind: 'code', from: ['code'], value: 'script' }],
}

/** Script in a page: it has the page's rights and its session. Where it names addresses, it may reach them. */
export const PAGE_SCRIPT: ToolSpec = {
  tier: 'medium',
  on: { code: 'ignore', command: 'ignore' },
  args: { function: 'ignore', script: 'ignore', expression: 'ignore' },
  effects: [
    {
      verb: 'execute',
      action: 'browser:script',
      kind: 'code',
      from: ['function', 'script', 'code', 'expression', 'text'],
      value: 'script',
    },
  ],
  refine: (context) => {
    for (const name of ['function', 'script', 'code', 'expression', 'text']) {
      for (const given of context.all(name)) {
        reached(context, given)
        decoded(context, given)
        if (PROGRAM.test(given.text)) context.use('javascript', given, { certainty: 'likely' })
        if (TAKEN.test(given.text)) context.emit('read', context.thing('resource', 'a page, for its user'), { action: 'browser:kept' })
      }
    }
  },
}
export const PAGE_ACT: ToolSpec = {
  tier: 'low',
  effects: [{ verb: 'change', action: 'browser:act', kind: 'resource', from: ['element', 'selector', 'ref'], value: 'page' }],
}

export type Details = Partial<Omit<ToolEffect, 'verb' | 'action'>>

/** What goes out takes the files along that it names; elsewhere a path is one of the service, not of this machine. */
const OUTWARD: ReadonlySet<ToolEffect['verb']> = new Set(['send'])

/** `'send mail:send'`: verb and action in one. */
export type Doing = `${ToolEffect['verb']} ${string}`

export function act(tier: ToolSpec['tier'], doing: Doing, details: Details = {}): ToolSpec {
  const blank = doing.indexOf(' ')
  const verb = doing.slice(0, blank) as ToolEffect['verb']
  const action = doing.slice(blank + 1)
  return {
    tier,
    irreversible: details.reversible === false,
    effects: [{ verb, action, kind: 'resource', value: action, ...details }],
    on: { path: OUTWARD.has(verb) ? 'read' : 'ignore', code: 'ignore', command: 'ignore' },
  }
}

/** Tools that only look at what a service holds. */
export function reads(names: string): Readonly<Record<string, ToolSpec>> {
  return each(names, act('low', 'read resource:read', { from: ['query', 'id', 'name', 'jql', 'cql'], value: 'service' }))
}
