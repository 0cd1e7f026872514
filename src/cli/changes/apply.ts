/** Files that a command changes: shown first, agreed to, and written whole. */
import { chmodSync, existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Change } from '../../hosts/adapter.ts'
import { EXIT, print, UsageError, warn } from '../terminal.ts'
import { lineDiff } from './diff.ts'

export interface Applying {
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

/** Shows the changes, asks, and makes them. `unchanged`: what is said where there are none. */
export async function applyChanges(changes: readonly Change[], options: Applying, unchanged: string): Promise<number> {
  if (changes.length === 0 && options.json !== true) print(`nothing to change: ${unchanged}`)
  if (options.json !== true)
    for (const change of changes) for (const line of lineDiff(change.path, change.before, change.after)) print(line)
  const agreedTo = changes.length === 0 || options.dryRun === true || options.yes === true || (await agreed())
  if (!agreedTo) {
    warn('countersign: nothing was changed')
    return EXIT.usage
  }
  const written = options.dryRun === true ? [] : changes
  for (const change of written) write(change)
  if (options.json === true)
    print(
      JSON.stringify({ dry_run: options.dryRun === true, changes: changes.map(({ path, before, after }) => ({ path, before, after })) }),
    )
  else if (written.length > 0) print(`changed ${written.map((change) => change.path).join(', ')}`)
  return EXIT.ok
}

async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('nobody can be asked here; run it again with --yes (or --dry-run to look only)')
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message: 'Make these changes?', initialValue: false })) === true
}

/** Whole or not at all: half a settings file would drop every hook. */
function write({ path, after, mode, directoryMode }: Change): void {
  if (after === null) {
    rmSync(path)
    removeEmpty(dirname(path))
    return
  }
  makeDirectory(dirname(path), directoryMode)
  const temporary = `${path}.countersign-${process.pid}`
  writeFileSync(temporary, after, { mode })
  chmodSync(temporary, mode)
  renameSync(temporary, path)
}

/** What only the hook was in goes with it. */
function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // Something else is in it.
  }
}

/** With this mode whatever the mask says; what is there already keeps its own. */
function makeDirectory(path: string, mode: number): void {
  if (existsSync(path)) return
  makeDirectory(dirname(path), mode)
  mkdirSync(path, { mode })
  chmodSync(path, mode)
}
