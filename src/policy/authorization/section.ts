/** The section `authorization`: what of the user's request covers calls, and who reads it. */

import { pointsOr } from '../flow/section.ts'
import type { JudgePolicy } from '../judges.ts'
import { described, flag, located, text } from '../reading/fields.ts'
import { suggestion } from '../reading/nearest.ts'
import { record } from '../reading/record.ts'
import type { Range } from '../reading/source.ts'
import { type CompileContext, section } from '../section.ts'
import type { AuthorizationSection } from './model.ts'

export const authorization = section({
  fields: () => ({
    authorization: described(
      record({
        words: described(
          flag,
          'Whether what the request says itself lifts a question of `flow`: "you can find her email in info.txt". Default true.',
        ),
        judge: described(
          located(text),
          'A judge of `judges` that makes a graph of each request, once, before any result is read: which tools may be called, and ' +
            'from where each value may come. Default none.',
        ),
        uncovered: described(
          located(pointsOr('rules', 'ask')),
          'What becomes of calls that the judge’s graph does not cover, once text of others came in: as the rules say (default), people are ' +
            'asked, or people are asked from so many points of doubt, as in `flow.ask_at`.',
        ),
      }),
      'What of the user’s request covers calls. It only ever lifts a question of `flow`.',
    ),
  }),
  compile: ({ authorization: raw = {} }, context): { authorization: AuthorizationSection } => {
    const { words = true, judge, uncovered } = raw
    if (judge !== undefined) checkJudge(judge.value, judge.at, context)
    else if (uncovered !== undefined && uncovered.value !== 'rules') {
      const message = `\`uncovered: ${uncovered.value}\` needs a \`judge\`: without one there is no graph that a call could be held to`
      context.reader.fail({ code: 'policy.not_enforced', message, help: 'name a judge of `judges`', at: uncovered.at })
    }
    return { authorization: { words, judge: judge?.value ?? null, uncoveredAt: pointsOf(uncovered?.value ?? 'rules') } }
  },
})

function pointsOf(uncovered: number | 'rules' | 'ask'): number | null {
  if (uncovered === 'rules') return null
  return uncovered === 'ask' ? 0 : uncovered
}

function checkJudge(name: string, at: Range, { judges, reader }: CompileContext): void {
  const named = judges?.named ?? new Map<string, JudgePolicy>()
  const judge = named.get(name)
  if (judge === undefined) {
    const help = suggestion(name, [...named.keys()])
    reader.fail({ code: 'policy.wrong_value', message: `\`${name}\` is no judge of this policy`, help, at })
  } else if (judge.provider === 'embedded' || judge.provider === 'tribunal') {
    const help = 'name a judge that is a model, a program, a service or a function'
    reader.fail({ code: 'policy.wrong_value', message: `a judge of the provider \`${judge.provider}\` writes no graph`, help, at })
  }
}
