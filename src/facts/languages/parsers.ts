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

/** Reads source text into a block; throws a CodeLimit where a bound is reached or a string never ends. */
export function parse(language: ParsedLanguage, source: string): Node {
  switch (language) {
    case 'python':
      return new PythonParser(source).program()
    case 'node':
      return parseJavaScript(source)
    case 'perl':
      return new PerlParser(source).program()
    case 'ruby':
      return new RubyParser(source).program()
    case 'php':
      return parsePhp(source)
    case 'awk':
      return new AwkParser(source).program()
    case 'lua':
      return new LuaParser(source).program()
  }
}
