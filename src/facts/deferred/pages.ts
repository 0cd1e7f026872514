/** Pages that take along what people type: a field for a password or a card, whose value is put into an address of another machine. */
import { type Effect, effect, target } from '../effect.ts'
import type { PutText } from './texts.ts'

const PAGE =
  /\.(?:x?html?|php\d?|phtml|erb|haml|slim|pug|ejs|hbs|mustache|liquid|twig|jinja2?|j2|njk|tpl|vue|svelte|astro|aspx?|jsp|[cm]?[jt]sx?)$/i
/** What nobody shows to others, by the names of fields. */
const FIELD =
  /pass_?(?:word|wd|code|phrase)|card-?_?(?:num|code|no\b)|\bcc-?_?num|\bcv[vc]2?\b|cvv|\biban\b|\bssn\b|\b(?:otp|pin)\b|seed-?_?phrase|mnemonic/i
/** A place elsewhere that something is put behind, or to which the browser sends on its own, and what is put there. */
const TAKES =
  /["'`](https?:\/\/(?!localhost\b|127\.|\[::1\])[\w.-]{1,200})[^"'`\s$]{0,200}(?:["'`]\s{0,4}\+|\$\{|["'`]\s{0,4},)([^\n;]{0,120})/gi
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
  for (const [, host = '', said = ''] of text.matchAll(TAKES)) {
    if (++looked > MAX_ADDRESSES) return null
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
