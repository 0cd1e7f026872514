/**
 * Links modules into chunks of functions, of which each runs when it is first asked for. A bundler would put all of a program into one
 * text; here what is needed for a call is found by number, and the rest is not even read.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { build, type Loader, type PluginBuild, transform } from 'esbuild'
import { parseSync, Visitor } from 'oxc-parser'
import { ASK_NAME, INTEROP_NAME, lazily, URL_NAME } from './lazy.ts'

export interface ReachOptions {
  readonly entry: string
  /** Packages that are asked for at run time. */
  readonly external: readonly string[]
  /** Sources in the place of files, by path. */
  readonly instead: ReadonlyMap<string, string>
}

export interface LinkOptions {
  readonly entry: string
  /** The chunk that a file belongs to, by path. */
  readonly chunkOf: (path: string) => string
  /** Default: yes. What is only traced is not worth the time. */
  readonly isMinified?: boolean
}

export interface Chunk {
  readonly name: string
  /** An expression: a function of the linker's names that gives the functions of its modules, in their order. */
  readonly text: string
  /** Number of its first module; the others follow. */
  readonly first: number
}

export interface Linked {
  readonly chunks: readonly Chunk[]
  /** Of the module where everything starts. */
  readonly entry: number
  /** Paths of all modules, by number. Every path here is from the directory of the package. */
  readonly paths: readonly string[]
}

export interface Module {
  readonly path: string
  readonly code: string
  readonly isStrict: boolean
  readonly asks: readonly Asked[]
}

/** One `require`, and the path that it leads to; null where it leads outside. */
export interface Asked {
  readonly start: number
  readonly end: number
  readonly source: string
  readonly target: string | null
}

/** Rejects where a module does not compile. */
export async function link(modules: readonly Module[], { entry, chunkOf, isMinified = true }: LinkOptions): Promise<Linked> {
  const groups = [...new Set(modules.map(({ path }) => chunkOf(path)))].map((name) => ({
    name,
    members: modules.filter(({ path }) => chunkOf(path) === name),
  }))
  const paths = groups.flatMap(({ members }) => members.map(({ path }) => path))
  const numbers = new Map(paths.map((path, number) => [path, number]))
  const chunks = groups.map(async ({ name, members }): Promise<Chunk> => {
    const [start] = members
    return { name, text: await chunkText(members, numbers, isMinified), first: numbers.get(start?.path ?? '') ?? 0 }
  })
  return { chunks: await Promise.all(chunks), entry: numbers.get(entry) ?? 0, paths }
}

/** All modules, from the entry on, in the order of their distance from it. Rejects where one cannot be read. */
export async function reached({ entry, external, instead }: ReachOptions): Promise<readonly Module[]> {
  const found: Module[] = []
  await resolving(async (resolve) => {
    const read = async (path: string): Promise<Module> => {
      const { code, isStrict } = await codeOf(path, instead)
      const asks = requiresIn(code).map(async (ask): Promise<Asked> => {
        const isOutside = isBuiltin(ask.source) || external.includes(ask.source)
        return { ...ask, target: isOutside ? null : await resolve(ask.source, path) }
      })
      return { path, code, isStrict, asks: await Promise.all(asks) }
    }
    const known = new Set([entry])
    for (let next = [entry]; next.length > 0; ) {
      const modules = await Promise.all(next.map(read))
      found.push(...modules)
      const targets = modules.flatMap(({ asks }) => asks.flatMap(({ target }) => target ?? []))
      next = [...new Set(targets)].filter((path) => !known.has(path))
      for (const path of next) known.add(path)
    }
  })
  return found
}

/** Those of `modules` that `entry` reaches, in the order of their distance from it. */
export function modulesFrom(entry: string, modules: readonly Module[]): readonly Module[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const known = new Set([entry])
  // A set is walked with what is added meanwhile.
  for (const path of known) for (const { target } of byPath.get(path)?.asks ?? []) if (target !== null) known.add(target)
  return [...known].flatMap((path) => byPath.get(path) ?? [])
}

type Resolve = (source: string, from: string) => Promise<string | null>

/** With esbuild's way to find files, which is the one that the package is bundled by otherwise. */
async function resolving(act: (resolve: Resolve) => Promise<void>): Promise<void> {
  await build({
    stdin: { contents: '' },
    write: false,
    platform: 'node',
    plugins: [{ name: 'linker', setup: (plugged) => plugged.onStart(() => act((source, from) => resolved(plugged, source, from))) }],
  })
}

