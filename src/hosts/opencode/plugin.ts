/** The plug-in that stands in OpenCode's directory of plug-ins: it starts the installed hook, and throws unless that lets the call run. */

/** What the plug-in hands to the hook, and what it takes for a yes: nothing but this. */
export const ALLOWED = 'allow'

export function pluginText(command: string, seconds: number): string {
  return `// Countersign's hook for OpenCode. Made by \`countersign init\`; change nothing here, run \`countersign init\` again.
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

export const Countersign = async ({ directory }) => ({
  'chat.message': async (input, output) => {
    const text = (output?.parts ?? []).filter((part) => part?.type === 'text' && part.synthetic !== true).map((part) => part.text).join('\\n')
    if (text !== '') await ask({ event: 'prompt', session: input?.sessionID ?? null, prompt: text })
  },
  'tool.execute.before': async (input, output) => {
    const answer = await ask({ event: 'before', tool: input.tool, session: input.sessionID, call: input.callID, directory, args: output.args ?? {} })
    if (answer?.decision !== '${ALLOWED}') throw new Error(String(answer?.reason ?? 'Countersign: the call was refused.'))
  },
  'tool.execute.after': async (input, output) => {
    const result = { title: output?.title ?? null, output: output?.output ?? null }
    await ask({ event: 'after', tool: input.tool, session: input.sessionID, call: input.callID, directory, args: input.args ?? {}, result })
  },
})
`
}

/** The command that the plug-in starts; null where it is none of ours. */
export function pluginCommand(text: string): string | null {
  const line = /^const command = ("(?:[^"\\]|\\.)*")$/m.exec(text)?.[1]
  return line === undefined ? null : String(JSON.parse(line))
}
