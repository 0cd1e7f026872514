import type { Span } from '../effect.ts'
import { decodeBase64 } from './decode.ts'
import type { CommandContext, Word } from './spec.ts'

/**
 * A conservative scanner for PowerShell, without a parser: it recognises what is surely dangerous (a download that is
 * invoked, recursive removal, encoded commands) and calls everything opaque that is not plainly reading.
 */

const LONGEST = 65_536

const DOWNLOAD =
  /\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|start-bitstransfer)\b|\.downloadstring\(|\.downloadfile\(|\.downloaddata\(/i
const INVOKE = /(?:^|[|;&({\s])(?:iex|invoke-expression)\b|\[scriptblock\]::create/i
const URL = /\b(?:https?|ftp):\/\/[^\s'"|;)]+/gi
const ENCODED = /(?:^|\s)-e(?:c|nc|ncod\w*)?\s+['"]?([A-Za-z0-9+/=]{16,})/i
const QUIET =
  /^(?:get-\w+|select-\w+|where-object|sort-object|measure-\w+|format-\w+|test-path|write-(?:output|host)|out-(?:null|string|host)|convertto-\w+|convertfrom-\w+|join-path|split-path|resolve-path|compare-object|group-object|foreach-object|set-location|push-location|pop-location|ls|dir|gci|cat|type|gc|echo|cd|pwd|select|where|sort|sls|help|exit)$/i
const REMOVERS: ReadonlySet<string> = new Set(['remove-item', 'ri', 'rm', 'rmdir', 'rd', 'del', 'erase', 'clear-content', 'clc'])

/** Reads PowerShell text into effects; what is not recognised becomes opaque. */
export function analysePowershell(text: string, context: CommandContext, span: Span): void {
  if (text.length > LONGEST) {
    context.opaque('the PowerShell text is longer than what can be analysed', span)
    return
  }
  const encoded = ENCODED.exec(text)?.[1]
  const inner = encoded === undefined ? null : decodeBase64(encoded, true)
  if (inner !== null) {
    context.emit('execute', context.thing('code', inner.slice(0, 200)), {
      action: 'code:decoded',
      span,
      reason: 'PowerShell runs code that was hidden by an encoding',
      attributes: { language: 'powershell' },
    })
    statements(inner, context, span)
    return
  }
  statements(text, context, span)
}

function statements(text: string, context: CommandContext, span: Span): void {
  const urls = text.match(URL) ?? []
  const downloads = DOWNLOAD.test(text)
  if (downloads && INVOKE.test(text)) {
    const source = urls[0] === undefined ? context.thing('url', '') : context.url(wordOf(urls[0], span))
    context.emit('execute', source, {
      action: 'code:remote',
      span,
      reversible: false,
      reason: 'PowerShell runs what comes from the network',
      attributes: { language: 'powershell' },
    })
  }
  for (const url of urls) context.emit('fetch', context.url(wordOf(url, span)), { span, certainty: 'likely' })
  for (const statement of text.split(/[;|\n{}]|&&|\|\|/)) {
    const words = statement.trim().match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
    if (words.length > 0) simple(words.map(unquote), context, { span, downloads })
  }
}

function unquote(word: string): string {
  return /^(["']).*\1$/s.test(word) ? word.slice(1, -1) : word
}

function wordOf(text: string, span: Span): Word {
  return { text, prefix: text, glob: /[*?]/.test(text), dynamic: false, span }
}

function simple(words: readonly string[], context: CommandContext, at: { readonly span: Span; readonly downloads: boolean }): void {
  const [program = '', ...args] = words
  const name = program.toLowerCase().replace(/\.exe$/, '')
  if (QUIET.test(name) || (at.downloads && DOWNLOAD.test(program))) return
  if (!REMOVERS.has(name)) {
    context.opaque('PowerShell is not analysed in full', at.span)
    return
  }
  const recursive = args.some((arg) => /^-r/i.test(arg) || /^\/s$/i.test(arg))
  const force = args.some((arg) => /^-fo/i.test(arg))
  for (const arg of args.filter((word) => !/^[-/]\w+$/.test(word))) {
    const word: Word = arg.includes('$')
      ? { ...wordOf(arg, at.span), text: null, prefix: arg.slice(0, arg.indexOf('$')) }
      : wordOf(arg, at.span)
    const path = context.path(word)
    context.emit('delete', path, { span: at.span, attributes: { recursive, force, ...(word.glob ? { glob: true, mass: true } : {}) } })
  }
}
