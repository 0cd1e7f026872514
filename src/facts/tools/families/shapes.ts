/** Shapes of tools that many families share. */
import type { ToolSpec } from '../spec.ts'

/** Bookkeeping of the agent itself: nothing outside it is touched. */
const QUIET: ToolSpec = {
  tier: 'low',
  on: { path: 'ignore', url: 'ignore', host: 'ignore', command: 'ignore', code: 'ignore', sql: 'ignore' },
}

export function quiet(names: string): Readonly<Record<string, ToolSpec>> {
  return each(names, QUIET)
}

/** The same spec under several names, separated by blanks. */
export function each(names: string, spec: ToolSpec): Readonly<Record<string, ToolSpec>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, spec]))
}

export const SHELL: ToolSpec = { tier: 'medium', on: { command: 'shell', cwd: 'cwd', path: 'cwd' }, args: { description: 'ignore' } }
export const READ_FILE: ToolSpec = { tier: 'low', on: { path: 'read' } }
export const LIST_FILES: ToolSpec = { tier: 'low', on: { path: 'list' } }
export const WRITE_FILE: ToolSpec = { tier: 'low', on: { path: 'write' } }
export const DELETE_FILE: ToolSpec = { tier: 'medium', irreversible: true, on: { path: 'delete' } }
export const FETCH_URL: ToolSpec = { tier: 'low', on: { url: 'fetch' }, args: { prompt: 'ignore' } }
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
    const viewing = context.text('command') === 'view'
    for (const path of context.all('path')) context.use(viewing ? 'read' : 'write', path)
  },
}
/** A browser page is opened: what it does there the next calls say. */
export const NAVIGATE: ToolSpec = { tier: 'low', on: { url: 'fetch' } }
/** Script in a page: it has the page's rights and its session. */
export const PAGE_SCRIPT: ToolSpec = {
  tier: 'medium',
  on: { code: 'ignore', command: 'ignore' },
  args: { function: 'ignore', script: 'ignore', expression: 'ignore' },
  effects: [
    { verb: 'execute', action: 'browser:script', kind: 'code', from: ['function', 'script', 'code', 'expression'], value: 'script' },
  ],
}
export const PAGE_ACT: ToolSpec = {
  tier: 'low',
  effects: [{ verb: 'change', action: 'browser:act', kind: 'resource', from: ['element', 'selector', 'ref'], value: 'page' }],
}
