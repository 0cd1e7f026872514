import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** How programs are followed: variables, branches, loops, functions, objects, each seen by what is removed. */

describe('variables', () => {
  for (const [code, expected] of [
    [`import os; x = 'a'; x = 'b'; os.remove(x)`, ['delete b']],
    [`import os; x = y = 'a'; os.remove(x); os.remove(y)`, ['delete a']],
    [`import os; a, b = 'x', 'y'; os.remove(a + b)`, ['delete xy']],
    [`import os; a, (b, c) = 'x', ('y', 'z'); os.remove(c)`, ['delete z']],
    [`import os; a, *b = ['x', 'y', 'z']; os.remove(b[0])`, ['delete y']],
    [`import os; x = 'a'; x += 'b'; x += 'c'; os.remove(x)`, ['delete abc']],
    [`import os; d = {}; d['k'] = 'v'; os.remove(d['k'])`, ['delete v']],
    [`import os; l = ['a']; l.append('b'); os.remove(l[1])`, ['delete b']],
    [`import os; l = []; l.append('b'); os.remove(l[0])`, ['delete b']],
    [`import os; l = ['a', 'b']; l[0] = 'c'; os.remove(l[1])`, ['delete b']],
    ['import os; x = undefined; os.remove(x)', ['delete *']],
    ['import os; os.remove(argument)', ['delete *']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('branches', () => {
  for (const [code, expected] of [
    [
      `import os
x = 'a'
if c: x = 'b'
os.remove(x)`,
      ['delete a', 'delete b'],
    ],
    [
      `import os
if c: x = 'a'
else: x = 'b'
os.remove(x)`,
      ['delete a', 'delete b'],
    ],
    [
      `import os
x = 'a'
if c: x = 'b'
elif d: x = 'c'
os.remove(x)`,
      ['delete a', 'delete b', 'delete c'],
    ],
    [
      `import os
x = 'a'
try: x = 'b'
except E: x = 'c'
os.remove(x)`,
      ['delete b', 'delete c'],
    ],
    [
      `import os
if c:
    if d: x = 'a'
    else: x = 'b'
else: x = 'c'
os.remove(x)`,
      ['delete a', 'delete b', 'delete c'],
    ],
    [`import os; os.remove('a' if c else 'b' if d else 'e')`, ['delete a', 'delete b', 'delete e']],
    [`import os; os.remove(c or 'dflt')`, ['delete *', 'delete dflt']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('loops', () => {
  for (const [code, expected] of [
    [
      `import os
for x in ['a', 'b']: os.remove(x)`,
      ['delete a', 'delete b'],
    ],
    [
      `import os
for x in 'ab': os.remove(x)`,
      ['delete a', 'delete b'],
    ],
    [
      `import os
for i in range(3): os.remove(str(i))`,
      ['delete 0', 'delete 1', 'delete 2'],
    ],
    [
      `import os
for i, x in enumerate(['a', 'b']): os.remove(f'{i}{x}')`,
      ['delete 0a', 'delete 1b'],
    ],
    [
      `import os
for a, b in zip(['a', 'b'], ['c', 'd']): os.remove(a + b)`,
      ['delete ac', 'delete bd'],
    ],
    [
      `import os
for k, v in {'a': 'b'}.items(): os.remove(k + v)`,
      ['delete ab'],
    ],
    [
      `import os
for k in {'a': 1}: os.remove(k)`,
      ['delete a'],
    ],
    [
      `import os
for x in unknown: os.remove(x)`,
      ['delete *'],
    ],
    [
      `import os
for x in ['a']:
    for y in ['b', 'c']: os.remove(x + y)`,
      ['delete ab', 'delete ac'],
    ],
    [
      `import os
n = 0
while n < 3:
    os.remove(str(n))
    n += 1`,
      ['delete *'],
    ],
    [
      `import os
s = ''
for c in ['a', 'b']: s += c
os.remove(s)`,
      ['delete ab'],
    ],
    [
      `import os
for i in range(1000): os.remove('f%d' % i)`,
      ['delete f*'],
    ],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('functions', () => {
  for (const [code, expected] of [
    [
      `import os
def f(): os.remove('a')
f()`,
      ['delete a'],
    ],
    [
      `import os
def f(): os.remove('never called')`,
      ['delete never called'],
    ],
    [
      `import os
def f(p, q='d'): os.remove(p + q)
f('a'); f('b', 'c'); f('e', q='g'); f(p='h')`,
      ['delete ad', 'delete bc', 'delete eg', 'delete hd'],
    ],
    [
      `import os
def f(*a): os.remove(a[1])
f('x', 'y')`,
      ['delete y'],
    ],
    [
      `import os
def f(p): return p + '.bak'
os.remove(f('a'))`,
      ['delete a.bak'],
    ],
    [
      `import os
def f(p):
    if c: return 'a'
    return 'b'
os.remove(f(1))`,
      ['delete a', 'delete b'],
    ],
    [
      `import os
def f(p): g(p)
def g(p): os.remove(p)
f('through')`,
      ['delete through'],
    ],
    [
      `import os
def f():
    def g(): os.remove(x)
    x = 'closure'
    g()
f()`,
      ['delete closure'],
    ],
    [
      `import os
x = 'outer'
def f(): os.remove(x)
f()`,
      ['delete outer'],
    ],
    [
      `import os
def f(n):
    os.remove(n)
    f(n)
f('once')`,
      ['delete once'],
    ],
    [
      `import os
def f(g): g('passed')
f(os.remove)`,
      ['delete passed'],
    ],
    [
      `import os
f = lambda p: os.remove(p)
f('lambda')`,
      ['delete lambda'],
    ],
    [
      `import os
def deco(f): return f
@deco
def g(): os.remove('decorated')
g()`,
      ['delete decorated'],
    ],
    [
      `import os
def gen(): yield 'a'
for x in gen(): os.remove(x)`,
      ['delete a'],
    ],
    [
      `import os
def a(): b()
def b(): c()
def c(): d()
def d(): e()
def e(): os.remove('deep')
a()`,
      ['delete deep'],
    ],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('objects', () => {
  for (const [code, expected] of [
    [
      `import os
class A:
    p = 'field'
    def go(self): os.remove(self.p)
A().go()`,
      ['delete field'],
    ],
    [
      `import os
class A:
    def __init__(self, p='dflt'): self.p = p
    def go(self): os.remove(self.p)
A().go(); A('given').go()`,
      ['delete dflt', 'delete given'],
    ],
    [
      `import os
class A:
    def __enter__(self): os.remove('enter')
with A(): pass`,
      ['delete enter'],
    ],
    [
      `import os
class A:
    @staticmethod
    def go(p): os.remove(p)
A.go('static')`,
      ['delete static'],
    ],
    [
      `import os
a = A(); a.p = 'set'; os.remove(a.p)`,
      ['delete *'],
    ],
    [
      `import os
class A: pass
a = A(); a.p = 'set'; os.remove(a.p)`,
      ['delete set'],
    ],
    [
      `import os
class A:
    os.remove('class body')`,
      ['delete class body'],
    ],
    [
      `import os
class A(B):
    def run(self): os.remove('overridden')`,
      ['delete overridden'],
    ],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('names of modules', () => {
  for (const [code, expected] of [
    [
      `from os import *
remove('starred')`,
      ['delete starred'],
    ],
    [
      `from os import remove as r
r('renamed')`,
      ['delete renamed'],
    ],
    [
      `import os as o
o.remove('renamed module')`,
      ['delete renamed module'],
    ],
    [
      `import os.path
import os
os.remove(os.path.join('a', 'b'))`,
      ['delete a/b'],
    ],
    [
      `import os
r = os
r.remove('second name')`,
      ['delete second name'],
    ],
    [
      `import os
r = getattr(os, 'remove')
r('by name')`,
      ['delete by name'],
    ],
    [
      `m = __import__('os')
m.remove('imported')`,
      ['delete imported'],
    ],
    [
      `def remove(p): pass
remove('own function')
import os
os.remove('real one')`,
      ['delete real one'],
    ],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})
