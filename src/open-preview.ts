/** Which previews a gate shows before people are asked, and which of them the machine can make. */
import { hash } from 'node:crypto'
import { dirname, isAbsolute, join } from 'node:path'
import type { ToolCall } from './core/call.ts'
import type { Decision } from './core/decision.ts'
import { createDigester } from './core/digest.ts'
import type { JsonObject } from './core/json.ts'
import { NO_SIZE, type Preview } from './core/preview.ts'
import { runs } from './core/verdict.ts'
import type { Facts } from './facts/facts.ts'
import type { View } from './facts/view.ts'
import type { ConsideringGate, GateParts } from './gate.ts'
import { capturing } from './open-undo.ts'
import type { PreviewSection } from './policy/preview/model.ts'
import { operatorPolicies } from './policy/scopes/model.ts'
import { APPLY_TOOL } from './preview/apply/change.ts'
import type { ContentStore } from './preview/apply/contents.ts'
import type { DryRun } from './preview/dry-runs.ts'
import { ITSELF } from './preview/reported.ts'
import type { TrialParts } from './preview/trial.ts'
import type { Trials } from './sandbox/overlay.ts'
import { hiddenIn, isInside } from './sandbox/private.ts'

export { ITSELF, reportedPreview, unsupported } from './preview/reported.ts'

const digester = createDigester((text) => hash('sha256', text))
const sha256 = (text: string): string => `sha256:${hash('sha256', text)}`
const DOMAIN = 'countersign/preview/v1'

/** The caller's previews first; then those of file tools, as a difference, and of commands, where the policy has a `preview` section. */
function previewing(own: GateParts['preview'], here: Here | null): Pick<GateParts, 'preview'> {
  // A dry run is a trial itself: it is considered without another one, and counts as tried out.
  const dry = new WeakSet<ToolCall>()
  const consider: Considering = async (call) => {
    if (here === null) throw new Error('nothing runs here')
    dry.add(call)
    const { decision, basis = null } = await here.gate().consider(call)
    return { decision, facts: basis?.facts ?? null }
  }
  if (own !== undefined && typeof own !== 'function') throw new TypeError('`preview` must be a function that tries a call out')
  if (own === undefined && here === null) return {}
  const contents = here === null ? undefined : keptContents(here.home)
  return {
    preview: async (context) => {
      if (dry.has(context.call)) return ITSELF
      const recorded = contents === undefined ? null : await recordedPreview(context.call, contents)
      if (recorded !== null) return recorded
      const given = (await own?.(context)) ?? null
      if (given !== null || here === null) return given
      const section = operatorPolicies(context.policy).find(({ preview }) => preview !== null)?.preview ?? null
      return previewOf(context.call, context.facts, {
        view: here.view(context.call),
        section,
        consider,
        ...(contents === undefined ? {} : { contents }),
      })
    },
  }
}

/** Opened with the first call whose changes are kept. Forgets what nobody asked for in time. */
function keptContents(home: string): () => Promise<ContentStore> {
  let collected = 0
  return async () => {
    const { openContents } = await import('./preview/apply/contents.ts')
    const store = openContents(home)
    const now = Date.now()
    if (now - collected > COLLECT_MS) {
      collected = now
      store.collect(now, { lifeMs: LIFE_MS, totalBytes: MAX_TOTAL_BYTES })
    }
    return store
  }
}

const COLLECT_MS = 3_600_000
/** Longer than an approval waits by default; what is gone by then is not applied. */
const LIFE_MS = 7 * 86_400_000
const MAX_TOTAL_BYTES = 2 ** 31

/** Of the call by which the changes of an earlier preview are made: they are what it would do. */
async function recordedPreview(call: ToolCall, contents: () => Promise<ContentStore>): Promise<Preview | null> {
  const { server, name } = call.tool
  const { changes: digest } = call.args
  if (server !== null || name !== APPLY_TOOL || typeof digest !== 'string') return null
  const changes = (await contents()).read(digest)
  if (changes === null) return null
  const { changeLine } = await import('./preview/apply/change.ts')
  const size = { ...NO_SIZE, files: changes.length, deleted: changes.filter(({ after }) => after === null).length }
  return {
    digest,
    shown: { kind: 'apply', files: [], note: changes.slice(0, MAX_LINES).map(changeLine).join('\n') },
    seen: { unsupported: null, exitCode: null, ended: null, size, effects: [], network: false },
  }
}

