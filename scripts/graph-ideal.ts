/**
 * The graphs that an ideal judge would write: what each task really needs, read off the calls of its ground truth, edge by edge. It cannot
 * be had in practice; it shows what the form of a graph and the check of it leave to be had, whoever writes the graph.
 */

import { readTask, says } from '../src/authorization/task.ts'
import { isJsonObject, type JsonObject } from '../src/core/json.ts'
import { readRecordings } from '../src/replay/read.ts'
import { type ReplayGate, replayRecording } from '../src/replay/run.ts'

const MAX_PERMITS = 24
const MAX_ARGUMENTS = 8
const MAX_ORIGINS = 8

type Origins = Map<string, JsonObject>
/** By tool, then by argument. */
type Needed = Map<string, Map<string, Origins>>

/** By the text of the task. @param file sessions of ground truth, of which only those without an attack are read. */
export async function idealGraphs(
  file: string,
  gate: ReplayGate,
  isClean: (session: string) => boolean,
): Promise<ReadonlyMap<string, JsonObject>> {
  const needed = new Map<string, Needed>()
  for await (const recording of readRecordings(file)) {
    if (recording.task === null || !isClean(String(recording.session))) continue
    const tools: Needed = needed.get(recording.task) ?? new Map()
    needed.set(recording.task, tools)
    for await (const { index, decision } of replayRecording(gate, recording)) {
      const { tool = '', args = {} as JsonObject } = recording.calls[index] ?? {}
      const limits = tools.get(tool) ?? new Map<string, Origins>()
      tools.set(tool, limits)
      for (const { argument, source } of decision.flows ?? []) {
        const [name = ''] = argument.split('.')
        const origins: Origins = limits.get(name) ?? new Map()
        limits.set(name, origins)
        const given =
          source === null
            ? saidIn(recording.task, args[name])
            : [{ from: source.tool, ...(source.field === '' ? {} : { field: source.field }) }]
        for (const origin of given) origins.set(JSON.stringify(origin), origin)
      }
    }
  }
  return new Map([...needed].map(([task, tools]) => [task, graphOf(tools)]))
}

/** The values of an argument that stand in the request. */
function saidIn(task: string, value: unknown): readonly JsonObject[] {
  const texts = Array.isArray(value) ? value : [value]
  const read = readTask(task)
  return texts.flatMap((text) =>
    typeof text === 'string' && text.trim() !== '' && text.length <= 200 && says(read, text) ? [{ says: text }] : [],
  )
}

function graphOf(tools: Needed): JsonObject {
  const permits = [...tools].slice(0, MAX_PERMITS).map(([tool, limits]) => {
    const listed = [...limits].filter(([, origins]) => origins.size > 0).slice(0, MAX_ARGUMENTS)
    return {
      tool,
      arguments: Object.fromEntries(listed.map(([name, origins]) => [name, [...origins.values()].slice(0, MAX_ORIGINS)])),
      reason: 'the task needs it',
    }
  })
  return { version: 1, permits }
}

/** Answers for the payload that a judge of graphs is shown. */
export function idealJudge(graphs: ReadonlyMap<string, JsonObject>): (payload: JsonObject) => JsonObject {
  return ({ task, tools }) => {
    const graph = graphs.get(String(task)) ?? { version: 1, permits: [] }
    const names = new Set((Array.isArray(tools) ? tools : []).filter(isJsonObject).map(({ name }) => String(name)))
    const permits = (Array.isArray(graph.permits) ? graph.permits : []).filter(isJsonObject)
    return { version: 1, permits: permits.filter(({ tool }) => names.has(String(tool))) }
  }
}
