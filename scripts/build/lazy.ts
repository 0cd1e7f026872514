/**
 * Turns a module into one that asks for others only where it uses them: what answers for one call needs a tenth of the program. esbuild
 * makes CommonJS of it, and each use of an import becomes a `require` in its place. Nothing of ours depends on when a module runs.
 */
import { isBuiltin } from 'node:module'
import { type Loader, transform } from 'esbuild'
import { parseSync, Visitor } from 'oxc-parser'
import { type Statement, type Tree, textOf } from './tree.ts'

/** Stands for `import.meta.url`. */
export const URL_NAME = '__url'

/** Gives what a package exports the form that an import sees. */
export const INTEROP_NAME = '__module'

/** Asks for another module; a name that no module has, so that nothing in one can stand in its place. */
export const ASK_NAME = '__ask'

/** What esbuild puts before each module; ours are the linker's. */
const HELPERS = /^__(?:defProp|getOwnPropDesc|getOwnPropNames|getProtoOf|hasOwnProp|create|export|reExport|copyProps|toESM|toCommonJS)$/

interface Cut {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The body of a CommonJS module. Throws where an import is used as a whole, which nothing of ours does. */
export async function lazily(source: string, { path, loader }: { readonly path: string; readonly loader: Loader }): Promise<string> {
  if (loader === 'json') return `module.exports = ${source}`
  if (!parseSync('x.ts', source).module.hasModuleSyntax) return source
  const { code } = await transform(source, {
    format: 'cjs',
    loader,
    target: 'node20.19',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    define: { 'import.meta.url': URL_NAME },
  })
  return askingLate(code, path)
}

function askingLate(code: string, path: string): string {
  const { program } = parseSync('x.js', code, { sourceType: 'script' })
  const statements = program.body as unknown as readonly Statement[]
  const asked = new Map(statements.flatMap((statement) => askedIn(statement)))
  const cuts: Cut[] = statements.filter((each) => askedIn(each).length > 0 || isHelper(each)).map((each) => cut(each, ''))
  const exported = exportsOf(statements, { code, asked })
  cuts.push(...exported.cuts)
  let whole = -asked.size
  new Visitor({
    MemberExpression: (node) => {
      const { object, property, computed } = node
      const source = object.type === 'Identifier' ? asked.get(object.name) : undefined
      if (source === undefined) return
      whole--
      const isDefault = isBuiltin(source) && !computed && property.type === 'Identifier' && property.name === 'default'
      cuts.push(cut(isDefault ? node : object, ask(source)))
    },
    // Each name is seen where it is declared, and once in each use as the object of a member.
    Identifier: ({ name }) => {
      if (asked.has(name)) whole++
    },
  }).visit(program)
  if (whole !== 0) throw new Error(`${path}: an import is used as a whole, so it cannot be asked for late`)
  return `${applied(code, cuts)}${exported.text}`
}

function cut({ start, end }: Pick<Tree, 'start' | 'end'>, text: string): Cut {
  return { start, end, text }
}

function applied(code: string, cuts: readonly Cut[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of cuts.toSorted((a, b) => a.start - b.start)) {
    // Part of what is gone.
    if (start < at) continue
    parts.push(code.slice(at, start), text)
    at = end
  }
  return [...parts, code.slice(at)].join('')
}

/** `var import_x = require("x")`, with or without what esbuild puts around it. */
function askedIn(statement: Statement): readonly (readonly [name: string, source: string])[] {
  const [only, ...more] = statement.declarations ?? []
  if (only === undefined || more.length > 0 || only.id.name?.startsWith('import_') !== true) return []
  const call = only.init?.callee?.name === '__toESM' ? only.init.arguments?.[0] : only.init
  const source = call?.callee?.name === 'require' ? call.arguments?.[0]?.value : undefined
  return typeof source === 'string' ? [[only.id.name, source]] : []
}

function isHelper({ declarations }: Statement): boolean {
  return declarations?.every(({ id }) => HELPERS.test(id.name ?? '')) === true
}

/** In brackets, so that `new` takes what is asked for and not the asking. A package may ask its own CommonJS, which is no module. */
function ask(source: string): string {
  const asking = `${ASK_NAME}(${JSON.stringify(source)})`
  return isBuiltin(source) || source.endsWith('.ts') ? `(${asking})` : `(${INTEROP_NAME}(${asking}))`
}

/** `export *`: what a module exports by name itself stands, and nobody's default is given on. */
const GIVE_ON =
  "all => { for (const key in all) if (key !== 'default' && !Object.hasOwn(module.exports, key)) module.exports[key] = all[key] }"

interface Exports {
  readonly cuts: readonly Cut[]
  /** Comes last. */
  readonly text: string
}

interface Names {
  readonly code: string
  /** Where the name of an import comes from. */
  readonly asked: ReadonlyMap<string, string>
}

/**
 * `__export(x, { name: () => local })` becomes an object at the end, where all of it has its value: to define a property each takes
 * longer than most modules run. What is assigned again later, and what another module exports, keeps its getter.
 */
function exportsOf(statements: readonly Statement[], { code, asked }: Names): Exports {
  const calls = (name: string) => statements.filter(({ expression }) => expression?.callee?.name === name)
  const [own] = calls('__export')
  const [target, all] = own?.expression?.arguments ?? []
  const made = statements.filter(({ declarations = [] }) => target !== undefined && declarations[0]?.id.name === target.name)
  const given = statements.filter(({ expression }) => textOf(expression?.left, code) === 'module.exports')
  const others = calls('__reExport')
  const changing = new Set(
    statements
      .filter(({ kind }) => kind === 'let' || kind === 'var')
      .flatMap(({ declarations = [] }) => declarations.map(({ id }) => id.name)),
  )
  const fields = (all?.properties ?? []).map(({ key, value }) => {
    const [name, local] = [textOf(key, code), textOf(value?.body, code)]
    const [first = '', ...rest] = local.split('.')
    const source = asked.get(first)
    const path = source !== undefined && isBuiltin(source) && rest[0] === 'default' ? rest.slice(1) : rest
    if (source !== undefined) return `get ${name}() { return ${[ask(source), ...path].join('.')} }`
    return changing.has(local) ? `get ${name}() { return ${local} }` : `${name}: ${local}`
  })
  const whole = others.map(({ expression }) => `\n;(${GIVE_ON})(${textOf(expression?.arguments?.[1], code)});`)
  const cuts = [own ?? [], made, given, others].flat().map((each) => cut(each, ''))
  return { cuts, text: `\nmodule.exports = { ${['__esModule: true', ...fields].join(', ')} }${whole.join('')}\n` }
}
