import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { withHooks, withoutHooks } from '../../adapters/hooks/claude-code/settings.ts'
import { GATE_SECONDS, shimScript } from '../../adapters/hooks/claude-code/shim.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { stateDirectory } from '../../open.ts'
import { DEFAULT_POLICY } from '../../policy/default.ts'
import { lineDiff } from '../diff.ts'
import { EXIT, print, UsageError, warn } from '../terminal.ts'
import { packageRoot } from '../version.ts'

export interface InstallOptions {
  readonly agent: string
  readonly scope: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

interface Change {
  readonly path: string
  readonly before: string | null
  readonly after: string
  readonly mode: number
}

/** `countersign init`: policy, hook script and settings; shown first, written atomically, the same when run again. */
export async function init(options: InstallOptions): Promise<number> {
  const settings = settingsPath(options)
  const script = hookScriptPath()
  const changes: Change[] = []
  const policy = join(stateDirectory(), 'countersign.yaml')
  if (!existsSync(policy)) changes.push({ path: policy, before: null, after: DEFAULT_POLICY, mode: 0o600 })
  changes.push(
    changed(
      script,
      shimScript({
        home: stateDirectory(),
        node: process.execPath,
        program: join(packageRoot(), 'dist/cli/bin.js'),
        seconds: GATE_SECONDS,
      }),
      0o700,
    ),
  )
  changes.push(changed(settings, `${JSON.stringify(withHooks(readSettings(settings), script), null, 2)}\n`, 0o600))
  const code = await applyChanges(changes, options)
  if (code === EXIT.ok && options.dryRun !== true) advise(options)
  return code
}

/** `countersign uninstall`: the hook goes, everything else stays. */
export async function uninstall(options: InstallOptions): Promise<number> {
  const settings = settingsPath(options)
  if (!existsSync(settings)) {
    print(`nothing to do: ${settings} does not exist`)
    return EXIT.ok
  }
  return applyChanges([changed(settings, `${JSON.stringify(withoutHooks(readSettings(settings)), null, 2)}\n`, 0o600)], options)
}

/** Where the hook script is installed. */
export function hookScriptPath(): string {
  return join(stateDirectory(), 'bin', 'claude-code-hook')
}

/** The settings file of a scope. */
export function settingsPath({ agent, scope }: Pick<InstallOptions, 'agent' | 'scope'>): string {
  if (agent !== 'claude-code') throw new UsageError(`agent \`${agent}\` is not known; valid: claude-code`)
  switch (scope) {
    case 'user':
      return join(process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.claude'), 'settings.json')
    case 'project':
      return join(process.cwd(), '.claude', 'settings.json')
    case 'managed':
      return managedSettings()
    default:
      throw new UsageError(`scope \`${scope}\` is not known; valid: user, project, managed`)
  }
}

function managedSettings(): string {
  return process.platform === 'darwin'
    ? '/Library/Application Support/ClaudeCode/managed-settings.json'
    : '/etc/claude-code/managed-settings.json'
}

/** Strict: a file that the host would drop silently must not be written over, either. */
export function readSettings(path: string): JsonObject {
  if (!existsSync(path)) return {}
  const read = readJson(readFileSync(path, 'utf8').replace(/^\u{feff}/u, ''))
  if (!read.ok)
    throw new UsageError(
      `\`${path}\` is not valid JSON (${read.refusal.message}); the host ignores such a file with all its hooks: mend it first`,
    )
  if (!isJsonObject(read.value)) throw new UsageError(`\`${path}\` does not hold a JSON object; mend it first`)
  return read.value
}

function changed(path: string, after: string, mode: number): Change {
  return { path, before: existsSync(path) ? readFileSync(path, 'utf8') : null, after, mode }
}

async function applyChanges(all: readonly Change[], options: InstallOptions): Promise<number> {
  const changes = all.filter((change) => change.before !== change.after)
  if (changes.length === 0) {
    print('nothing to change: everything is in place')
    return EXIT.ok
  }
  for (const change of changes) for (const line of lineDiff(change.path, change.before, change.after)) print(line)
  if (options.dryRun === true) return EXIT.ok
  if (options.yes !== true && !(await agreed())) {
    warn('countersign: nothing was changed')
    return EXIT.usage
  }
  for (const change of changes) write(change)
  print(`changed ${changes.map((change) => change.path).join(', ')}`)
  return EXIT.ok
}

async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('nobody can be asked here; run it again with --yes (or --dry-run to look only)')
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message: 'Make these changes?', initialValue: false })) === true
}

/** Whole or not at all: half a settings file would drop every hook. */
function write({ path, after, mode }: Change): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.countersign-${process.pid}`
  writeFileSync(temporary, after, { mode })
  chmodSync(temporary, mode)
  renameSync(temporary, path)
}

function advise({ scope }: InstallOptions): void {
  if (scope !== 'managed') {
    print(
      'Project settings, `--bare` and `disableAllHooks` can switch hooks of this scope off; only managed settings resist: `countersign init --scope managed` (as root).',
    )
  }
  print('The gate does not see `@file` mentions and `!command` lines in slash commands: the client never asks a hook about them.')
  print('Next: `countersign serve &` makes answers fast, `countersign doctor` proves that the gate is in force.')
}
