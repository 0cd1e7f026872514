/** The hook as a plug-in of Claude Code: a directory that `--plugin-dir` loads, or that a marketplace offers. Reads files, writes none. */
import { join, resolve } from 'node:path'
import { canonicalJson } from '../../core/canonical.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Change, type Check, InstallError, type Probe } from '../adapter.ts'
import * as shared from '../install.ts'
import { withoutHooks } from '../lists.ts'
import { AGENT, placesOf } from './install.ts'
import { hookChecks } from './probe.ts'
import { installedCommand, weaknesses, withHooks } from './settings.ts'

const NAME = 'countersign'
const ABOUT = 'The second signature for tool calls: Countersign decides before each call whether it runs.'

/** What has to change for the directory to hold the plug-in: nothing where it does. `version`: of this package. */
export function pluginChanges(directory: string, gate: shared.Program, version: string): readonly Change[] {
  return shared.installChanges(filesOf(directory, version), PLUGIN, gate)
}

/** What has to change for the plug-in to be gone; what else lies in the directory stays. */
export function withoutPlugin(directory: string, version: string): readonly Change[] {
  return shared.uninstallChanges(filesOf(directory, version))
}

/** Whether the plug-in stands there as it was made, and its hook is in force. */
export function probePlugin(directory: string, probe: Probe): readonly Check[] {
  const places = { ...filesOf(directory, ''), settings: hooksPath(directory) }
  const name = 'plug-in'
  const again = `countersign init --plugin ${directory}`
  try {
    const hooks = shared.readSettings(places.settings)
    const command = installedCommand(hooks)
    if (command === null)
      return [{ name, state: 'fail', detail: `\`${places.settings}\` holds no hook of ours for every tool; run \`${again}\`` }]
    return [
      { name, state: 'ok', detail: `${places.settings} holds the hook for every tool` },
      ...weaknesses(hooks).map((detail): Check => ({ name, state: 'warn', detail })),
      {
        name,
        state: 'warn',
        detail: 'only sessions that load it are gated: `claude plugin list` says which do, and any user can disable it',
      },
      ...hookChecks({ places, agent: PLUGIN, again: `run \`${again}\`` }, command, probe),
    ]
  } catch (error) {
    return [{ name, state: 'fail', detail: error instanceof Error ? error.message : String(error) }]
  }
}

/** A hook of its own, so that a session with the settings' hook beside it is told from one with this alone. */
const PLUGIN: shared.Agent = { ...AGENT, place: 'plugin' }

function filesOf(directory: string, version: string): shared.Places {
  const { home, policy } = placesOf('user')
  const root = resolve(directory)
  const manifest = { name: NAME, version, description: ABOUT }
  const offer = { name: NAME, owner: { name: NAME }, plugins: [{ name: NAME, source: './', description: ABOUT }] }
  return {
    home,
    policy,
    script: join(home ?? root, 'bin', 'claude-code-plugin-hook'),
    entries: [
      shared.jsonEntry(hooksPath(root), { written: withHooks, cleaned: withoutHooks, command: installedCommand }),
      wholeFile(join(root, '.claude-plugin', 'plugin.json'), manifest),
      wholeFile(join(root, '.claude-plugin', 'marketplace.json'), offer),
    ],
  }
}

function hooksPath(directory: string): string {
  return join(resolve(directory), 'hooks', 'hooks.json')
}

/** A file that says this and nothing else; another plug-in's is not written over. */
function wholeFile(path: string, content: JsonObject): shared.Entry {
  const isOurs = (object: JsonObject): boolean => object.name === NAME
  return shared.jsonEntry(path, {
    written: (before) => {
      if (Object.keys(before).length > 0 && !isOurs(before))
        throw new InstallError(`\`${path}\` is of another plug-in; name an empty directory`)
      return content
    },
    cleaned: (before) => (isOurs(before) ? {} : before),
    command: () => null,
    holds: (before) => canonicalJson(before) === canonicalJson(content),
  })
}
