/**
 * Compares which options of programs take a value with `@withfig/autocomplete` (ISC), which is installed into a temporary place:
 * `npm run check:grammar`. An option that is believed to take a value hides an operand; a value that is taken for an operand is
 * taken for a file. Each difference is mended, or listed in `scripts/check/grammar.json`: `reviewed` with a reason, or `open`, which
 * only shrinks: a new difference fails the check, and so does one that is listed and gone.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandSpec } from '../src/facts/host.ts'
import { lookup, programNames } from '../src/facts/programs/index.ts'

const PACKAGE = '@withfig/autocomplete@2.692.3'
const LISTED = new URL('check/grammar.json', import.meta.url)

interface Listed {
  /** Of each command the options that stay, and why: `-x` takes a value here and none there, `-x=nothing` the other way round. */
  readonly reviewed: Readonly<Record<string, { readonly reason: string; readonly options: string }>>
  /** Differences that nobody has looked at. */
  readonly open: readonly string[]
}

interface FigOption {
  readonly name: string | readonly string[]
  readonly args?: { readonly isOptional?: boolean } | readonly { readonly isOptional?: boolean }[]
  readonly requiresSeparator?: boolean | string
}

interface FigCommand {
  readonly name: string | readonly string[]
  readonly options?: readonly FigOption[]
  readonly subcommands?: readonly FigCommand[]
}

const directory = mkdtempSync(join(tmpdir(), 'countersign-grammar-'))
try {
  const installed = spawnSync('npm', ['install', '--silent', '--ignore-scripts', '--no-save', '--prefix', directory, PACKAGE], {
    stdio: 'inherit',
  })
  if (installed.status !== 0) throw new Error(`${PACKAGE} could not be installed`)
  process.exitCode = await compare(join(directory, 'node_modules', '@withfig', 'autocomplete', 'build'))
} finally {
  rmSync(directory, { recursive: true, force: true })
}

async function compare(build: string): Promise<number> {
  const { reviewed, open: known } = JSON.parse(readFileSync(LISTED, 'utf8')) as Listed
  const found: string[] = []
  let programs = 0
  let options = 0
  for (const name of programNames().toSorted()) {
    const file = join(build, `${name}.js`)
    const spec = lookup(name)
    if (spec === null || !/^[\w.+-]+$/.test(name) || !existsSync(file)) continue
    const { default: fig } = (await import(pathToFileURL(file).href)) as { readonly default: FigCommand | (() => unknown) }
    if (typeof fig === 'function') continue
    programs += 1
    options += commandOptions(name, { spec, fig }, found)
  }
  const kept = new Set(
    Object.entries(reviewed).flatMap(([command, { options }]) => options.split(' ').map((option) => `${command} ${option}`)),
  )
  const isReviewed = (line: string): boolean => kept.has(keptName(line))
  const names = new Set(found.map(keptName))
  const open = found.filter((line) => !isReviewed(line) && !known.includes(line))
  const stale = [...known.filter((line) => !found.includes(line)), ...[...kept].filter((name) => !names.has(name))]
  for (const line of open) console.log(line)
  for (const line of stale) console.log(`listed, but no difference any more: ${line}`)
  console.log(
    `grammar: ${options} options of ${programs} programs compared, ${found.length} differ: ${found.length - known.length - open.length} with a reason, ${known.length} not looked at yet, ${open.length} new`,
  )
  return open.length + stale.length > 0 ? 1 : 0
}

/** `wget -a: here value, there nothing` is listed as `wget -a`, one that takes none here as `wget -a=nothing`. */
function keptName(line: string): string {
  const [, name = line, ours = ''] = /^(.*): here (\w+), there \w+$/.exec(line) ?? []
  return ours === 'value' ? name : `${name}=${ours}`
}

/** Compares the options of a command and of its subcommands; gives how many there were. */
function commandOptions(name: string, { spec, fig }: { readonly spec: CommandSpec; readonly fig: FigCommand }, found: string[]): number {
  let count = 0
  for (const option of fig.options ?? []) {
    const theirs = takesOf(option)
    for (const spelling of namesOf(option.name)) {
      const ours = kindOf(spec, spelling)
      if (ours === null || theirs === null) continue
      count += 1
      if (ours !== theirs && ours !== 'optional' && theirs !== 'optional') found.push(`${name} ${spelling}: here ${ours}, there ${theirs}`)
    }
  }
  for (const inner of fig.subcommands ?? [])
    for (const word of namesOf(inner.name)) {
      const below = spec.subcommands?.[word]
      if (below !== undefined) count += commandOptions(`${name} ${word}`, { spec: below, fig: inner }, found)
    }
  return count
}

function namesOf(name: string | readonly string[]): readonly string[] {
  return (typeof name === 'string' ? [name] : name).map((one) => one.replace(/=$/, ''))
}

function takesOf({ args, requiresSeparator }: FigOption): 'value' | 'nothing' | 'optional' | null {
  // A value that is only taken in the same word (`--x=y`) hides no other.
  if (requiresSeparator !== undefined && requiresSeparator !== false) return null
  const first = Array.isArray(args) ? args[0] : args
  if (first === undefined) return 'nothing'
  return first.isOptional === true ? 'optional' : 'value'
}

function kindOf(spec: CommandSpec, option: string): 'value' | 'nothing' | 'optional' | null {
  if (spec.options !== undefined && Object.hasOwn(spec.options, option)) return 'value'
  if (spec.optionalValues?.includes(option) === true) return 'optional'
  return spec.flags?.includes(option) === true ? 'nothing' : null
}