const MAX_LINES = 200

export interface Here {
  readonly home: string
  readonly view: (call: ToolCall) => View
  /** The gate's own places. */
  readonly own: readonly string[]
  readonly gate: () => ConsideringGate
}

/** What is done before a call runs: it is tried out, and what it would change is kept. `here` null: calls never run. */
export function beforeRunning(
  { home, preview }: { readonly home: string; readonly preview?: GateParts['preview'] },
  here: Omit<Here, 'home'> | null,
): Pick<GateParts, 'preview' | 'capture'> {
  return {
    ...previewing(preview, here === null ? null : { ...here, home }),
    ...(here === null ? {} : { capture: capturing(home, here.own) }),
  }
}

export interface PreviewParts {
  readonly view: View
  /** Null: nothing is run. */
  readonly section: PreviewSection | null
  /** Where the changes that are seen are kept, where the policy lets people have them made. Absent: nowhere. */
  readonly contents?: () => Promise<ContentStore>
  /** What the layers say of another call. Absent: no dry run runs as it is. */
  readonly consider?: Considering
}

interface Considered {
  readonly decision: Decision
  /** Null where nothing was analysed. */
  readonly facts: Facts | null
}

type Considering = (call: ToolCall) => Promise<Considered>

/** A dry run is a call of its own: it runs as it is where the gate lets it, and where all that it does is to read. */
function onlyReads({ decision, facts }: Considered): boolean {
  if (facts === null || facts.coverage !== 'full' || !runs(decision.would)) return false
  return facts.effects.every(({ verb, reversible }) => (verb === 'read' || verb === 'fetch') && reversible)
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Null where there is nothing to show and nothing was to be tried. Modules are loaded when the first call is tried out. */
export async function previewOf(
  call: ToolCall,
  facts: Facts,
  { view, section, contents, consider }: PreviewParts,
): Promise<Preview | null> {
  const { fileDiff } = await import('./preview/file-diff.ts')
  const edited = fileDiff(call, { view, sha256 })
  const apply = section?.apply ?? null
  const keeping = contents === undefined || apply === null ? undefined : (await contents()).begin(apply)
  if (edited !== null) {
    const preview = { digest: digester.digest(DOMAIN, edited), shown: edited, seen: seenIn(edited) }
    if (keeping === undefined) return preview
    const { keepEdit } = await import('./preview/apply/edit.ts')
    const kept = keepEdit(call, view, keeping)
    return kept === null ? preview : { ...preview, kept, shown: { ...edited, apply: { ...kept } } }
  }
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
    ...(keeping === undefined ? {} : { keeping }),
  }
  const command = commandOf(call)
  if (command === null) return untried('Nothing here can try this tool out.', parts)
  const { dryRunOf } = await import('./preview/dry-runs.ts')
  const dry = typeof call.args.command === 'string' ? dryRunOf(facts, command.text, fileOf(view)) : null
  if (dry === null) return tryCommand(command, facts, parts)
  if ('refused' in dry) return untried(`The statement was not tried out: ${dry.refused}.`, parts)
  const { tryDryRun } = await import('./preview/dry-run.ts')
  const allowed = async ({ program, words, sql }: DryRun): Promise<boolean> => {
    if (consider === undefined || !section.dryRuns.includes(program)) return false
    const judged = (sql?.judged ?? words).map(quoted).join(' ')
    return onlyReads(await consider({ ...call, callId: null, approval: null, args: { ...call.args, command: judged } }))
  }
  return (await tryDryRun(dry, facts, { ...parts, allowed })) ?? tryCommand(command, facts, parts)
}

/** SQL longer than this is not tried out. */
const MAX_SQL_BYTES = 20_000

/** Files of the workspace, as the analysis read them. */
function fileOf(view: View): (path: string) => string | null {
  return (path) => {
    if (view.cwd === null) return null
    const { real, type } = view.realpath(isAbsolute(path) ? path : join(view.cwd, path))
    const inside = [view.realpath(view.cwd).real, ...view.roots].some((root) => real.startsWith(`${root}/`))
    if (type !== 'file' || !inside || hiddenIn([{ real: dirname(real) }], view.gate).some((hidden) => isInside(real, hidden.path)))
      return null
    const file = view.read(real, MAX_SQL_BYTES)
    return file === null || file.truncated ? null : file.text
  }
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
