import type { CodeAt, Language, Languages } from '../host.ts'
import { profileOf } from './apis.ts'
import { Machine } from './interpret/machine.ts'
import { analyseJq } from './jq/jq.ts'
import { analyseWords } from './lexical/read.ts'
import { isWordLanguage } from './lexical/tables.ts'
import { CodeLimit, LIMITS } from './limits.ts'
import { type ParsedLanguage, parse } from './parsers.ts'
import { analysePowershell } from './powershell/index.ts'
import { applySed } from './sed/apply.ts'
import { sedEdits } from './sed/script.ts'
import { analyseSed } from './sed/sed.ts'
import { analyseSource } from './sources/read.ts'
import { isSourceLanguage } from './sources/tables.ts'

/**
 * Reads source text of a scripting language into effects: statically, within bounds, and saying where it could not see.
 * Strings, comments and documentation are data: only what is called counts.
 */
export function analyseCode(language: Language, text: string, at: CodeAt): void {
  const { span, context } = at
  if (text.length > LIMITS.text) {
    context.opaque(`the ${language} code is longer than what is analysed`, span)
    return
  }
  try {
    follow(language, text, at)
  } catch (error) {
    if (!(error instanceof CodeLimit) && !(error instanceof RangeError)) throw error
    context.opaque(error instanceof CodeLimit ? `${error.message} (${language})` : `the ${language} code is nested too deeply`, span)
  }
}

function follow(language: Language, text: string, { span, context, inFile }: CodeAt): void {
  switch (language) {
    case 'shell':
      context.shell(text, span, 'shell')
      return
    case 'powershell':
      analysePowershell(text, context, span)
      return
    case 'sed':
      analyseSed(text, span, context)
      return
    case 'jq':
      analyseJq(text, span, context)
      return
    default:
      if (isWordLanguage(language)) analyseWords(language, text, { span, context, inFile })
      else if (isSourceLanguage(language)) analyseSource(language, text, { span, context })
      else new Machine(context, span, profileOf(language as ParsedLanguage)).program(parse(language as ParsedLanguage, text))
  }
}

/** All languages that are read here, as the shell asks for them. */
export const languages: Languages = { read: analyseCode, sedEdits, applySed }
