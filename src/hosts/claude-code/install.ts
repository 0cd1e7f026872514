/** Where Claude Code's hook is installed, by scope, as data. Reads files, writes none. */
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { stateDirectory } from '../../view/state-directory.ts'
import { type Change, type Scope, secondsFor } from '../adapter.ts'
import * as shared from '../install.ts'
import { withoutHooks } from '../lists.ts'
import { ENTRYPOINT_VARIABLE, HOST_TIMEOUT_SECONDS } from './commands.ts'
import { installedCommand, withHooks } from './settings.ts'

/** The files of an installation. */
export interface Places extends Omit<shared.Places, 'entries'> {
  readonly settings: string
}

/** The files of a scope; managed ones belong to root and serve every user of the machine. */
export function placesOf(scope: Scope, managedDirectory = MANAGED): Places {
  if (scope === 'managed') {
    const script = join(managedDirectory, 'countersign', 'claude-code-hook')
    return { settings: join(managedDirectory, 'managed-settings.json'), script, policy: null, home: null }
  }
  const home = stateDirectory()
  const directory = scope === 'project' ? join(process.cwd(), '.claude') : (process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.claude'))
  return {
    settings: join(directory, 'settings.json'),
    script: join(home, 'bin', 'claude-code-hook'),
    policy: join(home, 'countersign.yaml'),
    home,
  }
}

const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code'

/** What the script says of its agent. */
export const AGENT: shared.Agent = {
  agent: 'claude-code',
  title: 'Claude Code',
  entrypoint: ENTRYPOINT_VARIABLE,
  seconds: secondsFor({ waits: HOST_TIMEOUT_SECONDS }),
}

/** What has to change for the hook to be installed: nothing where it is in place. */
export function installChanges(places: Places, gate: shared.Program): readonly Change[] {
  return shared.installChanges(filesOf(places), AGENT, gate)
}

/** What has to change for the hook to be gone. */
export function uninstallChanges(places: Places): readonly Change[] {
  return shared.uninstallChanges(filesOf(places))
}

export function filesOf({ settings, ...places }: Places): shared.Places {
  return { ...places, entries: [shared.jsonEntry(settings, { written: withHooks, cleaned: withoutHooks, command: installedCommand })] }
}

/** The settings that Claude Code reads besides those of `init`, beside the project's. */
export function localSettings(): string {
  return join(dirname(placesOf('project').settings), 'settings.local.json')
}
