/** Which previews a gate shows before people are asked. */
import { hash } from 'node:crypto'
import type { ToolCall } from './core/call.ts'
import { createDigester } from './core/digest.ts'
import type { View } from './facts/view.ts'
import type { GateParts } from './gate.ts'

const digester = createDigester((text) => hash('sha256', text))

/** The caller's previews; else those of file tools, as a difference from the file. Loaded when the first call is asked about. */
export function previewing(own: GateParts['preview'], view: ((call: ToolCall) => View) | null): Pick<GateParts, 'preview'> {
  if (own !== undefined) return { preview: own }
  if (view === null) return {}
  return {
    preview: async ({ call }) => {
      const { fileDiff } = await import('./preview/file-diff.ts')
      const shown = fileDiff(call, { view: view(call), sha256: (text) => `sha256:${hash('sha256', text)}` })
      return shown === null ? null : { digest: digester.digest('countersign/preview/v1', shown), shown }
    },
  }
}
