/**
 * Ways of asking in which no single word says what is to be done: "let Ada know", "get rid of it". What books or pays is left to its own
 * verbs: a call that does either for somebody whom the user did not name should need plain words. Pure.
 */

/** Phrases and the plain verb that they stand for. A few words may stand within. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/\blet (?!me\b|us\b|it\b)((?:[\w.@'-]+ ){1,4})know\b/g, ' inform $1 '],
  [/\bdrop ((?:[\w.@'-]+ ){1,3})an? (?:line|note|message|e-?mail)\b/g, ' message $1 '],
  [/\b(?:write|get) back to\b/g, ' reply to '],
  [/\b(?:get rid of|throw away|throw out)\b/g, ' delete '],
  [/\btake ((?:[\w.@'-]+ ){1,3})off (?=the\b|my\b|our\b|this\b|that\b)/g, ' remove $1 from '],
  [/\b(?:push|put|move) ((?:[\w.@'-]+ ){1,4})(?:back|forward) (?=by\b|an?\b|one\b|two\b|\d)/g, ' reschedule $& '],
  [/\bput off\b|\bpush back\b|\bbring forward\b/g, ' reschedule '],
  [/\bblock (?:off |out )?((?:[\w.:'-]+ ){0,3})(?=(?:hours?|minutes?|time|morning|afternoon|evening|slot)\b)/g, ' create event $1'],
  [/\bmake ((?:[\w.@'-]+ ){1,5})available to\b/g, ' share $1 with '],
  [/\bbring ((?:[\w.@'-]+ ){1,3})(?:in|into|onto) (?=the\b|my\b|our\b|this\b|that\b)/g, ' add $1 to '],
  [/\bput ((?:[\w.@'-]+ ){1,8})(?:in|into|on|onto) ((?:[\w.@'-]+ ){1,4})(?=channel\b|chat\b)/g, ' post $1 to $2'],
]

/** The same request with plain verbs, in lower case. */
export function inPlainVerbs(text: string): string {
  return PLAIN.reduce((before, [phrase, plain]) => before.replace(phrase, plain), text)
}
