import type { CommandContext, Invocation, Language, Word } from '../../host.ts'
import { wordOf } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { followByName } from '../projects/index.ts'

/** Scripts that interpreters are given, by their names. */

/** Node takes `x` for `x.js` where there is no `x`. */
export function scriptFile(word: Word, language: Language, { cwd, view }: CommandContext): Word {
  const { text } = word
  if (language !== 'node' || text === null || cwd === null || /\.\w+$/.test(text)) return word
  const path = text.startsWith('/') ? text : `${cwd}/${text}`
  const end = ['', '.js', '.cjs', '.mjs', '/index.js'].find((suffix) => view.realpath(path + suffix).type === 'file') ?? ''
  return wordOf(text + end, word)
}

/** `phpunit` of `vendor/bin/phpunit`, `vitest` of `node_modules/vitest/vitest.mjs`: a program that is installed in the project. */
const programOf = (path: string): string =>
  /(?:^|\/)(?:node_modules|vendor|bin|\.venv)\//.test(path)
    ? path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:[cm]?js|php|py|phar)$/, '')
    : ''

/** Consoles of frameworks by the names of their scripts: what a task does is known, whatever the script says. */
const CONSOLES: ReadonlyMap<string, string> = new Map([
  ['manage.py', 'manage.py'],
  ['artisan', 'artisan'],
  ['bin/console', 'symfony'],
  ['bin/rails', 'rails'],
  ['bin/rake', 'rake'],
  ['bin/countersign', 'countersign'],
  ['dist/cli/bin.js', 'countersign'],
  ['dist/cli/load.cjs', 'countersign'],
  ['dist/hook/load.cjs', 'countersign'],
  ['src/cli/bin.ts', 'countersign'],
])

/** What a script is by its name, whatever it says: the console of a framework, or a program that is installed in the project. */
export function runNamed([script, ...rest]: readonly Word[], invocation: Invocation, context: CommandContext): void {
  const path = script?.text ?? ''
  const names = path.split('/')
  const [name] = [1, 2, 3].flatMap((last) => CONSOLES.get(names.slice(-last).join('/')) ?? [])
  if (script !== undefined && name !== undefined) context.command([knownWord(name, script.span), ...rest], invocation.name)
  followByName({ ...invocation, name: programOf(path), args: rest }, context)
}

/** A module that is started by its name, as the program that it is. */
export function invocationOf(module: Word, args: readonly Word[]): Invocation {
  return { name: module.text ?? '', program: module, args, env: new Map(), input: { kind: 'none' }, piped: false, span: module.span }
}
