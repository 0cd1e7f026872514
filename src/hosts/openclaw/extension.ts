/** The extension that stands in OpenClaw's directory: it starts the installed hook, and blocks the call unless that lets it run. */
import type { JsonObject } from '../../core/json.ts'
import { ALLOWED, askingText } from '../asking.ts'

const ABOUT = 'Asks Countersign before each tool call.'

export const MANIFEST: JsonObject = {
  id: 'countersign',
  name: 'Countersign',
  description: ABOUT,
  configSchema: { type: 'object', additionalProperties: false, properties: {} },
  activation: { onCapabilities: ['hook'] },
  capabilities: ['hook'],
}

export const PACKAGE: JsonObject = {
  name: 'countersign',
  version: '0.0.0',
  private: true,
  type: 'module',
  openclaw: { extensions: ['./index.js'] },
}

/** Judged last, so that no other handler changes what was judged; the host gives up on a handler later than this one answers. */
export function entryText(command: string, seconds: number): string {
  return `${askingText('OpenClaw', { command, seconds })}
const told = (event, context) => ({
  tool: event.toolName,
  args: event.params ?? {},
  session: context?.sessionId ?? context?.sessionKey ?? event.runId ?? null,
  call: event.toolCallId ?? null,
  directory: context?.workspaceDir ?? null,
  agent: context?.agentId ?? null,
})

const last = { priority: Number.MIN_SAFE_INTEGER, timeoutMs: ${(seconds + 15) * 1000} }

export default {
  id: 'countersign',
  name: 'Countersign',
  description: '${ABOUT}',
  register(api) {
    api.on('before_tool_call', async (event, context) => {
      const answer = await ask({ event: 'before', ...told(event, context) })
      if (answer?.decision === '${ALLOWED}') return undefined
      return { block: true, blockReason: String(answer?.reason ?? 'Countersign: the call was refused.') }
    }, last)
    api.on('after_tool_call', async (event, context) => {
      const ended = event.error === undefined ? { result: event.result ?? null } : { error: String(event.error) }
      await ask({ event: 'after', ...told(event, context), ...ended })
    }, last)
  },
}
`
}
