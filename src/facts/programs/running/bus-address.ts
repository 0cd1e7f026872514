/** Addresses of the message bus that name a program which is started to be spoken to: `unixexec:path=/bin/sh,argv1=-c,argv2=…`. */
import type { Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'

/** The most arguments that are taken from one address. */
const MOST = 64

/** The words of the program of such an address; none where it names a socket. */
export function addressWords(address: Word): readonly Word[] {
  const { text, span } = address
  if (text === null) return []
  const found = /(?:^|;)unixexec:(.*)$/s.exec(text)?.[1]
  if (found === undefined) return []
  const parts = new Map<string, string>()
  for (const part of found.split(',', MOST)) {
    const equals = part.indexOf('=')
    if (equals > 0) parts.set(part.slice(0, equals), unescaped(part.slice(equals + 1)))
  }
  const path = parts.get('path')
  if (path === undefined) return []
  const words = [path]
  for (let index = 1; parts.has(`argv${index}`); index++) words.push(parts.get(`argv${index}`) ?? '')
  return words.map((word) => knownWord(word, span))
}

/** `%20` is a blank. */
const unescaped = (text: string) => text.replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
