import { describe, expect, test } from 'vitest'
import type { FlowEdge } from '../../../src/core/decision.ts'
import type { DecisionRow } from '../api/types.ts'
import { arrowsIn, edgeText } from './timeline.ts'

const row = (step: number, tool: string, flows: readonly FlowEdge[] = []): DecisionRow => ({
  ...{ id: `r${step}`, at: '2026-11-28T10:00:00.000Z', session: 's', tool, decision: 'allow', code: null, reason: null, summary: null },
  ...{ risk: 0, step, flows, labels: [] },
})
const edge = (tool: string, step: number): FlowEdge => ({
  ...{ argument: 'recipients', role: 'target', origin: 'text' },
  source: { tool, field: 'body', step },
})

describe('the arrows of a timeline', () => {
  test.each<[title: string, rows: readonly DecisionRow[], arrows: readonly (readonly [string, string])[]]>([
    [
      'lead from a result to the argument that holds it',
      [row(1, 'read_email'), row(2, 'send_email', [edge('read_email', 1)])],
      [['r1', 'r2']],
    ],
    ['know a tool by its server', [row(1, 'read'), row(2, 'send', [edge('mail/read', 1)])], [['r1', 'r2']]],
    ['do not believe a number whose call has another tool', [row(1, 'search'), row(2, 'send', [edge('read', 1)])], []],
    ['lead nowhere where the call is not shown', [row(7, 'send', [edge('read', 1)])], []],
    ['never lead from a call to itself', [row(2, 'read', [edge('read', 2)])], []],
    [
      'several may meet',
      [row(1, 'a'), row(2, 'b'), row(3, 'c', [edge('a', 1), edge('b', 2)])],
      [
        ['r1', 'r3'],
        ['r2', 'r3'],
      ],
    ],
  ])('%s', (_title, rows, arrows) => {
    expect(arrowsIn(rows).map(({ from, to }) => [from, to])).toEqual(arrows)
  })

  test.each<[FlowEdge, string]>([
    [edge('read_email', 1), 'recipients: stands in the result of read_email, field body'],
    [{ ...edge('a', 1), source: null, origin: 'nowhere', argument: '*' }, 'a value: nothing says where it comes from'],
    [
      { ...edge('a', 1), source: null, origin: 'derived', by: 'rule x' },
      'recipients: it follows from what the user said; rule x vouches for it',
    ],
  ])('in words: %j', (flow, text) => {
    expect(edgeText(flow)).toBe(text)
  })
})
