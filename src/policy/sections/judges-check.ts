/** What a judge must have to be able to judge: an address, a program, a model, two members. */
import { familyOfJudge, JUDGE_DEFAULTS, type JudgePolicy, MODEL_PROVIDERS } from '../judges.ts'
import type { Range } from '../reading/source.ts'
import type { CompileContext } from '../section.ts'
import type { RawJudge } from './judge-fields.ts'

interface Checked {
  readonly name: string
  readonly judge: JudgePolicy | undefined
  readonly all: ReadonlyMap<string, JudgePolicy>
  readonly at: Range
  readonly raw: RawJudge
}

/** Faults go to the reader. */
export function checkJudges({ name, judge, all, at, raw: { url, module } }: Checked, { reader }: CompileContext): void {
  if (judge === undefined) return
  const place = { start: at.start, end: at.start + 1 }
  for (const field of missingFields(judge, module !== undefined))
    reader.fail({ code: 'policy.missing_field', message: `the judge \`${name}\` needs \`${field}\``, at: place })
  if (judge.provider === 'tribunal') checkTribunal({ name, judge, all, place }, reader.fail.bind(reader))
  for (const fault of unheeded(judge)) reader.fail({ code: 'policy.not_enforced', ...fault, at: place })
  const program = judge.command[0]
  if (program !== undefined && !program.startsWith('/')) {
    const help = 'a search along PATH could find a program of the agent'
    reader.fail({ code: 'policy.wrong_value', message: `\`${program}\` is no absolute path`, help, at: place })
  }
  if (url !== undefined && !isSafe(url.value)) {
    const help = 'use https, or http on this machine'
    reader.fail({ code: 'policy.wrong_value', message: `\`${url.value}\` is no address of a judge`, help, at: url.at })
  }
}

function missingFields({ provider, model, url, command }: JudgePolicy, hasModule: boolean): readonly string[] {
  const needed = [
    { field: 'model', missing: (MODEL_PROVIDERS.has(provider) || provider === 'ai-sdk') && model === null },
    { field: 'module', missing: provider === 'ai-sdk' && !hasModule },
    { field: 'url', missing: provider === 'http' && url === null },
    { field: 'command', missing: provider === 'command' && command.length === 0 },
  ]
  return needed.flatMap(({ field, missing }) => (missing ? [field] : []))
}

const MEMBERS = 'give it to the judges of the tribunal'

/** Fields that would do nothing for this judge. */
function unheeded(judge: JudgePolicy): readonly { message: string; help: string }[] {
  const { name, provider, tools, cache, stream, members, headersEnv, temperature } = judge
  const models = MODEL_PROVIDERS.has(provider)
  const counts = models || provider === 'ai-sdk'
  const tribunal = provider === 'tribunal'
  const faults = [
    { when: tools !== null && !models, what: 'tools', why: 'only models that are asked over their own wire can ask for tools' },
    { when: stream && !models, what: 'stream', why: 'only the answers of models are read while they are written' },
    {
      when: cache !== null && tools !== null,
      what: 'cache',
      why: 'what a judge with tools sees changes, so its answers are not used again',
    },
    { when: temperature !== null && !counts, what: 'temperature', why: 'only models have one' },
    { when: headersEnv.size > 0 && !models && provider !== 'http', what: 'headers_env', why: 'it is not asked over HTTP by countersign' },
    ...unheededCost(judge, counts),
    { when: tribunal && judge.maxPayloadBytes !== JUDGE_DEFAULTS.maxPayloadBytes, what: 'max_payload_bytes', why: MEMBERS },
    { when: cache !== null && members.length > 0, what: 'cache', why: MEMBERS },
  ]
  return faults.flatMap(({ when, what, why }) =>
    when ? [{ message: `\`${what}\` does nothing for the judge \`${name}\``, help: why }] : [],
  )
}

function unheededCost({ provider, price, maxCost }: JudgePolicy, counts: boolean) {
  const capped = maxCost.perSession !== null || maxCost.perDay !== null
  const tribunal = provider === 'tribunal'
  return [
    {
      when: capped && !tribunal && (price === null || price.input + price.output + price.call === 0),
      what: 'max_cost',
      why: 'say under `price` what it costs',
    },
    {
      when: price !== null && price.input + price.output > 0 && !counts,
      what: 'price',
      why: 'only models count tokens; give the price of a `call`',
    },
    { when: tribunal && (price !== null || capped), what: price === null ? 'max_cost' : 'price', why: MEMBERS },
  ]
}

interface Tribunal {
  readonly name: string
  readonly judge: JudgePolicy
  readonly all: ReadonlyMap<string, JudgePolicy>
  readonly place: Range
}

/** Two that think alike are one: a tribunal needs two families, or to be told that it has none. */
function checkTribunal({ name, judge, all, place }: Tribunal, fail: CompileContext['reader']['fail']): void {
  const [first, second] = judge.members.map((member) => all.get(member))
  if (judge.members.length !== 2 || judge.members[0] === judge.members[1]) {
    fail({ code: 'policy.wrong_value', message: `the tribunal \`${name}\` needs exactly two different judges`, at: place })
    return
  }
  if (first === undefined || second === undefined || first.provider === 'tribunal' || second.provider === 'tribunal') {
    const message = `the judges of \`${name}\` must be judges of this policy, and no tribunals`
    fail({ code: 'policy.wrong_value', message, help: 'name two that stand under `judges`', at: place })
    return
  }
  const family = (each: JudgePolicy) => familyOfJudge(each) ?? each.model ?? each.name
  if (family(first) === family(second) && !judge.allowSameFamily) {
    const help = 'give it two models of different families, or set `allow_same_family: true`'
    fail({ code: 'policy.wrong_value', message: `both judges of \`${name}\` are of one family`, help, at: place })
  }
}

/** What is judged is private: it leaves the machine only under TLS, and never with a password in the address. */
function isSafe(written: string): boolean {
  if (!URL.canParse(written)) return false
  const url = new URL(written)
  if (url.username !== '' || url.password !== '') return false
  const local = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && local)
}
