import { Environment } from '@marcbachmann/cel-js'
import { describe, expect, test } from 'vitest'
import { fold } from './fold.ts'

const environment = new Environment({ unlistedVariablesAreDyn: true })

describe('what holds for every call', () => {
  for (const [text, expected] of [
    ['true', true],
    ['false', false],
    ['!true', false],
    ['!(a == 1)', null],
    ['a == 1', null],
    ['true && true', true],
    ['a == 1 && false', false],
    ['a == 1 && true', null],
    ['true || a == 1', true],
    ['false || false', false],
    ['false || a == 1', null],
    ['true ? false : true', false],
    ['a ? false : false', false],
    ['a ? true : false', null],
    ['1 == 1', true],
    ['"a" == "b"', false],
    ['"a" != "b"', true],
    ['1 != 1', false],
    ['a in []', false],
    ['a in [1]', null],
    ['a == 1 && b == 2', null],
    ['a == 1 && a == 1', null],
    ['a == 1 && a == 2', false],
    ['1 == a && a == 2', false],
    ['a.b == "x" && c && a.b == "y"', false],
    ['a.b == "x" && a.c == "y"', null],
    ['a == 1 || a == 2', null],
    ['a && !a', false],
    ['!(a.exists(x, x > 1)) && a.exists(x, x > 1)', false],
    ['a.exists(x, false)', false],
    ['a.exists(x, x == 1 && x == 2)', false],
    ['a.exists_one(x, false)', false],
    ['[].exists(x, x == 1)', false],
    ['a.all(x, false)', null],
    ['a.map(x, false) == []', null],
    ['a == b', null],
  ] as const) {
    test(text, () => expect(fold(environment.parse(text).ast)).toBe(expected))
  }
})
