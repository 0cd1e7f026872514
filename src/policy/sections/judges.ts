/** The sections `judges`, `tool_validation` and `skip_judge`. What would not be enforced is an error (AEG-15). */
import { isMap } from 'yaml'
import { compileToolPattern } from '../glob.ts'
import { JUDGE_DEFAULTS, type JudgeGate, type JudgePolicy, type JudgeSkip, type JudgesSection } from '../judges.ts'
import { made } from '../keep/recipes.ts'
import { lintToolName } from '../lint/tools.ts'
import { described, either, type Field, flag, type Located, listOf, located, mapOf, rangeOf, text } from '../reading/fields.ts'
import { suggestion } from '../reading/nearest.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'
import { costOf, headersOf } from './judge-cost.ts'
import { confidence, judgeField, moduleOf, type RawJudge, score, seconds } from './judge-fields.ts'
import { evidenceOf } from './judge-file.ts'
import { toolsOf } from './judge-tools.ts'
import { checkJudges } from './judges-check.ts'
import { toolPatternOf } from './written.ts'

const validationField = record(
  {
    type: located(text),
    judge_agent: located(text),
    criteria: text,
    min_score: score,
    min_confidence: confidence,
    timeout_seconds: seconds,
    judges: text,
    consensus: text,
  },
  { required: ['type'] },
)

const skipField = either({
  when: (node) => isMap(node),
  first: record(
    { tool: located(text), server: text, changes: described(flag, 'Also for calls that change something.') },
    { required: ['tool'] },
  ),
  second: located(text),
})

type RawGate = NonNullable<ReturnType<(typeof anyValidation)['read']>>
type RawSkip = NonNullable<ReturnType<(typeof skipField)['read']>>

/** An entry of another type is refused by its type, before its own fields are. */
const anyValidation: Field<NonNullable<ReturnType<(typeof validationField)['read']>>> = {
  ...validationField,
  read: (node, reader, key) => {
    const type = isMap(node) ? node.get('type') : undefined
    if (typeof type !== 'string' || type === 'semantic') return validationField.read(node, reader, key)
    const message = `\`${type}\` does not gate tools; only \`semantic\` does`
    return reader.fail({ code: 'policy.not_enforced', message, help: 'use `type: semantic` with a `judge_agent`', at: rangeOf(node, key) })
  },
}

export const judges = section({
  fields: () => ({
    judges: described(mapOf(located(judgeField)), 'Who judges calls by their meaning.'),
    tool_validation: described(listOf(anyValidation), 'Judges that every call must pass, in order (AEGIS).'),
    skip_judge: described(listOf(skipField), 'Tools whose calls pass these judges where they only read.'),
  }),
  compile: (values, context): { judges: JudgesSection } => {
    const plain = new Map([...(values.judges ?? [])].map(([name, { value }]) => [name, judgeOf(name, value, context)]))
    const proposed = new Map<string, Least>()
    const named = new Map(
      [...plain].map(([name, judge]) => [name, withCalibration(judge, plain, { written: values.judges, context, proposed })]),
    )
    for (const [name, { value, at }] of values.judges ?? [])
      checkJudges({ name, judge: named.get(name), all: named, at, raw: value }, context)
    const gates = (values.tool_validation ?? []).flatMap((each) => gateOf(each, named, context) ?? [])
    for (const { judge_agent: at, min_score: score, min_confidence: sure } of values.tool_validation ?? []) {
      if (at !== undefined) warnOfLaxer({ name: at.value, score, sure, at: at.at }, proposed.get(at.value), context)
    }
    const first = values.tool_validation?.[0]?.judge_agent
    if (first !== undefined && gates.every(({ judge }) => named.get(judge)?.provider === 'embedded')) {
      context.warn('lint.judge_embedded', `\`${first.value}\` asks people about calls and denies none`, first.at)
    }
    const advisers = [...named.values()].filter(({ advises }) => advises.size > 0)
    return { judges: { named, gates, advisers, skip: (values.skip_judge ?? []).flatMap((each) => skipOf(each, context) ?? []) } }
  },
})

