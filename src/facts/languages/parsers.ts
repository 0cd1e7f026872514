import { remembering } from '../resources/text/memo.ts'
import type { Node } from './ast.ts'
import { AwkParser } from './awk/parser.ts'
import { parseJavaScript } from './javascript/parser.ts'
import { LuaParser } from './lua/parser.ts'
import { PerlParser } from './perl/parser.ts'
import { parsePhp } from './php/parser.ts'
import { PythonParser } from './python/parser.ts'
import { RubyParser } from './ruby/parser.ts'

/** Languages that are read into the common syntax tree. */
export type ParsedLanguage = 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'lua' | 'awk'

const PARSERS: Readonly<Record<ParsedLanguage, (source: string) => Node>> = {
  python: remembering((source) => new PythonParser(source).program()),
  node: remembering(parseJavaScript),
  perl: remembering((source) => new PerlParser(source).program()),
  ruby: remembering((source) => new RubyParser(source).program()),
  php: remembering(parsePhp),
  awk: remembering((source) => new AwkParser(source).program()),
  lua: remembering((source) => new LuaParser(source).program()),
}

/** Reads source text into a block; throws a CodeLimit where a bound is reached or a string never ends. */
export function parse(language: ParsedLanguage, source: string): Node {
  return PARSERS[language](source)
}
