import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { CODES, type Code } from '../core/codes.ts'
import { agentText } from './disclosure.ts'

const REFUSED = 'This call is not allowed here: '
const ASKED = 'This call needs a person to agree to it: '
const LEFT = 'do not retry it in another form, go on without it or ask your user.'
const SAID = 'say why it is needed, or choose a way that does not need it.'

describe('what the agent is told', () => {
  for (const [code, verdict, advice, expected] of [
    ['rules.denied', 'deny', null, REFUSED + LEFT],
    ['rules.denied', 'ask', null, ASKED + SAID],
    ['hazard.destruction', 'ask', null, ASKED + SAID],
    ['hazard.destruction', 'deny', null, REFUSED + LEFT],
    ['hazard.destruction', 'halt', null, REFUSED + LEFT],
    ['hazard.remote_code', 'deny', 'Show the file first.', `${REFUSED}show the file first.`],
    ['hazard.history', 'ask', 'Push without force', `${ASKED}push without force.`],
    ['hazard.history', 'flag', 'Push without force.', 'This call may run.'],
    ['hazard.remote_code', 'flag', null, 'This call may run.'],
    ['rules.denied', 'deny', 'SQL belongs into migrations.', `${REFUSED}SQL belongs into migrations.`],
    ['rules.denied', 'deny', 'AWS is not for agents!', `${REFUSED}AWS is not for agents!`],
    ['hazard.opaque', 'deny', 'Write the command out plainly.', CODES['hazard.opaque'].agent],
    ['contract.violated', 'deny', 'Give a date.', `${CODES['contract.violated'].agent} Give a date.`],
    ['rules.allowed', 'allow', null, 'Allowed.'],
  ] as const) {
    test(`${code}, ${verdict}, ${advice ?? 'no advice'}`, () => expect(agentText(code, advice, verdict)).toBe(expected))
  }

  proves('T53', 'never that a call is refused where it waits, that people are asked where it is refused, or either where it runs', () => {
    for (const code of Object.keys(CODES) as Code[]) {
      for (const advice of [null, 'Do x.']) {
        expect([code, agentText(code, advice, 'ask').includes('not allowed here')]).toEqual([code, false])
        expect([code, agentText(code, advice, 'deny').includes('needs a person to agree')]).toEqual([code, false])
        expect([code, /not allowed here|needs a person to agree/.test(agentText(code, advice, 'flag'))]).toEqual([code, false])
      }
    }
  })
})
