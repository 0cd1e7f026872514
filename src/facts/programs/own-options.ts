import type { CommandSpec, Role } from '../host.ts'

/**
 * Options that a subcommand, or one program of a family, reads otherwise than its kin: `-f` of `docker logs` is a switch, `-f` of most
 * other subcommands names a file. An option that is wrongly believed to take a value hides an operand. Pure data, and what applies it.
 */

interface Own {
  /** Without a value. */
  readonly flags?: string
  /** Whose value may only stand in the same word. */
  readonly optional?: string
  /** With a value of that role. */
  readonly values?: string
  readonly reads?: string
  readonly writes?: string
  readonly loads?: string
  readonly steps?: string
}

/** By the program and its subcommands; several are separated by commas. */
const OWN: readonly (readonly [commands: string, own: Own])[] = [
  ['adb pull, adb push', { values: '-z' }],
  ['arduino-cli burn-bootloader, arduino-cli upload', { flags: '-t' }],
  ['autocannon', { flags: '-C -f -n -x', values: '-r', reads: '-i' }],
  ['black', { values: '-c' }],
  ['build-storybook', { writes: '-o' }],
  ['cargo', { flags: '--version' }],
  ['cargo init, cargo new', { flags: '--bin' }],
  ['cargo tree', { flags: '--version', values: '-f' }],
  ['chsh', { flags: '-h' }],
  ['conda install, mamba install', { values: '--revision' }],
  ['cordova', { flags: '-d' }],
  ['dart fix', { flags: '-n' }],
  ['django-admin makemigrations, django-admin startapp, django-admin startproject', { values: '-n' }],
  ['manage.py makemigrations, manage.py startapp', { values: '-n' }],
  ['django-admin test, manage.py test', { optional: '--parallel' }],
  ['docker commit, docker container commit, podman commit', { values: '-a' }],
  ['docker logs, docker container logs, docker service logs, docker compose logs, docker-compose logs', { flags: '-f' }],
  ['podman logs, podman container logs, podman pod logs, podman compose logs, nerdctl logs, nerdctl compose logs', { flags: '-f' }],
  ['dog', { values: '-n' }],
  ['doggo', { flags: '-x' }],
  ['dos2unix, unix2dos', { values: '-D --display-enc' }],
  ['dust', { flags: '-t' }],
  ['exa, eza', { flags: '-T' }],
  ['gem cleanup', { flags: '-n' }],
  ['gem dependency, gem fetch, gem list', { flags: '--clear-sources' }],
  ['gem info, gem list', { flags: '-i' }],
  ['gem lock', { flags: '-s' }],
  ['gem which', { flags: '-g' }],
  ['gh repo clone', { values: '-u' }],
  ['git merge', { values: '-s' }],
  ['git stage', { flags: '-p' }],
  ['hasura seed apply', { reads: '-f' }],
  ['helm package, helm pull', { writes: '-d' }],
  ['helm search repo', { flags: '-l' }],
  ['helm template', { values: '-a' }],
  ['helmfile', { flags: '--version' }],
  ['jmeter', { flags: '-X -e -f -n -s', values: '-q -i', writes: '-l' }],
  ['kubectl exec, kubectl run', { reads: '-f' }],
  ['kubectx', { flags: '-u' }],
  ['lerna version', { values: '--create-release' }],
  ['mkdocs gh-deploy', { flags: '-s', reads: '-f', values: '-t' }],
  ['mongoimport', { values: '-c' }],
  ['multipass stop', { flags: '-c' }],
  ['ncu', { values: '-w' }],
  ['nvim', { steps: '-s' }],
  ['pdfunite', { flags: '-h' }],
  ['pgcli', { flags: '-v' }],
  ['pipenv install, pipenv sync, pipenv uninstall', { flags: '-d' }],
  ['pipenv lock, pipenv update', { flags: '-d -r --requirements' }],
  ['pipx inject, pipx upgrade', { flags: '-e --editable -f' }],
  ['pipx install', { flags: '-e --editable' }],
  ['pipx upgrade-all', { flags: '-f' }],
  ['poetry add', { flags: '--editable --optional' }],
  ['pulumi about', { flags: '-t' }],
  ['pulumi config set-all', { values: '--plaintext --secret' }],
  ['pulumi import', { reads: '-f' }],
  ['pulumi logs', { values: '-r' }],
  ['pulumi plugin install', { flags: '-e' }],
  ['pytest', { flags: '--markers' }],
  ['robot', { values: '-v', writes: '-x' }],
  ['rollup', { reads: '-i', loads: '-p' }],
  ['rubocop', { flags: '-d -l -x', values: '--cache -s', loads: '-r' }],
  ['ruff check', { flags: '-e' }],
  ['ruff format', { flags: '--force-exclude' }],
  ['sam build', { flags: '-c -p', values: '-e' }],
  ['serve', { flags: '-C -n -u' }],
  ['serverless deploy, serverless invoke, sls deploy, sls invoke', { values: '-f' }],
  ['sidekiq', { values: '-g -q' }],
  ['sqlfluff fix, sqlfluff lint', { values: '-d -i -r' }],
  ['subl', { flags: '-n' }],
  ['tailwindcss', { reads: '-i' }],
  ['traceroute', { flags: '-I' }],
  ['uv add', { flags: '--editable --no-binary' }],
  ['uv lock, uv remove, uv sync', { flags: '--no-binary' }],
  ['uv tool install', { flags: '--editable' }],
  ['vercel', { flags: '-C -c -d -f -p' }],
  ['vite', { values: '-f' }],
  ['xcodebuild', { values: '-enableCodeCoverage' }],
]

