/** JavaScript for hosts whose hook is a module: what starts the installed hook and takes nothing but a whole answer for one. */

/** What a module takes for a yes: nothing but this. */
export const ALLOWED = 'allow'

/** The head of a module that defines `ask(event)`, which resolves with the answer of the gate, or with a refusal after `seconds`. */
export function askingText(host: string, { command, seconds }: { readonly command: string; readonly seconds: number }): string {
  return `// Countersign's hook for ${host}. Made by \`countersign init\`; change nothing here, run \`countersign init\` again.
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
`
}

/** The command that such a module starts; null where it is none of ours. */
export function askingCommand(text: string): string | null {
  const line = /^const command = ("(?:[^"\\]|\\.)*")$/m.exec(text)?.[1]
  return line === undefined ? null : String(JSON.parse(line))
}
