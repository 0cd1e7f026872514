/** The events of a stream through an API's rewriter, with a judge that goes by names alone. */
import type { Judge, ModelApi, Proposal, Ruling, Unjudged } from '../../src/proxies/model/api.ts'
import { settled } from '../../src/proxies/model/judge.ts'
import { FrameReader } from '../../src/proxies/model/sse.ts'

export interface Passed {
  readonly bytes: string
  readonly asked: readonly (Proposal | Unjudged)[]
}

/** Calls of tools whose name begins with `no` are blocked, with `other` changed. */
export async function through(api: ModelApi, pieces: readonly Buffer[], cut = false): Promise<Passed> {
  const asked: (Proposal | Unjudged)[] = []
  const rule = (name: string): Ruling => {
    if (name.startsWith('no')) return { kind: 'block', text: `no ${name}` }
    return name.startsWith('other') ? { kind: 'change', input: '{"changed":true}' } : { kind: 'run' }
  }
  const judge: Judge = {
    begin: async (proposal) => {
      asked.push(proposal)
      return settled(rule(proposal.name))
    },
    unjudged: async (unjudged) => {
      asked.push(unjudged)
      return { kind: 'block', text: 'withheld' }
    },
    offered: () => false,
  }
  const rewriter = api.stream(judge)
  const reader = new FrameReader()
  const out: Buffer[] = []
  const take = async (frames: ReturnType<FrameReader['push']>) => {
    for (const frame of frames) out.push(...[...(await rewriter.frame(frame))].map((each) => Buffer.from(each)))
  }
  for (const piece of pieces) await take(reader.push(piece))
  const rest = reader.rest()
  if (rest !== null && !cut) await take([rest])
  out.push(...[...(await rewriter.end(cut ? 'cut' : 'ended'))].map((each) => Buffer.from(each)))
  return {
    bytes: Buffer.concat(out)
      .toString('latin1')
      .replaceAll(/msg_countersign_[0-9a-f]+/g, 'msg_ours'),
    asked,
  }
}
