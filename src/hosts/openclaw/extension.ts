/** The extension that stands in OpenClaw's directory: it starts the installed hook, and blocks the call unless that lets it run. */
import type { JsonObject } from '../../core/json.ts'

/** What the extension takes for a yes: nothing but this. */
export const ALLOWED = 'allow'

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
  return `// Countersign's hook for OpenClaw. Made by \`countersign init\`; change nothing here, run \`countersign init\` again.
import { spawn } from 'node:child_process'

const command = ${JSON.stringify(command)}

/** The answer of the gate; anything but a whole one is a refusal. */
function ask(event) {
  return new Promise((resolve) => {
    const refused = (why) => resolve({ decision: 'deny', reason: 'Countersign: ' + why + ', so the call was refused; run \`countersign doctor\`.' })
    try {
      const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] })
      const timer = setTimeout(() => { child.kill('SIGKILL'); refused('the gate gave no answer in time') }, ${seconds * 1000})
      let said = ''
      child.stdout.on('data', (chunk) => { said += chunk })
      child.stdin.on('error', () => {})
      child.on('error', () => { clearTimeout(timer); refused('the hook could not be started') })
      child.on('close', (code) => {
        clearTimeout(timer)
        try {
          const answer = JSON.parse(said)
          if (code !== 0 && answer.decision === '${ALLOWED}') refused('the hook failed')
          else resolve(answer)
        } catch { refused('the hook gave no answer') }
      })
      child.stdin.end(JSON.stringify(event))
    } catch { refused('the hook could not be started') }
  })
}

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

/** The command that the extension starts; null where it is none of ours. */
export function entryCommand(text: string): string | null {
  const line = /^const command = ("(?:[^"\\]|\\.)*")$/m.exec(text)?.[1]
  return line === undefined ? null : String(JSON.parse(line))
}
