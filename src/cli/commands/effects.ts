import { effectToJson } from '../../core/wire.ts'
import { explainFacts } from '../../facts/explain/explain.ts'
import { classify } from '../../facts/resources/path/classify.ts'
import { namesOf } from '../../facts/resources/path/segments.ts'
import type { View } from '../../facts/view.ts'
import { parseCall } from '../../ingress/call.ts'
import { analyseCall, digester, stateDirectory } from '../../open.ts'
import { judgingFiles } from '../../open-files.ts'
import { emptySession } from '../../session/state.ts'
import { createNodeView } from '../../view/node.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, readStdin, visible } from '../terminal.ts'
import { printRefusal } from './check.ts'

/** Whoever may ask for an analysis need not be whoever may read the files that it follows: it tells their words. */
export function withoutCredentials(view: View): View {
  const isCredential = (path: string): boolean => {
    let found = false
    classify(namesOf(view.realpath(path).real), view, (each) => {
      found ||= each === 'credential'
    })
    return found
  }
  return { ...view, read: (path, limit) => (isCredential(path) ? null : view.read(path, limit)) }
}

/** `countersign effects`: the analysis alone; nothing is judged and nothing recorded. */
export async function effects(options: { text?: boolean }): Promise<number> {
  const parsed = parseCall(readStdin(), { digester })
  if (!parsed.ok) return printRefusal(parsed.refusal)
  const call = { ...parsed.call, cwd: parsed.call.cwd ?? process.cwd() }
  const view = withoutCredentials(createNodeView({ cwd: call.cwd, gate: [stateDirectory(), ...judgingFiles(loadInForce(null).policy)] }))
  const facts = analyseCall(call, view, { state: emptySession(Date.now()), policy: null })
  if (options.text === true) {
    for (const line of explainFacts(facts, call.args, call.cwd)) print(visible(line))
    return EXIT.ok
  }
  print(JSON.stringify({ ...facts, effects: facts.effects.map(effectToJson) }, null, 2))
  return EXIT.ok
}
