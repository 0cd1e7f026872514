/** Follows the quickstart to the letter: every command of a `console` block, in order, in a home of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ROOT } from '../hosts/harness.ts'

interface Step {
  readonly command: string
  /** Lines that the output must have, in this order; `…` stands for anything. */
  readonly lines: readonly string[]
}

/** The commands of every `console` block, each with what the page says it prints. */
function stepsOf(page: string): readonly Step[] {
  return [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...lines] = part.trimEnd().split('\n')
        return { command, lines }
      }),
  )
}

const steps = stepsOf(readFileSync('docs/guide/quickstart.md', 'utf8'))

let home: Home
let daemon: ChildProcess | null = null
beforeAll(() => {
  home = makeHome()
})
afterAll(() => {
  daemon?.kill()
  home.remove()
})

/** What the command prints until it ends, or, in the background, until it has printed as many lines as are expected. */
function run({ command, lines }: Step): Promise<string> {
  const background = command.endsWith('&')
  const { COUNTERSIGN_HOME: _, ...environment } = home.environment
  const child = spawn('/bin/sh', ['-c', background ? `exec ${command.slice(0, -1)}` : command], { cwd: ROOT, env: environment })
  if (background) daemon = child
  let printed = ''
  return new Promise((resolve) => {
    const hear = (chunk: Buffer) => {
      printed += chunk.toString()
      if (background && printed.split('\n').length > lines.length) resolve(printed)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('close', () => resolve(printed))
  })
}

function says(printed: string, expected: string): boolean {
  const parts = expected.split('…')
  let at = 0
  for (const [i, part] of parts.entries()) {
    const found = i === 0 ? (printed.startsWith(part) ? 0 : -1) : printed.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return parts.at(-1) === '' || at === printed.length
}

/** The expected lines that do not come, each after the one before. */
function missing(printed: string, expected: readonly string[]): readonly string[] {
  const lines = printed.split('\n')
  let from = 0
  return expected.filter((line) => {
    const at = lines.findIndex((each, i) => i >= from && says(each, line))
    if (at !== -1) from = at + 1
    return at === -1
  })
}

describe('the quickstart', () => {
  test('has commands, and says what each prints', () => {
    expect(steps.length).toBeGreaterThan(10)
    expect(steps.filter(({ lines }) => lines.length === 0)).toEqual([])
  })

  for (const step of steps) {
    test(step.command, async () => {
      const printed = await run(step)
      expect([missing(printed, step.lines), printed]).toEqual([[], printed])
    })
  }
})

describe('reading the page', () => {
  for (const [printed, expected, holds] of [
    ['a b c', 'a b c', true],
    ['a b c', 'a … c', true],
    ['a b c', '…b…', true],
    ['a b c', 'a b', false],
    ['a b c', 'b c', false],
    ['x', '…y', false],
  ] as const) {
    test(`\`${expected}\` ${holds ? 'is' : 'is not'} \`${printed}\``, () => expect(says(printed, expected)).toBe(holds))
  }

  test('lines count in their order', () => {
    expect(missing('a\nb\n', ['a', 'b'])).toEqual([])
    expect(missing('a\nb\n', ['b', 'a'])).toEqual(['a'])
  })
})
