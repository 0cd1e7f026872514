import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { call, facts } from '../testing/compiled.ts'
import { argumentText, ruleInput } from './input.ts'

describe('argument text', () => {
  proves('PRO-18', 'is JSON with sorted keys, spaced and compact, and keeps non-ASCII', () => {
    const text = argumentText({ path: '/etc', b: [1, true, null], a: { z: 'naïve', y: "it's" } })
    expect(text).toBe(
      '{"a": {"y": "it\'s", "z": "naïve"}, "b": [1, true, null], "path": "/etc"}\n{"a":{"y":"it\'s","z":"naïve"},"b":[1,true,null],"path":"/etc"}',
    )
    expect(text).toContain('"path": "/etc"')
    expect(text).toContain('"path":"/etc"')
    expect(text).not.toContain("'path': '/etc'")
    expect(text).toBe(argumentText({ a: { y: "it's", z: 'naïve' }, path: '/etc', b: [1, true, null] }))
  })

  test('no argument can forge the line between the spellings', () => {
    expect(argumentText({ a: 'x\ny' }).split('\n')).toHaveLength(2)
  })
})

describe('condition input', () => {
  test('what is unknown is the empty text', () => {
    const { condition, user, role } = ruleInput(call('t'), facts())
    expect(condition).toEqual({
      tool: 't',
      server: '',
      args: Object.create(null),
      principal: { agent: '', role: '', user: '', tenant: '', chain: [] },
      session: '',
      cwd: '',
      effects: [],
      commands: [],
      coverage: 'partial',
    })
    expect([user, role]).toEqual([null, null])
  })

  test('effects and commands carry wire names; unknown words and unresolved paths have a text', () => {
    const target = { kind: 'path', value: 'a', real: null, scope: 'workspace', classes: ['vcs'] } as const
    const effect = {
      verb: 'write',
      action: null,
      target,
      reversible: true,
      certainty: 'certain',
      span: null,
      reason: null,
      attributes: { mass: true },
    } as const
    const span = { pointer: '/command', start: 0, end: 1 }
    const { condition } = ruleInput(
      call('Bash', { server: 's', user: 'u', role: 'r' }),
      facts({
        effects: [effect, { ...effect, target: { ...target, kind: 'host', value: 'h' } }],
        commands: [{ program: null, argv: ['git', null], wrappers: [], span }],
      }),
    )
    expect(condition.effects).toEqual([
      {
        verb: 'write',
        action: '',
        target: { ...target, real: 'a' },
        reversible: true,
        certainty: 'certain',
        reason: '',
        attributes: { mass: true },
      },
      {
        verb: 'write',
        action: '',
        target: { ...target, kind: 'host', value: 'h', real: '' },
        reversible: true,
        certainty: 'certain',
        reason: '',
        attributes: { mass: true },
      },
    ])
    expect(condition.commands).toEqual([{ program: '', argv: ['git', ''], wrappers: [], text: 'git ' }])
  })
})