function judgeOf(name: string, raw: RawJudge, context: CompileContext): JudgePolicy {
  return {
    name,
    ...askedOf(raw),
    ...limitsOf(raw),
    veto: raw.veto ?? new Map(),
    resolves: new Set((raw.resolves ?? []).flatMap((layer) => knownLayer(layer, context))),
    permits: raw.permits ?? 'reversible',
    family: raw.family ?? null,
    allowSameFamily: raw.allow_same_family ?? false,
    sample: raw.sample ?? 1,
    always: (raw.always ?? []).flatMap((tool) => toolPatternOf(tool, context) ?? []),
    budget: budgetOf(raw),
    ...costOf(raw),
    headersEnv: headersOf(raw, context),
    recentCalls: raw.recent_calls ?? 0,
    maxPayloadBytes: raw.max_payload_bytes ?? JUDGE_DEFAULTS.maxPayloadBytes,
    calibration: null,
    tools: raw.tools === undefined ? null : toolsOf(raw.tools, context),
    cache: cacheOf(raw),
    stream: raw.stream ?? false,
    temperature: raw.temperature ?? null,
    mode: raw.mode ?? 'enforce',
    advises: new Set(raw.advises ?? []),
    module: moduleOf(raw.module, context),
  }
}

/** Who is asked, and what. */
function askedOf(raw: RawJudge): Pick<JudgePolicy, 'provider' | 'model' | 'url' | 'apiKeyEnv' | 'command' | 'members' | 'criteria'> {
  return {
    provider: raw.provider ?? 'function',
    model: raw.model ?? null,
    url: raw.url?.value ?? null,
    apiKeyEnv: raw.api_key_env ?? null,
    command: raw.command ?? [],
    members: (raw.judges ?? []).map(({ value }) => value),
    criteria: raw.criteria ?? '',
  }
}

/** What an answer must reach, how soon, and what holds without one. */
function limitsOf(raw: RawJudge): Pick<JudgePolicy, 'minScore' | 'minConfidence' | 'timeoutMs' | 'onError'> {
  return {
    // Of a tribunal it is its judges that have a least score; its own may ask for more.
    minScore: raw.min_score ?? (raw.provider === 'tribunal' ? 0 : JUDGE_DEFAULTS.minScore),
    minConfidence: raw.min_confidence ?? JUDGE_DEFAULTS.minConfidence,
    timeoutMs: raw.timeout_seconds === undefined ? JUDGE_DEFAULTS.timeoutMs : raw.timeout_seconds * 1_000,
    onError: raw.on_error ?? null,
  }
}

function budgetOf({ budget }: RawJudge): JudgePolicy['budget'] {
  return { perSession: budget?.per_session ?? null, perDay: budget?.per_day ?? null }
}

function cacheOf({ cache }: RawJudge): JudgePolicy['cache'] {
  return cache === undefined ? null : { ms: (cache.seconds ?? 600) * 1_000, irreversible: cache.irreversible ?? false }
}

interface Calibrating {
  readonly written: ReadonlyMap<string, Located<RawJudge>> | undefined
  readonly context: CompileContext
  /** Gets what evidence proposes at least, by judge. */
  readonly proposed: Map<string, Least>
}

interface Least {
  readonly minScore: number
  readonly minConfidence: number
}

/** Read last: a file is of one judge with its members, which must all be known. */
function withCalibration(judge: JudgePolicy, named: JudgesSection['named'], { written, context, proposed }: Calibrating): JudgePolicy {
  const raw = written?.get(judge.name)
  const evidence = evidenceOf({ file: raw?.value.calibration, judge, named }, context)
  const least = checkEvidence({ raw, judge, named }, context)
  if (least !== null) proposed.set(judge.name, least)
  return evidence === null ? judge : { ...judge, calibration: evidence.calibration }
}

interface Promotion {
  readonly raw: Located<RawJudge> | undefined
  readonly judge: JudgePolicy
  readonly named: JudgesSection['named']
}

/** Shadow first: a judge that enforces names what it was measured to do, and is no laxer than that. */
function checkEvidence({ raw, judge, named }: Promotion, context: CompileContext): Least | null {
  if (raw === undefined) return null
  const { file, digest } = raw.value.evidence ?? {}
  const measured = evidenceOf({ file, digest, judge, named }, context)
  const at = { start: raw.at.start, end: raw.at.start + 1 }
  const least = raw.value.calibration === undefined ? measured?.raw : measured
  warnOfLaxer({ name: judge.name, score: judge.minScore, sure: judge.minConfidence, at }, least ?? undefined, context)
  if (judge.mode === 'enforce' && raw.value.evidence === undefined)
    context.warn('lint.judge_evidence', `\`${judge.name}\` enforces, but nothing says what it was measured to do`, at)
  return least ?? null
}

