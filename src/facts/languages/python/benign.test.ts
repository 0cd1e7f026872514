import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** Ordinary Python, of which nothing is to be said: it computes, prints, parses, tests. */

describe('computing and printing', () => {
  for (const code of [
    `print('hello')`,
    'print(1 + 2 * 3 ** 4 // 5 % 6, 7 / 8, -9, ~1, 1 << 2, 5 & 3 | 4 ^ 1, not True, 1 < 2 <= 3 != 4)',
    'x = [i ** 2 for i in range(10) if i % 2]; print(sum(x), max(x), min(x), sorted(x, reverse=True), len(x))',
    `d = {k: v for k, v in zip('abc', range(3))}; print(d.items(), list(d), d.get('z', 0), {**d, 'x': 1})`,
    `s = 'a,b;c'; print(s.split(','), s.upper(), s.replace('a', 'b'), s.find('b'), s[1:], s[::-1], f'{s!r:>10}', s * 2)`,
    'import math, random, statistics; print(math.sqrt(2), random.choice([1, 2]), statistics.mean([1, 2]))',
    `import re; print(re.findall(r'\\d+', 'a1b2'), re.sub(r'(a)', r'\\1b', 'a'), re.compile('x').match('x'))`,
    `import json; print(json.dumps({'a': [1, None, True]}, indent=2), json.loads('[1]'))`,
    `import datetime as dt; print(dt.datetime.now().strftime('%Y'), dt.date(2020, 1, 1) + dt.timedelta(days=1))`,
    `from collections import Counter, defaultdict, namedtuple, deque; c = Counter('aab'); d = defaultdict(list); d['a'].append(1); print(c.most_common(1), d, deque([1], maxlen=2))`,
    `import itertools, functools, operator; print(list(itertools.chain([1], [2])), functools.reduce(operator.add, [1, 2]), list(itertools.product('ab', repeat=2)))`,
    'import numpy as np; a = np.arange(10).reshape(2, 5); print(a.mean(axis=0), np.linalg.norm(a), a @ a.T, a[a > 3], np.random.rand(3))',
    `import pandas as pd; df = pd.DataFrame({'a': [1, 2]}); df['b'] = df['a'].apply(lambda x: x + 1); print(df.groupby('a').sum(), df.query('a > 1'), df.describe(), df.eval('a + b'))`,
    `import decimal, fractions; print(decimal.Decimal('1.1') + 1, fractions.Fraction(1, 3))`,
    `import hashlib, hmac, uuid, secrets, base64; print(hashlib.sha256(b'x').hexdigest(), uuid.uuid4(), secrets.token_hex(4), base64.b64encode(b'x').decode(), base64.b64decode('eA=='))`,
    `import textwrap, string, pprint, copy, time; pprint.pprint(copy.deepcopy([1])); print(textwrap.dedent(' x'), string.ascii_letters, time.time()); time.sleep(0.1)`,
    `import sys; print(sys.version, sys.path, sys.argv, sys.platform, file=sys.stderr); sys.stdout.write('x'); sys.exit(0)`,
    `import os; print(os.getcwd(), os.path.exists('x'), os.path.join('a', 'b'), os.listdir('.'), os.cpu_count(), os.getpid(), os.sep, os.name)`,
    `from pathlib import Path; print(Path('a').exists(), Path('a') / 'b', Path('a.txt').suffix, Path('a').stem, Path.cwd(), [p.name for p in Path('.').iterdir()])`,
    `import ast; print(ast.dump(ast.parse('x = 1')), ast.literal_eval('[1]'))`,
    `import logging; logging.basicConfig(level=logging.INFO); logging.getLogger(__name__).info('x %s', 1)`,
    `import argparse; p = argparse.ArgumentParser(); p.add_argument('--x', type=int, default=1); a = p.parse_args(); print(a.x)`,
    `import xml.etree.ElementTree as ET; print(ET.fromstring('<a b="c"/>').get('b'))`,
    `import struct, zlib; print(struct.unpack('<I', b'abcd'), zlib.crc32(b'x'), zlib.decompress(zlib.compress(b'x')))`,
    `import difflib, html, urllib.parse; print(html.escape('<'), urllib.parse.urlparse('https://x.example/a').netloc, urllib.parse.quote('a b'))`,
    `import inspect, types, typing; print(inspect.signature(print), isinstance(1, int), type(1).__name__, callable(print), getattr(1, 'real'), hasattr(1, 'x'))`,
    `import os, sys; sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..')); sys.path.append('/x')`,
  ])
    test(code, () => expect(summary('python', code)).toEqual([]))
})

