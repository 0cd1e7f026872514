import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Change, type HostAdapter, type Installation, type Scope, scopeNamed } from '../../hosts/adapter.ts'
import { HOSTS } from '../../hosts/all.ts'
import { doubled, doubledLine } from '../../hosts/borrowed.ts'
import { pluginChanges, withoutPlugin } from '../../hosts/claude-code/plugin.ts'
import { compileCommandLine, compileProgram } from '../../hosts/compiled.ts'
import { isPresent } from '../../hosts/present.ts'
import { nativeEngine } from '../../hosts/program.ts'
import { stateDirectory } from '../../open.ts'
import { formatPolicyError } from '../../policy/errors.ts'
import { pinFile, readPolicy } from '../../policy/file.ts'
import { findProjectFiles } from '../../policy/scopes/project.ts'
import { type Applying, applyChanges } from '../changes/apply.ts'
import { stopForHooks } from '../daemon.ts'
import { COMPILE, policyPath } from '../open.ts'
import { EXIT, print, UsageError, warn } from '../terminal.ts'
import { commandLineProgram, gateProgram, packageVersion } from '../version.ts'
import { agentNamed } from './agent.ts'

interface InstallOptions extends Applying {
  /** Absent: the first that there is, or with `all` each that is on this machine. */
  readonly agent?: string
  readonly all?: boolean
  /** Absent: a person is asked where there is a choice; else the user's own settings. */
  readonly scope?: string
  /** The role of main sessions; false: none, whatever was installed. */
  readonly role?: string | false
  readonly roleFrom?: string
  readonly policy?: string
  /** A directory: the hook as a plug-in of Claude Code, in no settings. */
  readonly plugin?: string
  /** Short for the scope of this name. */
  readonly managed?: boolean
}

/** `countersign init`: policy, hook scripts and settings; shown first, written atomically, the same when run again. */
export async function init(given: InstallOptions): Promise<number> {
  if (given.plugin !== undefined) return initPlugin(given.plugin, given)
  const options = withScope(given)
  const scope = options.scope ?? (await chosenScope(options))
  const hosts = chosen(options)
  const installation = installationOf({ ...options, scope })
  if (options.dryRun !== true) compile(installation)
  const changes = together([...hosts.flatMap((host) => host.install(installation)), ...pinChange({ ...options, scope })])
  const code = await applyChanges(changes, options, 'everything is in place')
  if (code !== EXIT.ok || options.dryRun === true) return code
  const later = await finish(hosts, installation)
  if (options.json === true) return later
  if (hosts.length > 1) print(`Gated: ${hosts.map(({ about }) => about.title).join(', ')}.`)
  for (const host of hosts) advise(host, installation)
  for (const each of doubled()) if (each.told === 'apart') warn(`countersign: ${doubledLine(each)}`)
  adviseAll()
  return later
}

/** Both programs of the package, for this Node; where the package cannot be written they start from their text. */
function compile({ node, program }: Installation): void {
  compileProgram({ node, program })
  compileCommandLine({ node, directory: dirname(commandLineProgram().program), engine: nativeEngine(program) })
}

/** A directory for `claude --plugin-dir`, or for a marketplace; the settings stay as they are. */
async function initPlugin(given: string, options: InstallOptions): Promise<number> {
  const directory = isPlugin(given, options)
  const installation = installationOf(options)
  if (options.dryRun !== true) compile(installation)
  const changes = together([...pluginChanges(directory, installation, packageVersion()), ...pinChange(options)])
  const code = await applyChanges(changes, options, 'the plug-in is in place')
  if (code !== EXIT.ok || options.dryRun === true || options.json === true) return code
  print(`For one session: \`claude --plugin-dir ${directory}\`.`)
  print(`For all: \`claude plugin marketplace add ${directory} && claude plugin install countersign@countersign\`.`)
  print('It is of this machine: its hook starts the program that is installed here. Managed settings hold against whoever disables it.')
  return code
}

/** The directory, whole. */
function isPlugin(directory: string, { agent, all, scope, managed }: InstallOptions): string {
  if (all === true || scope !== undefined || managed === true || (agent !== undefined && agent !== 'claude-code'))
    throw new UsageError('`--plugin` is of Claude Code alone, and of no scope: leave out `--agent`, `--all`, `--scope` and `--managed`')
  return resolve(directory)
}

function withScope({ managed, ...options }: InstallOptions): InstallOptions {
  if (managed !== true) return options
  if (options.scope !== undefined && options.scope !== 'managed') throw new UsageError('give either `--managed` or `--scope`, not both')
  return { ...options, scope: 'managed' }
}

/** What takes the host's own program, once its files are written. */
async function finish(hosts: readonly HostAdapter[], installation: Installation): Promise<number> {
  const checks = []
  for (const { afterInstall } of hosts) if (afterInstall !== undefined) checks.push(...(await afterInstall(installation)))
  for (const { name, detail } of checks.filter(({ state }) => state !== 'ok')) warn(`countersign: ${name}: ${detail}`)
  return checks.some(({ state }) => state === 'fail') ? EXIT.broken : EXIT.ok
}

