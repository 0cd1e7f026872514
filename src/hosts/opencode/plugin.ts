/** The plug-in that stands in OpenCode's directory of plug-ins: it starts the installed hook, and throws unless that lets the call run. */

import { ALLOWED, askingText } from '../asking.ts'

export function pluginText(command: string, seconds: number): string {
  return `${askingText('OpenCode', { command, seconds })}
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