describe('structure', () => {
  for (const code of [
    `class A:
    """os.system('documentation')"""
    x: int = 1
    def __init__(self, y=2, *a, **k): self.y = y; super().__init__()
    @property
    def z(self): return self.y
    @staticmethod
    def s(): return A()
    def __enter__(self): return self
    def __exit__(self, *e): pass
with A() as a: print(a.z, A.s().y)`,
    `from dataclasses import dataclass, field
@dataclass(frozen=True)
class P:
    x: int
    l: list = field(default_factory=list)
print(P(1), P(x=2) == P(2))`,
    `from enum import Enum
class C(Enum):
    RED = 1
print(C.RED.name, list(C))`,
    `def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(10))`,
    `def gen():
    for i in range(3):
        yield i
    yield from [4, 5]
print(list(gen()), next(gen()))`,
    `try:
    1 / 0
except (ZeroDivisionError, ValueError) as e:
    print(e)
else:
    print(1)
finally:
    print(2)`,
    `import asyncio
async def main():
    await asyncio.sleep(1)
    r = await asyncio.gather(*[asyncio.sleep(0) for _ in range(3)])
    print(r)
asyncio.run(main())`,
    `import threading
lock = threading.Lock()
def w(n):
    with lock: print(n)
ts = [threading.Thread(target=w, args=(i,)) for i in range(3)]
[t.start() for t in ts]; [t.join() for t in ts]`,
    `while True:
    x = input('> ')
    if x == 'q': break
    print(x)`,
    `n = 0
while n < 10:
    n += 1
    if n % 2: continue
else: print(n)`,
    `match {'a': [1, 2]}:
    case {'a': [x, *rest]} if x > 0: print(rest)
    case str() | None: print(1)
    case _: pass`,
    `import unittest
class T(unittest.TestCase):
    def setUp(self): self.x = 1
    def test_a(self):
        with self.assertRaises(ValueError): int('x')
        self.assertEqual(self.x, 1)
if __name__ == '__main__': unittest.main()`,
    `import pytest
@pytest.mark.parametrize('a,b', [(1, 2)])
def test_x(a, b, tmp_path, monkeypatch):
    monkeypatch.setenv('A', 'b')
    assert a + 1 == b, f'{a}'`,
    `from django.db import models
class M(models.Model):
    name = models.CharField(max_length=1)
    class Meta: ordering = ['name']
print(M.objects.filter(name='x').order_by('-name').first())`,
    `import torch; import torch.nn as nn
m = nn.Linear(2, 1); m.eval(); y = m(torch.randn(3, 2)); loss = y.sum(); loss.backward(); print(y.shape)`,
    `import matplotlib; matplotlib.use('Agg'); import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.title('x'); plt.show()`,
    `from sympy import symbols, solve, lambdify; x = symbols('x'); print(solve(x ** 2 - 1, x), lambdify(x, x + 1)(2))`,
    `from typing import TypeVar, Generic, Optional; T = TypeVar('T')
def f(x: Optional[T] = None, /, *, k: 'list[int] | None' = None) -> T: ...`,
    `global_x = 1
def f():
    global global_x
    nonlocal_y = 1
    def g():
        nonlocal nonlocal_y
        nonlocal_y += 1
    g(); global_x += nonlocal_y
    del nonlocal_y
f(); assert global_x`,
    `lambda *a, k=1, **kw: (a, k, kw); (yield_ := 1); print(*[1, 2], sep=',', **{'end': ''}); a, *b = 1, 2, 3; a = b = c = 0; a, b = b, a; x = (1,); y = 1,`,
  ])
    test(code, () => expect(summary('python', code)).toEqual([]))
})

describe('mentions', () => {
  for (const code of [
    `print("os.system('rm -rf /')")`,
    `print(1)  # os.system('comment')`,
    `"""
os.system('documentation')
"""`,
    `s = '''import os; os.remove("a")'''
print(s)`,
    `cmd = ['rm', '-rf', '/']; print(cmd)`,
    `BAD = {'eval': 1, 'exec': 2, 'os.system': 3}; print('eval' in BAD)`,
    `def system(x): print(x)
system('ls')`,
    `class os:
    @staticmethod
    def system(x): print(x)
os.system('ls')`,
    `x.remove('a'); x.append('b'); y.pop(); z.delete(); q.system; r.execute; s.run('x'); t.call(); u.open; v.write('x'); w.send('x')`,
    `re.compile('rm -rf /').search(text); logging.info('curl http://x.example | sh')`,
    `assert 'os.system' in source; raise ValueError('subprocess.run failed')`,
  ])
    test(code, () => expect(summary('python', code)).toEqual([]))
})
