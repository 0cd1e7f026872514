/** A whole response: items that may not run become messages, all else stays byte for byte. */
import type { Json } from '../../../core/json.ts'
import type { Begun, Judge } from '../api.ts'
import { type Edit, edited, type Located, type Part, partAt, reach, replacing, sourceOf } from '../json.ts'
import { holdsCall } from '../unknown.ts'
import { beginItem, changedItem, kindOfItem, messageItem } from './items.ts'
import { type Replaced, replacementId, whatWasWithheld } from './withheld.ts'

export async function responsesWhole(body: Located, judge: Judge): Promise<string | null> {
  const output = partAt(body.root, 'output')
  if (output?.items === undefined) return holdsCall(body.value) ? null : body.text
  const edits: Edit[] = []
  const replaced: Replaced[] = []
  const begun: { readonly item: Json; readonly part: Part; readonly said: Begun }[] = []
  for (const [index, part] of output.items.entries()) {
    const item = reach(body.value, 'output', index) ?? null
    const kind = kindOfItem(item, judge)
    if (kind === 'plain' || kind === 'provided') continue
    begun.push({ item, part, said: await beginItem({ item, text: sourceOf(body, part), kind }, judge) })
  }
  for (const { item, part, said } of begun) {
    const ruling = await said.wait()
    if (ruling.kind === 'change') edits.push(replacing(part, changedItem(sourceOf(body, part), ruling.input)))
    if (ruling.kind !== 'block') continue
    const message = replacementId()
    replaced.push({ message, item, note: ruling.text })
    edits.push(replacing(part, JSON.stringify(messageItem(message, ruling.text, 'completed'))))
  }
  await judge.withheld?.(whatWasWithheld(body.value, replaced))
  return edited(body, edits)
}
