/** Which previews a gate shows before people are asked, and which of them the machine can make. */
import { hash } from 'node:crypto'
import type { ToolCall } from './core/call.ts'
import { createDigester } from './core/digest.ts'
import type { JsonObject } from './core/json.ts'
import type { Preview } from './core/preview.ts'
import type { Facts } from './facts/facts.ts'
import type { View } from './facts/view.ts'
import type { GateParts } from './gate.ts'
import { capturing } from './open-undo.ts'
import type { PreviewSection } from './policy/preview/model.ts'
import { operatorPolicies } from './policy/scopes/model.ts'
import type { TrialParts } from './preview/trial.ts'
import type { Trials } from './sandbox/overlay.ts'

const digester = createDigester((text) => hash('sha256', text))
const sha256 = (text: string): string => `sha256:${hash('sha256', text)}`
const DOMAIN = 'countersign/preview/v1'

/** The caller's previews first; then those of file tools, as a difference, and of commands, where the policy has a `preview` section. */
function previewing(own: GateParts['preview'], view: ((call: ToolCall) => View) | null): Pick<GateParts, 'preview'> {
  if (own !== undefined && typeof own !== 'function') throw new TypeError('`preview` must be a function that tries a call out')
  if (own === undefined && view === null) return {}
  return {
    preview: async (context) => {
      const given = (await own?.(context)) ?? null
      if (given !== null || view === null) return given
      const section = operatorPolicies(context.policy).find(({ preview }) => preview !== null)?.preview ?? null
      return previewOf(context.call, context.facts, { view: view(context.call), section })
    },
  }
}

export interface Here {
  readonly view: (call: ToolCall) => View
  /** The gate's own places. */
  readonly own: readonly string[]
}

/** What is done before a call runs: it is tried out, and what it would change is kept. `here` null: calls never run. */
export function beforeRunning(
  { home, preview }: { readonly home: string; readonly preview?: GateParts['preview'] },
  here: Here | null,
): Pick<GateParts, 'preview' | 'capture'> {
  return { ...previewing(preview, here?.view ?? null), ...(here === null ? {} : { capture: capturing(home, here.own) }) }
}

export interface PreviewParts {
  readonly view: View
  /** Null: nothing is run. */
  readonly section: PreviewSection | null
  readonly keep?: TrialParts['keep']
}

/** Null where there is nothing to show and nothing was to be tried. Modules are loaded when the first call is tried out. */
export async function previewOf(call: ToolCall, facts: Facts, { view, section, keep }: PreviewParts): Promise<Preview | null> {
  const { fileDiff } = await import('./preview/file-diff.ts')
  const edited = fileDiff(call, { view, sha256 })
  if (edited !== null) return { digest: digester.digest(DOMAIN, edited), shown: edited, seen: seenIn(edited) }
  if (section === null) return null
  const { commandOf } = await import('./preview/command.ts')
  const { tryCommand, untried } = await import('./preview/trial.ts')
  const parts: TrialParts = {
    view,
    sha256,
    trials: await trialsHere(),
    digest: digester.digest,
    env: (name) => process.env[name],
    limits: section.limits,
    ...(keep === undefined ? {} : { keep }),
  }
  const command = commandOf(call)
  return command === null ? untried('Nothing here can try this tool out.', parts) : tryCommand(command, facts, parts)
}

let trials: Promise<Trials> | null = null

function trialsHere(): Promise<Trials> {
  trials ??= import('./sandbox/overlay.ts').then(({ createTrials }) => createTrials())
  return trials
}

/** The call itself tells the effect of an edit; its size only the file does. */
function seenIn({ files }: JsonObject): NonNullable<Preview['seen']> {
  const [file] = (Array.isArray(files) ? files : []) as readonly JsonObject[]
  const changed = file !== undefined && file.change !== 'none'
  const lines = String(file?.diff ?? '')
    .split('\n')
    .filter((line) => line.startsWith('+') || line.startsWith('-')).length
  const size = { files: changed ? 1 : 0, deleted: 0, lines: file?.cut === true ? Number.MAX_SAFE_INTEGER : lines, rows: 0 }
  return { unsupported: null, exitCode: null, ended: null, size, effects: [], network: false }
}
