import { effect } from '../../effect.ts'
import { pieces } from '../interpret/reading.ts'
import type { Call } from '../interpret/run.ts'
import { FROM, flag, type Taint, text, type Value } from '../interpret/value.ts'

/** What the output of a program comes from: that of a download is what was downloaded. */

const DOWNLOADS = /^\s{0,9}(?:sudo\s{1,9})?(?:\S{1,60}\/)?(?:curl|wget)\s/
const ADDRESS = /\bhttps?:\/\/[^\s'"|;&)]{1,500}/i

/** Where the output of a command line, or of a program with its words, comes from. */
export function outputTaint(call: Call, command: Value | undefined): Taint {
  const words = command?.kind === 'list' ? command.items : command === undefined ? [] : [command]
  const line = words
    .map((word) =>
      pieces(word)
        .map((p) => p ?? '?')
        .join(''),
    )
    .join(' ')
  const address = DOWNLOADS.test(line) ? ADDRESS.exec(line)?.[0] : undefined
  if (address === undefined) return flag(FROM.process)
  return flag(FROM.process | FROM.network, [effect('fetch', call.run.context.url(call.run.acts.word(text(address))))])
}
