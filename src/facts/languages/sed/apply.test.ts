import { describe, expect, test } from 'vitest'
import { applySed } from './apply.ts'

const TEXT = 'DEBUG = False\nname = "shop"  # x\n\nrun(a.b)\n'

describe('a text after sed', () => {
  for (const [script, expected, extended] of [
    ['s/False/True/', 'DEBUG = True\nname = "shop"  # x\n\nrun(a.b)\n'],
    ['s/^DEBUG = .*/DEBUG = 1/', 'DEBUG = 1\nname = "shop"  # x\n\nrun(a.b)\n'],
    ['s/a/A/', 'DEBUG = FAlse\nnAme = "shop"  # x\n\nrun(A.b)\n'],
    ['s/A/x/gi', 'DEBUG = Fxlse\nnxme = "shop"  # x\n\nrun(x.b)\n'],
    ['/^name/d', 'DEBUG = False\n\nrun(a.b)\n'],
    ['2d', 'DEBUG = False\n\nrun(a.b)\n'],
    ['$d', 'DEBUG = False\nname = "shop"  # x\n\n'],
    ['1!d', 'DEBUG = False\n'],
    ['/^$/d; s/run/go/', 'DEBUG = False\nname = "shop"  # x\ngo(a.b)\n'],
    ['s/run(a/x(y/', 'DEBUG = False\nname = "shop"  # x\n\nx(y.b)\n'],
    ['s/\\(DEBUG\\) = \\(.*\\)/\\2 = \\1/', 'False = DEBUG\nname = "shop"  # x\n\nrun(a.b)\n'],
    ['s/(DEBUG) = (.*)/\\2 = \\1/', 'False = DEBUG\nname = "shop"  # x\n\nrun(a.b)\n', true],
    ['s|"shop"|"a/b"|', 'DEBUG = False\nname = "a/b"  # x\n\nrun(a.b)\n'],
    ['s/shop/&s $1/', 'DEBUG = False\nname = "shops $1"  # x\n\nrun(a.b)\n'],
    ['s/[/ ]x/[y]/', 'DEBUG = False\nname = "shop"  #[y]\n\nrun(a.b)\n'],
    ['s/none/x/', TEXT],
  ] as const)
    test(script, () => expect(applySed(script, TEXT, extended ?? false)).toBe(expected))
  for (const script of [
    '',
    'p',
    '1,3d',
    's/a/b/e',
    's/a/b/w x',
    'y/a/b/',
    's/[\\n]/b/',
    's/a/\\n/',
    'i x',
    'r x',
    's/a',
    '!d',
    's/a/b/;w x',
  ])
    test(`is not known: ${script}`, () => expect(applySed(script, TEXT, false)).toBeNull())
})
