/** The plug-in that stands in OpenCode's directory of plug-ins: it starts the installed hook, and throws unless that lets the call run. */

import { ALLOWED, askingText } from '../asking.ts'

/** Subagents have sessions of their own there, and their prompts are what another agent wrote. */
export function pluginText(command: string, seconds: number): string {
  return `${askingText('OpenCode', { command, seconds })}
const refused = (why) => new Error('Countersign: ' + why + ', so the call was refused.')

/** Answers, for the id of a session, in which session the work began, and which subagent's session this is; null: none's. */
function families(client) {
  const parents = new Map()
  const parentOf = async (id) => {
    if (!parents.has(id)) {
      const late = new Promise((_, reject) => setTimeout(reject, 10_000, refused('OpenCode did not say in time whose session this is')).unref?.())
      const told = await Promise.race([client.session.get({ path: { id } }), late])
      if (told?.data?.id !== id) throw refused('OpenCode did not say whose session this is')
      parents.set(id, told.data.parentID ?? null)
    }
    return parents.get(id)
  }
  return async (id) => {
    let session = id
    for (let steps = 0; steps < 32; steps += 1) {
      const parent = await parentOf(session)
      if (parent === null) return { session, subagent: session === id ? null : id }
      session = parent
    }
    throw refused('the session of this subagent has no beginning')
  }
}

export const Countersign = async ({ client, directory }) => {
  const within = families(client)
  return {
    'chat.message': async (input, output) => {
      const text = (output?.parts ?? []).filter((part) => part?.type === 'text' && part.synthetic !== true).map((part) => part.text).join('\\n')
      const from = await within(input?.sessionID).catch(() => null)
      if (text !== '' && from !== null && from.subagent === null) await ask({ event: 'prompt', ...from, prompt: text })
    },
    'tool.execute.before': async (input, output) => {
      const from = await within(input.sessionID)
      const answer = await ask({ event: 'before', tool: input.tool, ...from, call: input.callID, directory, args: output.args ?? {} })
      if (answer?.decision !== '${ALLOWED}') throw new Error(String(answer?.reason ?? 'Countersign: the call was refused.'))
    },
    'tool.execute.after': async (input, output) => {
      const from = await within(input.sessionID)
      const result = { title: output?.title ?? null, output: output?.output ?? null }
      await ask({ event: 'after', tool: input.tool, ...from, call: input.callID, directory, args: input.args ?? {}, result })
    },
  }
}
`
}
