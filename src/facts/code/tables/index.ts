import type { ParsedLanguage } from '../parse/index.ts'
import type { Profile } from '../run/run.ts'
import { AWK } from './awk.ts'
import { LUA } from './lua.ts'
import { NODE } from './node/index.ts'
import { PERL } from './perl/index.ts'
import { PHP } from './php/index.ts'
import { PYTHON } from './python/index.ts'
import { RUBY } from './ruby/index.ts'

/** What is known of the functions of each language. */
const PROFILES: Readonly<Record<ParsedLanguage, Profile>> = {
  python: PYTHON,
  node: NODE,
  perl: PERL,
  ruby: RUBY,
  php: PHP,
  awk: AWK,
  lua: LUA,
}

export function profileOf(language: ParsedLanguage): Profile {
  return PROFILES[language]
}
