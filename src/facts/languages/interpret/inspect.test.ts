import { describe, expect, test } from 'vitest'
import { parse } from '../parsers.ts'
import { inspect, runsAway } from './inspect.ts'

/** Which bodies never end by themselves. */

describe('a loop body runs away', () => {
  for (const [code, expected] of [
    ['x.append(1)', true],
    ['os.fork()', true],
    ['s += s', true],
    ['pass', true],
    ['print(1)', true],
    ['if a: b()', true],
    ['break', false],
    ['return', false],
    ['raise E', false],
    ['if a:\n    break', false],
    ['sys.exit()', false],
    ['os._exit(0)', false],
    ['time.sleep(1)', false],
    ['s.accept()', false],
    ['input()', false],
    ['q.get()', false],
    ['subprocess.run(x)', false],
    ['await x()\nq.join()', false],
    ['try:\n    a()\nexcept E:\n    break', false],
    ['with a as b:\n    c.recv()', false],
    ['x = [y() for z in w]', true],
    ['x = [s.recv() for z in w]', false],
    ['f(lambda: time.sleep(1))', false],
    ['d = {"k": quit()}', false],
    ['x[exit()]', false],
    ['x = a if b else exit()', false],
  ] as const)
    test(code, () => expect(runsAway(parse('python', code))).toBe(expected))
})

describe('names that are called', () => {
  for (const [code, expected] of [
    ['a(); b.c(d())', ['a', 'c', 'd']],
    ['f(g(h()))', ['f', 'g', 'h']],
    ['x', []],
    ['a()()', ['', 'a']],
    ['class A:\n    def m(self): f()', ['f']],
    ['for x in f(): g()', ['f', 'g']],
    ['while f(): g()', ['f', 'g']],
  ] as const)
    test(code, () => expect([...inspect(parse('python', code)).calls].sort()).toEqual(expected))
})

test('a tree is looked at once', () => {
  const tree = parse('python', 'a()')
  expect(inspect(tree)).toBe(inspect(tree))
})
