/** What the making of authorisation graphs needs of this machine: the judges, the log, the definitions that were pinned. */
import { eventRecord } from './audit/record.ts'
import type { KnownTool } from './authorization/graph/model.ts'
import type { ToolCall } from './core/call.ts'
import { isJsonObject, own } from './core/json.ts'
import { type AuthorizationSource, graphsFirst, toolOf } from './gate/authorization/graphs.ts'
import { createJudgeParts } from './gate/judges.ts'
import { type JudgeOptions, judgeParts, keptJudgeParts } from './open-judges.ts'
import { readPins, toolName } from './pins/store.ts'
import { loadKeys } from './store/sqlite/keys.ts'

interface GraphOptions extends Omit<AuthorizationSource, 'pinned' | 'record'> {
  readonly home: string
}

/** Judges of calls, and the judge that reads requests. */
export function judging(options: JudgingOptions, { keep, memory }: Pick<AuthorizationSource, 'keep' | 'memory'>) {
  const asked = keep ? keptJudgeParts(options, options.store) : judgeParts(options)
  return { judges: createJudgeParts(asked), graphs: graphsOf({ ...options, keep, memory, judges: asked }) }
}

type JudgingOptions = JudgeOptions & Pick<GraphOptions, 'home' | 'policy' | 'store'>

/** Null for a call before which no judge has to be asked. */
function graphsOf({ home, ...source }: GraphOptions): (call: ToolCall) => Promise<void> | null {
  return graphsFirst({ ...source, record: eventRecord, pinned: (call) => (source.keep ? pinnedTools(call, home, source.store) : []) })
}

/** Of the call's own tenant; one that is another than it was pinned is left out. */
function pinnedTools({ principal }: ToolCall, home: string, store: AuthorizationSource['store']): readonly KnownTool[] {
  const tenant = principal.tenant ?? ''
  const pins = store.query((tx) => readPins(tx, loadKeys(home).ring))
  return pins.flatMap(({ pinned, seen, ...key }) => {
    const definition = pinned?.definition ?? null
    if (key.tenant !== tenant || definition === null || seen !== null) return []
    const [description, schema] = [own(definition, 'description'), own(definition, 'input_schema')]
    const read = { description: typeof description === 'string' ? description : null, inputSchema: isJsonObject(schema) ? schema : null }
    return [toolOf(toolName(key), read)]
  })
}
