import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Options, Parser } from 'acorn'
import { HOLE } from '../../resources/text/hole.ts'
import { CodeLimit } from '../limits.ts'

/** What acorn reads a program into: ESTree, with the nodes of TypeScript and JSX. */
export interface Tree {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const LOOSE: Options = {
  ecmaVersion: 'latest',
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowImportExportEverywhere: true,
  checkPrivateFields: false,
}

/** Tokens that are read of any text, besides two for each of its characters. */
const LEAST_TOKENS = 2_000

/** Counts tokens, also those that are read again: a plug-in that tries one reading after the other would double them with each level. */
function counted(Base: typeof Parser): typeof Parser {
  return class extends (Base as unknown as new (...args: readonly unknown[]) => { nextToken(): void; readonly input: string }) {
    private count = 0
    override nextToken(): void {
      this.count += 1
      if (this.count > LEAST_TOKENS + 2 * this.input.length) throw new CodeLimit('the code would be read again and again')
      super.nextToken()
    }
  } as unknown as typeof Parser
}

const Script = Parser.extend(counted as never)
const Tsx = Parser.extend(tsPlugin({ jsx: true }) as never, counted as never)
const TypeScript = Parser.extend(tsPlugin() as never, counted as never)

type Mode = (source: string) => unknown

const script: Mode = (source) => Script.parse(source, { ...LOOSE, sourceType: 'script' })
const module: Mode = (source) => Script.parse(source, { ...LOOSE, sourceType: 'module' })
const typed: Mode = (source) => TypeScript.parse(source, { ...LOOSE, sourceType: 'module', locations: true })
const typedWithMarkup: Mode = (source) => Tsx.parse(source, { ...LOOSE, sourceType: 'module', locations: true })
/** The text of one function, as browsers are handed it. */
const expression: Mode = (source) => Script.parse(`(${source}\n)`, { ...LOOSE, sourceType: 'script' })

/** How a runtime may read a text, commonest first. */
const MODES: readonly Mode[] = [script, module, typed, typedWithMarkup, expression]

/** What any two modes may read in different ways: comments of HTML, `await /x/`, text of JSX. */
const AMBIGUOUS = /<!--|-->|\bawait\s*\/|<\//

/** `f<T>(x)`: a call or two comparisons. The `>` of an arrow closes no list of types. */
const ARGUED = /(?<!=)>\s*(?:[(`]|\/[/*])/

/** How an element of JSX ends, with spaces or comments inside; without it there is none. */
const MARKUP = /<\s*\/|\/\s*>|\/\s*\/[/*]/

/** The modes in which a text may be read in another way than in one that read it before. */
function modesBeside(source: string): readonly Mode[] {
  if (AMBIGUOUS.test(source)) return [script, module, typed, typedWithMarkup]
  if (!source.includes('<') || !ARGUED.test(source)) return []
  return MARKUP.test(source) ? [typed, typedWithMarkup] : [typed]
}

/** Every reading of a program that some mode has; throws a CodeLimit where none has one. */
export function readings(source: string): readonly Tree[] {
  const found: Tree[] = []
  let reason = ''
  const beside = modesBeside(source)
  for (const mode of MODES) {
    if (found.length > 0 && !beside.includes(mode)) continue
    try {
      found.push(mode(source) as Tree)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      reason = reason === '' ? error.message : reason
    }
  }
  if (found.length > 0) return found
  const unknown = source.includes(HOLE) && reason.startsWith('Unexpected character')
  throw new CodeLimit(unknown ? 'part of the code is not known before it runs' : `the code cannot be read: ${reason.slice(0, 120)}`)
}