interface Asked {
  readonly name: string
  /** As the judge has them, or as the gate asks for instead. */
  readonly score: number | undefined
  readonly sure: number | undefined
  readonly at: Located<string>['at']
}

function warnOfLaxer({ name, score = 1, sure = 1, at }: Asked, least: Least | undefined, { warn }: CompileContext): void {
  if (least === undefined || (score >= least.minScore && sure >= least.minConfidence)) return
  const told = `${least.minScore} and ${least.minConfidence}`
  warn('lint.judge_laxer', `\`${name}\` accepts more than at the score and confidence of its evidence, ${told}`, at)
}

/** `policy` stands for the default that a call gets which nothing permits. */
function knownLayer({ value, at }: Located<string>, { reader, options }: CompileContext): readonly string[] {
  const layers = [...options.vocabulary.layers.filter((layer) => layer !== 'integrity'), 'policy']
  if (layers.includes(value)) return [value]
  reader.fail({ code: 'policy.wrong_value', message: `there is no layer \`${value}\``, help: suggestion(value, layers), at })
  return []
}

function gateOf(raw: RawGate, named: JudgesSection['named'], { reader, warn }: CompileContext): JudgeGate | null {
  const judge = raw.judge_agent
  if (judge === undefined) {
    reader.fail({ code: 'policy.missing_field', message: 'the field `judge_agent` is missing', at: raw.at })
    return null
  }
  if (!named.has(judge.value)) {
    if (named.size > 0) {
      const help = suggestion(judge.value, [...named.keys()])
      reader.fail({ code: 'policy.wrong_value', message: `there is no judge \`${judge.value}\``, help, at: judge.at })
      return null
    }
    warn(
      'lint.judge_unknown',
      `the judge \`${judge.value}\` is not in this policy: calls are denied unless the host program provides it`,
      judge.at,
    )
  }
  return {
    judge: judge.value,
    criteria: raw.criteria ?? null,
    minScore: raw.min_score ?? null,
    minConfidence: raw.min_confidence ?? null,
    timeoutMs: raw.timeout_seconds === undefined ? null : raw.timeout_seconds * 1_000,
  }
}

function skipOf(raw: RawSkip, context: CompileContext): JudgeSkip | null {
  const simple = 'value' in raw
  const tool = simple ? raw : raw.tool
  if (tool === undefined) return null
  const server = simple ? null : (raw.server ?? null)
  const written = server === null ? tool : { ...tool, value: `${server}/${tool.value}` }
  const compiled = toolPatternOf(written, context)
  if (compiled === null) return null
  const changes = !simple && raw.changes === true
  warnOfSkip({ text: written.value, changes, at: tool.at }, context)
  return { text: written.value, changes, matches: skips(written.value) }
}

/** A bare name is the host's own tool: no server can offer one of that name and so go past the judges. */
export function skips(text: string): JudgeSkip['matches'] {
  const compiled = compileToolPattern(text, { strict: true })
  const bare = !text.includes('/')
  return made((on: string | null, name: string) => (!bare || on === null) && compiled.matches(on, name), 'judge-skip', text)
}

function warnOfSkip(skip: { text: string; changes: boolean; at: Located<string>['at'] }, context: CompileContext): void {
  const { warn, options, registry } = context
  lintToolName({ value: skip.text, at: skip.at }, context)
  const known = registry?.tools.get(skip.text)
  const runs = options.vocabulary.runsCommands?.(skip.text) === true
  const mutates = runs || known?.irreversible === true || (known?.effects ?? []).some(({ verb }) => verb !== 'read')
  if (skip.changes) warn('lint.skip_judge', `no judge sees calls of \`${skip.text}\`, even where they change something`, skip.at)
  else if (mutates)
    warn('lint.skip_judge', `\`${skip.text}\` can change things: judges are skipped only for its calls that just read`, skip.at)
}
