import { effect } from '../../effect.ts'
import { installedPlace } from '../../resources/environment/installed.ts'
import { pieces } from '../interpret/reading.ts'
import type { Call } from '../interpret/run.ts'
import { FROM, flag, part, type Taint, text, unknown, type Value } from '../interpret/value.ts'

/** What the output of a program comes from: that of a download is what was downloaded. */

const DOWNLOADS = /^\s{0,9}(?:sudo\s{1,9})?(?:\S{1,60}\/)?(?:curl|wget)\s/
const ADDRESS = /\bhttps?:\/\/[^\s'"|;&)]{1,500}/i

function lineOf(command: Value | undefined): string {
  const words = command?.kind === 'list' ? command.items : command === undefined ? [] : [command]
  return words
    .map((word) =>
      pieces(word)
        .map((p) => p ?? '?')
        .join(''),
    )
    .join(' ')
}

/** What a command line, or a program with its words, prints: of where programs are installed the beginning is known. */
export function outputValue(call: Call, command: Value | undefined): Value {
  const taint = outputTaint(call, command)
  const [, name = '', rest = ''] = /^\s{0,9}([\w.-]{1,40})\s{1,9}(.*)$/s.exec(lineOf(command)) ?? []
  const place = /[;&|`\n]/.test(rest) ? null : installedPlace(name, rest)
  return place === null ? unknown(taint) : part([place, null], taint)
}

/** Where the output of a command line, or of a program with its words, comes from. */
export function outputTaint(call: Call, command: Value | undefined): Taint {
  const line = lineOf(command)
  const address = DOWNLOADS.test(line) ? ADDRESS.exec(line)?.[0] : undefined
  if (address === undefined) return flag(FROM.process)
  return flag(FROM.process | FROM.network, [effect('fetch', call.run.context.url(call.run.acts.word(text(address))))])
}
