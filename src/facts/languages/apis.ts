import { AWK } from './awk/api.ts'
import type { Profile } from './interpret/run.ts'
import { NODE } from './javascript/api.ts'
import { LUA } from './lua/api.ts'
import type { ParsedLanguage } from './parsers.ts'
import { PERL } from './perl/api.ts'
import { PHP } from './php/api.ts'
import { PYTHON } from './python/api.ts'
import { RUBY } from './ruby/api.ts'

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
