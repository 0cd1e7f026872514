/** A whole message: blocks that may not run become text, all else stays byte for byte. */
import type { Json } from '../../../core/json.ts'
import type { Begun, Judge, Ruling } from '../api.ts'
import { type Edit, edited, type Located, type Part, partAt, reach, reachText, replacing, sourceOf } from '../json.ts'
import { settled } from '../judge.ts'
import { holdsCall } from '../unknown.ts'
import { kindOfBlock } from './blocks.ts'

export async function anthropicWhole(body: Located, judge: Judge): Promise<string | null> {
  const content = partAt(body.root, 'content')
  if (content?.items === undefined) return holdsCall(body.value) ? null : body.text
  const edits: Edit[] = []
  const begun: { readonly part: Part; readonly input: Part | undefined; readonly said: Begun }[] = []
  for (const [index, part] of content.items.entries()) {
    const block = reach(body.value, 'content', index) ?? null
    const kind = kindOfBlock(block, judge)
    if (kind === 'plain' || kind === 'provided') continue
    const input = partAt(part, 'input')
    begun.push({
      part,
      input,
      said: await begin({ block, input: input === undefined ? '{}' : sourceOf(body, input), odd: kind === 'odd' }, judge),
    })
  }
  let calls = 0
  for (const { part, input, said } of begun) {
    const ruling = await said.wait()
    if (ruling.kind !== 'block') calls++
    edits.push(...editsFor(ruling, { part, input }))
  }
  const reason = partAt(body.root, 'stop_reason')
  if (calls === 0 && reason !== undefined && reachText(body.value, 'stop_reason') === 'tool_use')
    edits.push(replacing(reason, '"end_turn"'))
  return edited(body, edits)
}

interface Found {
  readonly block: Json
  readonly input: string
  readonly odd: boolean
}

async function begin({ block, input, odd }: Found, judge: Judge): Promise<Begun> {
  const name = reachText(block, 'name')
  if (name !== null && !odd) return judge.begin({ server: null, name, form: 'json', input })
  const what = odd ? 'a block of a kind that is not known, or that nobody asked for' : 'a call without a name'
  return settled(await judge.unjudged({ why: 'uninspected', what, name, sample: JSON.stringify(block) }))
}

interface Place {
  readonly part: Part
  readonly input: Part | undefined
}

function editsFor(ruling: Ruling, { part, input }: Place): readonly Edit[] {
  switch (ruling.kind) {
    case 'run':
      return []
    case 'change':
      return input === undefined ? [] : [replacing(input, ruling.input)]
    case 'block':
      return [replacing(part, JSON.stringify({ type: 'text', text: ruling.text }))]
  }
}
