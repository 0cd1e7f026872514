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

/** How a runtime may read a text, commonest first. */
const MODES: readonly ((source: string) => unknown)[] = [
  (source) => Script.parse(source, { ...LOOSE, sourceType: 'script' }),
  (source) => Script.parse(source, { ...LOOSE, sourceType: 'module' }),
  (source) => TypeScript.parse(source, { ...LOOSE, sourceType: 'module', locations: true }),
  (source) => Tsx.parse(source, { ...LOOSE, sourceType: 'module', locations: true }),
  // The text of one function, as browsers are handed it.
  (source) => Script.parse(`(${source}\n)`, { ...LOOSE, sourceType: 'script' }),
]

/** What modes may read in different ways: comments of HTML, `await /x/`, text of JSX. */
const AMBIGUOUS = /<!--|-->|\bawait\s*\/|<\//

/** `f<T>(x)`: a call or two comparisons. */
const ARGUED = />\s*(?:[(`]|\/[/*])/

/** Every reading of a program that some mode has; throws a CodeLimit where none has one. */
export function readings(source: string): readonly Tree[] {
  const found: Tree[] = []
  let reason = ''
  const all = AMBIGUOUS.test(source) || (source.includes('<') && ARGUED.test(source))
  for (const mode of MODES) {
    if (found.length > 0 && (!all || mode === MODES.at(-1))) break
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
