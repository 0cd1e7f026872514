/** One fuzz run: mutated commands through the analysis, and what must hold for each of them. */
import { performance } from 'node:perf_hooks'
import type { ShellFacts } from '../../src/facts/bash/index.ts'
import { analyseShell } from '../../src/facts/bash/index.ts'
import { languages } from '../../src/facts/languages/index.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { mutated } from './mutate.ts'
import { Random } from './random.ts'

/** Milliseconds that the analysis of one command may take. */
const SLOWEST = 50

/** A world with things to find: scripts, links, an ignored package, a repository. */
const WORLD = {
  home: '/home/me',
  user: 'me',
  cwd: '/repo',
  roots: ['/repo'],
  files: {
    '/repo/script.sh': '#!/bin/bash\nrm -rf "$1"\n. ./env.sh\n',
    '/repo/env.sh': 'export X=1\nbash script.sh\n',
    '/repo/package.json': '{"scripts":{"build":"npm run clean && tsc","clean":"rm -rf dist"}}',
    '/repo/Makefile': 'all: sub\n\trm -rf out\nsub:\n\techo $(X)\n',
    '/repo/a.txt': 'a',
    '/home/me/.ssh/id_rsa': 'key',
  },
  links: { '/repo/y': '/etc/passwd', '/repo/loop': '/repo/loop' },
}

export interface Failure {
  readonly what: 'throws' | 'fails inside' | 'slow' | 'bad span'
  readonly command: string
  readonly detail: string
}

export interface Checked {
  readonly facts: ShellFacts | null
  readonly failure: Failure | null
  readonly milliseconds: number
}

function analyse(command: string): ShellFacts {
  return analyseShell(command, { pointer: '/command', view: createFixedView(WORLD), languages, cwd: '/repo' })
}

/** Analyses one command and says what does not hold. Slow ones are measured again, by the processor's time: the machine may be busy. */
export function check(command: string): Checked {
  const start = performance.now()
  let facts: ShellFacts
  try {
    facts = analyse(command)
  } catch (error) {
    return { facts: null, failure: { what: 'throws', command, detail: String(error) }, milliseconds: 0 }
  }
  let milliseconds = performance.now() - start
  for (let again = 0; again < 8 && milliseconds > SLOWEST; again++) {
    const from = process.cpuUsage()
    analyse(command)
    const { user, system } = process.cpuUsage(from)
    milliseconds = Math.min(milliseconds, (user + system) / 1_000)
  }
  return { facts, failure: problemOf(command, facts, milliseconds), milliseconds }
}

function problemOf(command: string, facts: ShellFacts, milliseconds: number): Failure | null {
  const inside = facts.effects.find((item) => item.reason?.includes('could not be analysed to its end') === true)
  if (inside !== undefined) return { what: 'fails inside', command, detail: inside.reason ?? '' }
  for (const { span } of [...facts.effects, ...facts.commands]) {
    if (span === null || span.start < 0 || span.end < span.start || span.end > command.length)
      return { what: 'bad span', command, detail: JSON.stringify(span) }
  }
  return milliseconds > SLOWEST ? { what: 'slow', command, detail: `${milliseconds.toFixed(1)} ms` } : null
}

export interface Tally {
  readonly count: number
  /** Failures in all, and the first hundred of them. */
  readonly failed: number
  readonly failures: readonly Failure[]
  readonly opaque: number
  readonly slowest: number
}

/** Runs `count` commands from `seed` on; `each` sees every one. */
export function campaign(seed: number, count: number, each?: (index: number, command: string, checked: Checked) => void): Tally {
  const random = new Random(seed)
  const failures: Failure[] = []
  let failed = 0
  let opaque = 0
  let slowest = 0
  for (let index = 0; index < count; index++) {
    const command = mutated(random)
    const checked = check(command)
    if (checked.failure !== null) {
      failed++
      if (failures.length < 100) failures.push(checked.failure)
    }
    if (checked.facts?.coverage === 'partial') opaque++
    slowest = Math.max(slowest, checked.milliseconds)
    each?.(index, command, checked)
  }
  return { count, failed, failures, opaque, slowest }
}
