/** What a judge costs, what it may cost, and the headers that it is asked with. */
import type { JudgePolicy } from '../judges.ts'
import type { CompileContext } from '../section.ts'
import type { RawJudge } from './judge-fields.ts'

export function costOf({ price, max_cost: most }: RawJudge): Pick<JudgePolicy, 'price' | 'maxCost'> {
  return {
    price: price === undefined ? null : { input: price.input ?? 0, output: price.output ?? 0, call: price.call ?? 0 },
    maxCost: { perSession: most?.per_session ?? null, perDay: most?.per_day ?? null },
  }
}

/** Variables that exist for this alone: a policy that lies in the agent's repository could name any other, and send it away. */
const VARIABLE = /^COUNTERSIGN_JUDGE_[A-Z0-9_]+$/
const HEADER = /^[A-Za-z0-9-]{1,64}$/
/** They belong to the exchange itself. */
const OURS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'countersign-judge-depth',
])

/** By lower-case header. Faults go to the reader. */
export function headersOf({ headers_env: written }: RawJudge, { reader }: CompileContext): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const [header, { value, at }] of written ?? []) {
    const name = header.toLowerCase()
    const fail = (message: string, help: string): void => {
      reader.fail({ code: 'policy.wrong_value', message, help, at })
    }
    if (!HEADER.test(header) || OURS.has(name)) fail(`\`${header}\` is no header that a policy may set`, 'name another one')
    else if (headers.has(name)) fail(`the header \`${header}\` is written twice`, 'letter case makes no other header')
    else if (!VARIABLE.test(value))
      fail(`\`${value}\` is no variable for headers of judges`, 'name it `COUNTERSIGN_JUDGE_…`, in capital letters')
    else headers.set(name, value)
  }
  return headers
}
