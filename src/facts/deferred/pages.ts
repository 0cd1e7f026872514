/** Pages that take along what people type: a field for a password or a card, whose value is put into an address of another machine. */
import { type Effect, effect, target } from '../effect.ts'
import type { PutText } from './texts.ts'

const PAGE =
  /\.(?:x?html?|php\d?|phtml|erb|haml|slim|pug|ejs|hbs|mustache|liquid|twig|jinja2?|j2|njk|tpl|vue|svelte|astro|aspx?|jsp|[cm]?[jt]sx?)$/i
/** What nobody shows to others, by the names of fields. */
const FIELD =
  /pass_?(?:word|wd|code|phrase)|card-?_?(?:num|code|no\b)|\bcc-?_?num|\bcv[vc]2?\b|cvv|\biban\b|\bssn\b|\b(?:otp|pin)\b|seed-?_?phrase|mnemonic/i
/** The address of another machine, as code holds it. */
const ADDRESS = /["'`](https?:\/\/[\w.-]{1,200})/gi
const HERE = /^https?:\/\/(?:localhost|127\.)/i
/** UTF-16 units behind an address that are looked at. */
const MAX_BEHIND = 320

/** What is put behind an address, or handed over with it, in the same statement: `'https://x.example/?p=' + pw.value`, `('https://…', e.key)`. */
function putBehind(behind: string, quote: string): string {
  const [line = ''] = behind.split(/[;\n]/, 1)
  const close = line.indexOf(quote)
  const filled = line.indexOf('${')
  if (quote === '`' && filled >= 0 && (close < 0 || filled < close)) return line.slice(filled)
  const rest = close < 0 ? '' : line.slice(close + 1).trimStart()
  return rest.startsWith('+') || rest.startsWith(',') ? rest.slice(1) : ''
}

/** What is typed: the value of a field, or a key that was pressed. */
const TYPED = /\.(?:value|key|data)\b|\bbtoa\(/
/** A request that names what it sends as an object is one that the page's own server answers. */
const OWN_REQUEST = /^\s{0,4}\{|\bbody\s?:/

const LONGEST = 262_144
const MAX_ADDRESSES = 64

/** The address that a written page takes typed secrets to; null where none is seen. */
export function pageTakes({ path, text }: PutText): Effect | null {
  if (!PAGE.test(path) || text.length > LONGEST || !FIELD.test(text)) return null
  let looked = 0
  for (const { 0: found, 1: host = '', index } of text.matchAll(ADDRESS)) {
    if (++looked > MAX_ADDRESSES) return null
    const at = index + found.length
    const said = HERE.test(host) ? '' : putBehind(text.slice(at, at + MAX_BEHIND), found.charAt(0))
    if (!TYPED.test(said) || OWN_REQUEST.test(said)) continue
    return effect('send', target('resource', host), {
      action: 'page:take',
      certainty: 'likely',
      reason: 'the page puts what people type into an address of another machine',
      attributes: { in: path },
    })
  }
  return null
}
