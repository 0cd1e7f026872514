/** Programs of awk, jq and PowerShell out of forms, one for each position of the grammar, with something in the innermost. */
import fc from 'fast-check'
import type { Language } from '../../src/facts/host.ts'

export interface CodeGrammar {
  readonly language: Language
  /** What is looked for, one of them; and what stands where nothing is. */
  readonly acts: readonly string[]
  readonly plain: string
  /** Forms around an act, `#` for it, `@@` for a remark's sign; each may stand in each. */
  readonly inner: readonly string[]
  /** Forms that such a text stands in. */
  readonly outer: readonly string[]
  /** Forms that are told whatever stands in them. */
  readonly loud: readonly string[]
}

const DEPTH = 3

/** One form with something in it. */
export function filled(form: string, value: string): string {
  return form.replace('#', () => value).replaceAll('@@', '#')
}

/** Each form of the outer ones around each of the inner ones. */
export function pairsOf({ inner, outer }: CodeGrammar): readonly string[] {
  return outer.flatMap((form) => ['#', ...inner].map((value) => form.replace('#', () => value)))
}

/** Programs of a grammar: some forms within each other, the act in the innermost. */
export function codeOf({ acts, inner, outer }: CodeGrammar): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...outer), fc.array(fc.constantFrom(...inner), { maxLength: DEPTH }), fc.constantFrom(...acts))
    .map(([form, forms, act]) =>
      filled(
        form,
        forms.reduceRight((value, each) => filled(each, value), act),
      ),
    )
}
