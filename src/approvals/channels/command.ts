/** The command channel: a program gets the notice on standard input and may answer on standard output. An error of it is no answer (PRO-27). */
import { runProgram } from '../../lookup/program.ts'
import type { CommandChannel } from '../../policy/channels.ts'
import { readAnswer, readObject } from './answers.ts'
import { type Channel, type ChannelAnswer, ChannelFailure, type ChannelOf, type Sending } from './channel.ts'

export const commandChannel: ChannelOf<CommandChannel> = (policy, { signal }): Channel => ({
  tell: async (sending) => {
    const { notice } = sending
    const input = `${JSON.stringify({ type: `approval.${notice.phase}`, channel: policy.name, data: notice.data })}\n`
    const end = await runProgram({ argv: policy.command, input, timeoutMs: policy.timeoutMs, ...(signal === undefined ? {} : { signal }) })
    if (!end.ended) throw new ChannelFailure(`the program gave no answer: ${end.message}`)
    if (end.code !== 0) throw new ChannelFailure(`the program ended with ${end.code}`)
    return { receipt: null, answer: policy.answers ? answerOf(end.stdout, policy, sending) : null }
  },
  resolves: false,
})

/** `{ approved, by, comment? }`. It was given one call, so the answer need not name it; where it does, it has to be that one. */
function answerOf(stdout: Uint8Array, policy: CommandChannel, { id, notice }: Sending): ChannelAnswer {
  const said = readObject(stdout)
  if (said === null) throw new ChannelFailure('the program printed no JSON object')
  const reply = readAnswer({ approval: notice.approval, digest: notice.digest, ...said }, id, policy)
  if (!reply.ok) throw new ChannelFailure(`its answer is not taken: ${reply.refusal.message} (${reply.refusal.code})`)
  return reply.answer
}
