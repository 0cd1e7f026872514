/** What bash starts is told: each so many of the pairs of forms; `npm run check:readers:tools` runs all of them. */
import { parse } from 'unbash'
import { expect, test } from 'vitest'
import { uncovered } from '../../src/facts/bash/expand/coverage.ts'
import { Bash, shellPrograms } from './bash-reference.ts'

const EACH = 211

test('what bash starts is named', () => {
  const bash = new Bash()
  try {
    const chosen = shellPrograms().filter((_, at) => at % EACH === 0)
    expect(chosen.flatMap((program) => bash.missed(program).map((name) => [name, program]))).toEqual([])
    expect(chosen.filter((program) => bash.started(program).size > 0).length).toBeGreaterThan(chosen.length / 2)
  } finally {
    bash.close()
  }
})

test('each text stands in a node of the tree, or bash cannot read it either', () => {
  const bash = new Bash()
  const left = shellPrograms()
    .filter((_, at) => at % 11 === 0)
    .filter((text) => {
      const script = parse(text)
      return script.errors === undefined && uncovered(text, script) !== null
    })
  expect(left.filter((text) => bash.reads(text))).toEqual([])
  bash.close()
})

test('a statement that is lost from the tree is seen', () => {
  for (const text of ['c1; c2', 'c1 && c2\nc3', 'x=1; c1 <<E\n$(c2)\nE\nc3', '{ c1; }; (( 1 )); [[ a ]]']) {
    const script = parse(text)
    for (const lost of script.commands)
      expect(uncovered(text, { ...script, commands: script.commands.filter((each) => each !== lost) })).not.toBeNull()
  }
})
