/** What a text may say in another form: base64, hexadecimal, percent-encoding, the string of a JSON text, spelt backwards. Pure, bounded. */
import { fold, trimmedEnd } from './text.ts'

const MAX_LENGTH = 8192
const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/g
const HEX = /(?:[0-9a-fA-F]{2}[\s:,]?){6,}/g
const ESCAPES = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|["\\/bfnrt])/
/** More parts than these are not decoded. */
const MAX_PARTS = 8

/** The readings of a text besides itself; each is printable text of at least four characters. */
export function decodedForms(text: string): string[] {
  if (text.length > MAX_LENGTH || text.length < 6) return []
  const forms: string[] = []
  const add = (form: string | null): void => {
    if (form !== null && form.length >= 4 && form !== text && isReadable(form)) forms.push(form)
  }
  if (text.includes('%')) add(percent(text))
  if (ESCAPES.test(text)) add(unescaped(text))
  if (text.includes('&') && text.includes(';')) add(entities(text))
  for (const part of matches(text, BASE64)) add(base64(part))
  for (const part of matches(text, HEX)) add(hex(part))
  return forms
}

/** The text backwards, for the few values that are worth it. */
export function reversed(text: string): string {
  return [...fold(text)].reverse().join('')
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].slice(0, MAX_PARTS).map(([part]) => part)
}

function percent(text: string): string | null {
  let read = text
  for (let times = 0; times < 3 && /%[0-9a-fA-F]{2}/.test(read); times += 1) {
    read = read.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => utf8(run.replaceAll('%', '')))
  }
  return read
}

function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\\([nrtbf])/g, ' ')
    .replace(/\\(["\\/])/g, '$1')
}

function entities(text: string): string {
  return text
    .replace(/&#x([0-9a-fA-F]{1,6});/g, (_, digits: string) => point(Number.parseInt(digits, 16)))
    .replace(/&#(\d{1,7});/g, (_, digits: string) => point(Number(digits)))
    .replace(/&(amp|lt|gt|quot|apos|commat|period|colon|sol);/g, (_, name: string) => NAMED[name] ?? '')
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  commat: '@',
  period: '.',
  colon: ':',
  sol: '/',
}

function point(code: number): string {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ''
}

function base64(part: string): string | null {
  const bare = trimmedEnd(part.replaceAll('-', '+').replaceAll('_', '/'), '=')
  if (bare.length % 4 === 1) return null
  try {
    return utf8Of(atob(bare))
  } catch {
    return null
  }
}

function hex(part: string): string | null {
  const digits = part.replace(/[\s:,]/g, '')
  return digits.length % 2 === 0 ? utf8(digits) : null
}

function utf8(digits: string): string {
  let binary = ''
  for (let i = 0; i + 1 < digits.length; i += 2) binary += String.fromCharCode(Number.parseInt(digits.slice(i, i + 2), 16))
  return utf8Of(binary) ?? ''
}

function utf8Of(binary: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
  } catch {
    return null
  }
}

/** Bytes that happen to be letters are no message: nearly all of it has to be printable. */
function isReadable(text: string): boolean {
  let odd = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code < 0x20 && code !== 9 && code !== 10 && code !== 13) odd += 1
    if (code === 0x7f || code === 0xfffd) odd += 1
  }
  return odd === 0
}