/** `countersign uninstall`: the hooks go, everything else stays; settings become what they were. */
export async function uninstall(given: InstallOptions): Promise<number> {
  if (given.plugin !== undefined)
    return applyChanges(withoutPlugin(isPlugin(given.plugin, given), packageVersion()), given, `no plug-in of ours is in ${given.plugin}`)
  const options = withScope(given)
  const hosts = options.all === true ? HOSTS.filter((host) => host.installed()) : chosen(options)
  const installation = installationOf(options)
  const fitting = options.all === true ? hosts.filter(({ about }) => about.scopes.includes(installation.scope)) : hosts
  const where = fitting.map((host) => host.settingsPath(installation)).join(', ')
  const changes = together(fitting.flatMap((host) => host.uninstall(installation)))
  const code = await applyChanges(changes, options, `no hook is installed in ${where}`)
  if (code === EXIT.ok && options.dryRun !== true && !HOSTS.some((host) => host.installed())) stopForHooks(stateDirectory())
  return code
}

/** The named agent, or with `--all` each that is on this machine and has settings of this scope. */
function chosen({ agent, all, scope = 'user' }: InstallOptions): readonly HostAdapter[] {
  if (all !== true) return [agentNamed(agent ?? HOSTS[0]?.name ?? '')]
  if (agent !== undefined) throw new UsageError('give either `--agent` or `--all`, not both')
  const found = HOSTS.filter(({ about }) => isPresent(about) && about.scopes.includes(scopeNamed(scope)))
  if (found.length === 0)
    throw new UsageError(`none of the agents that can be gated was found: ${HOSTS.map(({ name }) => name).join(', ')}`)
  return found
}

/** One change a file: hosts share the policy. */
function together(changes: readonly Change[]): readonly Change[] {
  return [...new Map(changes.map((change) => [change.path, change])).values()]
}

/** The policy that the operator names for the hook and the daemon, which see nothing of his environment. */
function pinChange({ policy, scope }: InstallOptions): readonly Change[] {
  if (policy === undefined) return []
  if (scope === 'managed')
    throw new UsageError('the policy of the machine is `/etc/countersign/countersign.yaml`, a file of root; `--policy` names one of a user')
  const path = resolve(policy)
  const loaded = readPolicy(path, COMPILE)
  if (!loaded.ok) throw new UsageError(loaded.errors.map(formatPolicyError).join('\n'))
  const file = pinFile(stateDirectory())
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null
  const after = `${path}\n`
  return before === after ? [] : [{ path: file, before, after, mode: 0o600, directoryMode: 0o700 }]
}

function installationOf({ scope = 'user', ...options }: InstallOptions): Installation {
  return { scope: scopeNamed(scope), ...gateProgram(), ...roleOf(options) }
}

/** Absent: as it was installed. */
function roleOf({ role, roleFrom }: Pick<InstallOptions, 'role' | 'roleFrom'>): Pick<Installation, 'role'> {
  if (role === false) return { role: null }
  if (role !== undefined && roleFrom !== undefined) throw new UsageError('give either `--role` or `--role-from`, not both')
  if (roleFrom !== undefined) {
    if (!/^[A-Za-z_]\w*$/.test(roleFrom)) throw new UsageError(`\`${roleFrom}\` is no name of a variable`)
    return { role: { variable: roleFrom } }
  }
  if (role === undefined) return {}
  if (!/^[\w.:@/-]{1,100}$/.test(role))
    throw new UsageError(`\`${role}\` is no name of a role; letters, digits and \`. _ : @ / -\` make one`)
  return { role: { name: role } }
}

/** Managed settings first, where they can be written: nothing but root takes them away again. */
async function chosenScope({ yes, dryRun, json }: InstallOptions): Promise<Scope> {
  const canManage = process.getuid?.() === 0
  if (!canManage || yes === true || dryRun === true || json === true || !process.stdin.isTTY) return 'user'
  const { select } = await import('@clack/prompts')
  const options: { value: Scope; label: string }[] = [
    { value: 'managed', label: 'managed settings: for every user of this machine; no project and no flag takes the hook away' },
    { value: 'user', label: 'your own settings: a project file, a variable or a flag of the client can take the hook away' },
  ]
  const chosen = await select({ message: 'Whose settings should hold the hook?', options, initialValue: 'managed' })
  if (chosen !== 'managed' && chosen !== 'user') throw new UsageError('nothing was changed')
  return chosen
}

function advise(host: HostAdapter, installation: Installation): void {
  if (installation.scope === 'managed') {
    print(`The hook runs for every user of this machine, with a state directory and a policy in the home of each.`)
    print(
      `Every user must be able to read ${process.execPath} and the package, and only root to write them and ${dirname(host.settingsPath(installation))}.`,
    )
  }
  for (const line of host.advice(installation)) print(line)
}

function adviseAll(): void {
  const mine = policyPath(null)
  for (const path of findProjectFiles(process.cwd(), { trusted: [], own: mine === null ? [] : [mine] }))
    print(
      `${path} only tightens your policy: \`countersign trust\` there trusts it as it is, \`countersign init --policy\` makes it yours.`,
    )
  print('Next: `countersign serve &` makes answers fast, `countersign doctor` proves that the gate is in force.')
}
