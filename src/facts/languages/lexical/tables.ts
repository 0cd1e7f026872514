import { ELIXIR, ERLANG, HASKELL, JVM, LISP, OCTAVE, RAKU, SWIFT, TCL } from './tables-others.ts'
import { JULIA, R } from './tables-science.ts'
import type { Knowledge, WordLanguage } from './vocabulary.ts'

/** What is known of the words of languages that are read by their words only. */

export const KNOWLEDGE: Readonly<Record<WordLanguage, Knowledge>> = {
  r: R,
  julia: JULIA,
  elixir: ELIXIR,
  erlang: ERLANG,
  tcl: TCL,
  octave: OCTAVE,
  lisp: LISP,
  haskell: HASKELL,
  jvm: JVM,
  swift: SWIFT,
  raku: RAKU,
}

/** True for a language that is read by its words. */
export function isWordLanguage(language: string): language is WordLanguage {
  return Object.hasOwn(KNOWLEDGE, language)
}