async function resolved(plugged: PluginBuild, source: string, from: string): Promise<string | null> {
  const resolveDir = dirname(join(process.cwd(), from))
  const direct = join(resolveDir, source)
  if (source.startsWith('.') && source.endsWith('.ts') && existsSync(direct)) return relative(process.cwd(), direct)
  // As an import finds it: some packages have nothing for `require`.
  const { path, errors, external } = await plugged.resolve(source, { kind: 'import-statement', resolveDir })
  return errors.length > 0 || external ? null : relative(process.cwd(), path)
}

async function codeOf(path: string, instead: ReachOptions['instead']): Promise<Pick<Module, 'code' | 'isStrict'>> {
  const source = instead.get(path) ?? readFileSync(path, 'utf8')
  if (TAKEN.test(source)) throw new Error(`${path} has a name of its own that is the linker's`)
  const loader: Loader = path.endsWith('.json') ? 'json' : path.endsWith('.ts') ? 'ts' : 'js'
  const code = await lazily(source, { path, loader })
  return { code: patternsInAscii(code), isStrict: code !== source }
}

function requiresIn(code: string): readonly Omit<Asked, 'target'>[] {
  // Most modules only ask by the name that is nobody else's: to parse them takes longer than to look for it.
  if (!/\brequire\b|\bimport\b|\\u/.test(code))
    return [...code.matchAll(ASKING)].map(({ 0: { length }, 1: source = '', index }) => ({ start: index, end: index + length, source }))
  const found: Omit<Asked, 'target'>[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [given, ...more], start, end }) => {
      if (callee.type !== 'Identifier' || (callee.name !== 'require' && callee.name !== ASK_NAME) || more.length > 0) return
      if (given?.type === 'Literal' && typeof given.value === 'string') found.push({ start, end, source: given.value })
    },
    ImportExpression: ({ source, start, end }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') found.push({ start, end, source: source.value })
    },
  }).visit(parseSync('x.js', code, { sourceType: 'script' }).program)
  return found
}

/** As `lazily` writes it. */
const ASKING = new RegExp(`\\b${ASK_NAME}\\("([^"\\\\]*)"\\)`, 'g')

/** What a module is handed beside itself. */
const NAMES = ['require', '__linked', '__builtin', INTEROP_NAME, '__toESM', URL_NAME, 'performance'] as const

/** What a module calls its own must not be called so: it would stand in the place of what the linker puts there. */
const TAKEN = new RegExp(`\\b(?:${ASK_NAME}|__linked|__builtin|${INTEROP_NAME}|${URL_NAME})\\b`)

async function chunkText(members: readonly Module[], numbers: ReadonlyMap<string, number>, minify: boolean): Promise<string> {
  const functions = members.map(
    (module) => `function (module, exports) {${module.isStrict ? '"use strict";' : ''}\n${linkedCode(module, numbers)}\n}`,
  )
  // An expression that nobody uses would be left out.
  const text = `chunk = function (${NAMES.join(', ')}) { return [${functions.join(',\n')}] }`
  const { code } = await transform(text, {
    ...{ minifyWhitespace: true, minifyIdentifiers: minify, minifySyntax: minify },
    ...{ charset: 'ascii', target: 'node20.19', legalComments: 'none' },
  })
  if (OTHER.test(code)) throw new Error('a module holds another sign than of ASCII outside of a regular expression')
  return `(${code.replace(/^chunk ?= ?/, '').replace(/;\s*$/, '')})`
}

/**
 * A text of one byte a character takes half the time to read. esbuild leaves others only in regular expressions, which say the same by
 * number.
 */
function patternsInAscii(code: string): string {
  if (!OTHER.test(code)) return code
  const places: { readonly start: number; readonly end: number }[] = []
  new Visitor({ Literal: (node) => ('regex' in node ? places.push(node) : undefined) }).visit(
    parseSync('x.js', code, { sourceType: 'script' }).program,
  )
  const parts: string[] = []
  let at = 0
  for (const { start, end } of places) {
    parts.push(
      code.slice(at, start),
      code.slice(start, end).replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    )
    at = end
  }
  return [...parts, code.slice(at)].join('')
}

const OTHER = /[^\0-\x7f]/

/** Each `require` by the number of what it leads to; `import()` is one that waits. */
function linkedCode({ code, asks }: Module, numbers: ReadonlyMap<string, number>): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, source, target } of asks) {
    const number = target === null ? undefined : numbers.get(target)
    const outside = isBuiltin(source) ? `__builtin(${JSON.stringify(source)})` : `require(${JSON.stringify(source)})`
    const asking = number === undefined ? outside : `__linked(${number})`
    parts.push(
      code.slice(at, start),
      code.startsWith('import', start) ? `Promise.resolve().then(() => ${INTEROP_NAME}(${asking}))` : asking,
    )
    at = end
  }
  return [...parts, code.slice(at)].join('')
}
