/** What commands share at the edge: standard input, printing, colour, exit codes. */
import { readFileSync, writeSync } from 'node:fs'
import pc from 'picocolors'
import type { Outcome } from '../core/verdict.ts'
import { visibleText } from '../facts/resources/text/visible.ts'

/** 0 allow or flag · 3 ask · 4 deny · 5 halt · 2 bad input, usage or policy · 1 never on purpose. */
export const EXIT = { ok: 0, broken: 1, usage: 2, ask: 3, deny: 4, halt: 5 } as const

export function exitOf(decision: Outcome): number {
  switch (decision) {
    case 'allow':
    case 'flag':
      return EXIT.ok
    case 'ask':
      return EXIT.ask
    case 'deny':
      return EXIT.deny
    case 'halt':
      return EXIT.halt
  }
}

/** A fault that the person at the terminal can mend; printed without a stack, exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function readStdin(): Uint8Array {
  try {
    return readFileSync(0)
  } catch (error) {
    // A closed standard input is an empty one; the strict reader says so.
    if (error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EOF')) return new Uint8Array()
    throw error
  }
}

/** All of it, before anything else happens. Node's own stream for standard output takes longer to make than a decision takes. */
export function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function warn(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Colours of verdicts; plain where the terminal is none or `NO_COLOR` is set. */
export function coloured(outcome: Outcome): string {
  switch (outcome) {
    case 'allow':
      return pc.green(outcome)
    case 'flag':
      return pc.cyan(outcome)
    case 'ask':
      return pc.yellow(outcome)
    case 'deny':
    case 'halt':
      return pc.red(outcome)
  }
}

/** What our own lines are cut with: the one sign that could be read as others and still stands. */
const CUT = /( ?…)/

/** A line that may hold text of an agent: what a terminal would obey, nobody could see or everybody would misread is written out (T24, T61). */
export function visible(text: string): string {
  return text
    .split(CUT)
    .map((part) => (CUT.test(part) ? part : visibleText(part)))
    .join('')
}
