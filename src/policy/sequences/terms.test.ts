import { expect, test } from 'vitest'
import type { History } from '../../core/history.ts'
import type { ConditionInput } from '../policy.ts'
import { compileWhen } from './rule.ts'

const INPUT: ConditionInput = {
  ...{ tool: 'send_email', server: '', args: { amount: 7 }, principal: {}, session: 's', cwd: '' },
  ...{ effects: [], commands: [], coverage: 'full' },
}

/** What the words of a condition asked of the session, and what came of it. */
function asked(when: string, answers: Partial<Record<'holds' | 'sends' | 'flowsFrom', boolean>>): readonly [unknown, readonly string[]] {
  const words: string[] = []
  const answer = (word: 'holds' | 'sends' | 'flowsFrom') => (label: string) => {
    words.push(`${word} ${label}`)
    const said = answers[word]
    if (said === undefined) throw new Error('this cannot be told')
    return said
  }
  const history: History = {
    ...{ steps: 0, now: 0, incomplete: false, lastSeen: () => null, count: () => 3, distinct: () => 0 },
    ...{ holds: answer('holds'), sends: answer('sends'), flowsFrom: answer('flowsFrom') },
  }
  const { result } = compileWhen(when, (text) => text)
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  try {
    return [result.temporal.evaluate(INPUT, history, null), words]
  } catch (error) {
    return [error instanceof Error ? error.message : error, words]
  }
}

for (const [title, when, answers, expected] of [
  ['a word is asked', 'holds("secret")', { holds: true }, [true, ['holds secret']]],
  ['a word behind what is false is not', 'tool == "never" && sends("secret")', { sends: true }, [false, []]],
  ['nor behind a word that is false', 'holds("secret") && sends("secret")', { holds: false, sends: true }, [false, ['holds secret']]],
  ['nor behind what is true, in an or', 'tool == "send_email" || sends("secret")', {}, [true, []]],
  ['each word is asked for itself', 'holds("secret") && holds("private")', { holds: true }, [true, ['holds secret', 'holds private']]],
  ['numbers are words as well', 'count(tool == "x") >= 3 && args.amount > 5', {}, [true, []]],
  ['what cannot be told stays an error', 'tool == "send_email" && sends("secret")', {}, ['this cannot be told', ['sends secret']]],
  ['and where it stands first', 'sends("secret") && tool == "send_email"', {}, ['this cannot be told', ['sends secret']]],
  ['but where the rest is false, nothing is open', 'sends("secret") && tool == "never"', {}, [false, ['sends secret']]],
] as const)
  test(title, () => expect(asked(when, answers)).toEqual(expected))