const ROLES: readonly (readonly [keyof Own, Role])[] = [
  ['values', 'data'],
  ['reads', 'read'],
  ['writes', 'write'],
  ['loads', 'load'],
  ['steps', 'steps'],
]

interface At {
  readonly path: readonly string[]
  readonly own: Own
}

const PROGRAMS: ReadonlyMap<string, readonly At[]> = byProgram()

function byProgram(): ReadonlyMap<string, readonly At[]> {
  const programs = new Map<string, At[]>()
  for (const [commands, own] of OWN)
    for (const command of commands.split(', ')) {
      const [program = '', ...path] = command.split(' ')
      programs.set(program, [...(programs.get(program) ?? []), { path, own }])
    }
  return programs
}

/** The spec with the options that this program, or a subcommand of it, reads in its own way. */
export function withOwnOptions(name: string, spec: CommandSpec): CommandSpec {
  const own = PROGRAMS.get(name)
  if (own === undefined) return spec
  const known = made.get(name) ?? own.reduce((result, at) => changed(result, at.path, at.own), spec)
  made.set(name, known)
  return known
}

const made = new Map<string, CommandSpec>()

function changed(spec: CommandSpec, [first, ...rest]: readonly string[], own: Own): CommandSpec {
  if (first === undefined) return changedHere(spec, own)
  const below = spec.subcommands !== undefined && Object.hasOwn(spec.subcommands, first) ? spec.subcommands[first] : undefined
  return below === undefined ? spec : { ...spec, subcommands: { ...spec.subcommands, [first]: changed(below, rest, own) } }
}

const words = (text = ''): readonly string[] => (text === '' ? [] : text.split(' '))

function changedHere(spec: CommandSpec, own: Own): CommandSpec {
  const flags = words(own.flags)
  const optional = words(own.optional)
  const valued = ROLES.flatMap(([key, role]) => words(own[key]).map((option) => [option, role] as const))
  const others = new Set([...flags, ...optional])
  const notFlags = new Set([...optional, ...valued.map(([option]) => option)])
  return {
    ...spec,
    flags: [...(spec.flags ?? []).filter((option) => !notFlags.has(option)), ...flags],
    optionalValues: [...(spec.optionalValues ?? []), ...optional],
    options: Object.fromEntries([...Object.entries(spec.options ?? {}).filter(([option]) => !others.has(option)), ...valued]),
  }
}
