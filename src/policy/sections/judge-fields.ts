/** The fields of one judge, and the parts of them that need more than their type. */
import { isScalar } from 'yaml'
import { JUDGE_PROVIDERS, type JudgePolicy } from '../judges.ts'
import { described, type Field, flag, listOf, located, mapOf, oneOf, rangeOf, text, whole, wrongType } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import type { CompileContext } from '../section.ts'
import { toolsField } from './judge-tools.ts'

/** A number from 0 to 1. */
const share: Field<number> = {
  expects: 'a number from 0 to 1',
  schema: { type: 'number', minimum: 0, maximum: 1 },
  read: (node, reader, key) => {
    const value = isScalar(node) ? node.value : undefined
    if (typeof value !== 'number') return wrongType(share, node, { reader, key })
    if (value >= 0 && value <= 1) return value
    return reader.fail({ code: 'policy.wrong_value', message: `\`${value}\` is not from 0 to 1`, at: rangeOf(node, key) })
  },
}

export const seconds = described(whole(1, 3_600), 'How long to wait for its answer; default 300.')
export const score = described(share, 'The least score that it accepts, which is enough; default 0.7.')
export const confidence = described(share, 'The least confidence, which is enough; default 0.')

/** Not below 0; written as a number, and never infinite. */
function amount(most: number, expects: string): Field<number> {
  const field: Field<number> = {
    expects,
    schema: { type: 'number', minimum: 0, maximum: most },
    read: (node, reader, key) => {
      const value = isScalar(node) ? node.value : undefined
      if (typeof value !== 'number') return wrongType(field, node, { reader, key })
      if (value >= 0 && value <= most) return value
      return reader.fail({ code: 'policy.wrong_value', message: `\`${value}\` is not from 0 to ${most}`, at: rangeOf(node, key) })
    },
  }
  return field
}

const money = amount(1_000_000, 'an amount of money')

export const judgeField = record(
  {
    provider: described(
      oneOf(JUDGE_PROVIDERS),
      'What answers: a model, an HTTP service, a program, the host program, the built-in statistical model, or two judges.',
    ),
    model: described(text, 'The name of the model, for `anthropic`, `openai`, `google` and `ai-sdk`.'),
    module: described(
      record({ name: located(text), export: text }, { required: ['name', 'export'] }),
      'For `ai-sdk`: the package that provides the model, and what it exports it as.',
    ),
    url: described(located(text), 'Its address; https, or http on this machine.'),
    api_key_env: described(text, 'The variable that holds its key.'),
    headers_env: described(
      mapOf(located(text)),
      'Headers to send, and the variables that hold their values: `COUNTERSIGN_JUDGE_…`, which stand for nothing else.',
    ),
    temperature: described(amount(2, 'a number from 0 to 2'), 'Sent to a model that takes one. Default: not sent.'),
    stream: described(flag, 'Read the answer of a model while it is written. Default false.'),
    command: described(listOf(text), 'The program, by its absolute path, and its arguments.'),
    judges: described(listOf(located(text)), 'The two judges of a tribunal.'),
    criteria: described(text, 'What it judges by.'),
    tools: described(toolsField, 'What it may look around with before it answers, in a sandbox: a list, or a mapping. Default none.'),
    min_score: score,
    min_confidence: confidence,
    timeout_seconds: seconds,
    on_error: described(oneOf(['ask', 'deny']), 'What no answer counts as; default `deny` as a gate and `ask` for an open question.'),
    veto: described(mapOf(share), 'Signals and the score that each needs, whatever the whole scores.'),
    mode: described(oneOf(['enforce', 'shadow']), '`shadow`: what it says is recorded and changes nothing. Default `enforce`.'),
    evidence: described(
      record({ file: located(text), digest: located(text) }, { required: ['file'] }),
      'What it was measured to do before it may enforce: a file of `judge calibrate`, and the `sha256:…` of that file.',
    ),
    resolves: described(listOf(located(text)), 'Layers whose asks it may settle; default none.'),
    advises: described(listOf(oneOf(['contract'])), 'Where it only advises: what it rejects is flagged. Default nowhere.'),
    permits: described(oneOf(['reversible', 'any']), 'Default `reversible`: it never settles an ask about what cannot be undone.'),
    family: described(text, 'The family of its model, where the name does not tell.'),
    allow_same_family: described(flag, 'Let it judge an agent of its own model family. Default false.'),
    sample: described(share, 'The share of calls that it sees as a gate; default 1.'),
    always: described(listOf(located(text)), 'Tools of which it sees every call, whatever the sample.'),
    budget: described(record({ per_session: whole(0, 1_000_000), per_day: whole(0, 1_000_000) }), 'Calls of it at most.'),
    price: described(
      record({
        input: described(money, 'Of a million tokens that it reads.'),
        output: described(money, 'Of a million tokens that it writes.'),
        call: described(money, 'Of each call.'),
      }),
      'What it costs, in any currency: then every call of it is recorded with its cost.',
    ),
    max_cost: described(
      record({ per_session: money, per_day: money }),
      'In the currency of `price`: a judge that has cost as much is not asked any more.',
    ),
    cache: described(
      record({
        seconds: described(whole(1, 2_592_000), 'How long; default 600.'),
        irreversible: described(flag, 'Also for calls that cannot be undone. Default false.'),
      }),
      'Use its answer again for exactly the same question. Default never.',
    ),
    calibration: described(located(text), 'A file of `judge calibrate`: its scores become probabilities before the thresholds.'),
    recent_calls: described(whole(0, 20), 'How many earlier calls it is shown, without what they returned; default 0.'),
    max_payload_bytes: described(whole(16_384, 1_048_576), 'Up to how many bytes it is shown all of a call; default 65536.'),
  },
  { required: ['provider'] },
)

export type RawJudge = NonNullable<ReturnType<(typeof judgeField)['read']>>

/** The package of `ai-sdk`: found beside this one, never in the directory of an agent, so it is a name and no path. */
export function moduleOf(raw: RawJudge['module'], { reader }: CompileContext): JudgePolicy['module'] {
  const name = raw?.name
  if (name === undefined) return null
  if (/^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9-]+)?$/.test(name.value)) return { name: name.value, export: raw?.export ?? '' }
  const help = 'name an installed package, such as `@ai-sdk/groq`'
  reader.fail({ code: 'policy.wrong_value', message: `\`${name.value}\` is no name of a package`, help, at: name.at })
  return null
}
