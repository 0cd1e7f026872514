import type { Span } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import { decodeBase64 } from '../../resources/text/decode-bytes.ts'
import { PowershellWalk } from './walk.ts'

/** PowerShell to the same effects as shell text: cmdlets by their tables, .NET where its classes are known, else opaque. */

const LONGEST = 65_536
/** How the value of `-EncodedCommand` is handed in. */
const ENCODED = /^-enc ([A-Za-z0-9+/=\s]+)$/

/** Reads PowerShell text into effects; what is not recognised becomes opaque. */
export function analysePowershell(text: string, context: CommandContext, span: Span): void {
  if (text.length > LONGEST) {
    context.opaque('the PowerShell text is longer than what can be analysed', span)
    return
  }
  const encoded = ENCODED.exec(text)?.[1]
  if (encoded === undefined) {
    new PowershellWalk(context, span).text(text)
    return
  }
  const inner = decodeBase64(encoded, true)
  if (inner === null) {
    context.opaque('the encoded PowerShell could not be decoded', span)
    return
  }
  context.emit('execute', context.thing('code', inner.slice(0, 200)), {
    action: 'code:decoded',
    span,
    reason: 'PowerShell runs code that was hidden by an encoding',
    attributes: { language: 'powershell' },
  })
  new PowershellWalk(context, span).text(inner)
}
