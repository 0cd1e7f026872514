/** Currencies that a request speaks of, and whether a call is about another one. Pure. */

const CODES: ReadonlySet<string> = new Set(
  (
    'eur usd gbp jpy chf cny inr aud cad nzd sek nok dkk isk pln czk huf ron bgn try uah rub brl mxn ars clp cop zar ngn kes egp aed sar ils krw ' +
    'twd hkd sgd thb idr myr php vnd btc eth usdt usdc xrp ltc sol'
  ).split(' '),
)
const DOLLARS = 'usd aud cad nzd hkd sgd twd mxn ars clp cop brl'.split(' ')
const POUNDS = ['gbp', 'egp']
const CROWNS = 'sek nok dkk isk czk'.split(' ')
/** A sign or a word stands for each of these. */
const SPELT: readonly (readonly [RegExp, readonly string[]])[] = [
  [/€|\beuros?\b/, ['eur']],
  [/\$|\bdollars?\b|\bbucks?\b|\bpesos?\b/, DOLLARS],
  [/£|\bpounds?\b|\bquid\b/, POUNDS],
  [/¥|\byen\b|\byuan\b/, ['jpy', 'cny']],
  [/\bfrancs?\b/, ['chf']],
  [/₹|\brupees?\b/, ['inr', 'idr']],
  [/\bkron\w*\b|\bcrowns?\b/, CROWNS],
  [/₿|\bbitcoins?\b/, ['btc']],
]

/** True where the user spoke of currencies, and this is none of them. */
export function isOtherCurrency(folded: string, value: string): boolean {
  const code = value.trim().toLowerCase()
  if (!CODES.has(code)) return false
  const said = new Set(SPELT.flatMap(([sign, codes]) => (sign.test(folded) ? codes : [])))
  for (const [word] of folded.matchAll(/\b[a-z]{3,4}\b/g)) if (CODES.has(word) && !WORDS.has(word)) said.add(word)
  return said.size > 0 && !said.has(code)
}

/** Codes that are words, names or programs, too: in a request they say nothing of money. */
const WORDS: ReadonlySet<string> = new Set(['try', 'cop', 'sol', 'ron', 'php', 'cad'])
