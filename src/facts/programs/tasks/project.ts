import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { alongside, sourceOf } from '../packages/packages.ts'
import { prefix, wrapping } from '../running/words.ts'
import { byName, list, takes } from '../tool.ts'
import { taskRunners } from './tasks.ts'

/** Programs that run what a project file says, or a package fetched for the purpose: `npm run`, `npx`, `uvx`. */

const PYTHON_RUNNERS: ReadonlySet<string> = new Set(['uvx', 'pipx'])

/** `npx -c 'a && b'`, `npx 'a && b'`: a line of a shell. */
function lineOf(parsed: ParsedCommand): Word | null {
  const call = parsed.value('-c', '--call')
  const [only, ...more] = parsed.operands
  if (call !== null || only === undefined) return call
  return more.length === 0 && /\s/.test(only.text ?? '') ? only : null
}

/** A package is fetched where it is not installed, and its program runs. */
function runPackage(parsed: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = parsed
  // `-c` and `-p` of uvx are constraints and a version of Python.
  const python = PYTHON_RUNNERS.has(invocation.name)
  const line = python ? null : lineOf(parsed)
  if (line !== null) {
    context.shell(line.text, line.span, invocation.name)
    return
  }
  const [first, ...rest] = operands
  const named = parsed.value(...(python ? ['--from', '--spec'] : ['-p', '--package'])) ?? first
  if (first === undefined || named === undefined) return
  for (const word of new Set([named, first]))
    if (knownProgram(word) === null) context.opaque(`which package \`${invocation.name}\` runs is not known before it runs`, word.span)
  const name = named.text ?? named.prefix
  const source = python ? null : ofProject(name, context)
  context.emit('execute', context.thing('package', name), {
    action: 'pkg:run',
    span: named.span,
    certainty: source === 'local' ? 'certain' : 'likely',
    attributes: { manager: invocation.name, source: source ?? sourceOf(named) },
  })
  if (python) alongside(parsed, context)
  const program = knownProgram(first)
  if (program === null) return
  context.command([{ ...first, text: program, prefix: program }, ...rest], invocation.name)
}

/** The most that is read of a manifest, in characters, and the directories that are looked into, from the one where it runs upwards. */
const LONGEST_MANIFEST = 65_536
const MAX_DIRECTORIES = 6

/** Whether the package is installed where the command runs or above, or a manifest there names it; null where neither is seen. */
function ofProject(name: string, { cwd, view }: CommandContext): 'local' | 'manifest' | null {
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name) || cwd === null) return null
  const program = unversioned(name)
  let directory = cwd
  for (let looked = 0; looked < MAX_DIRECTORIES && directory !== ''; looked++) {
    if (view.realpath(`${directory}/node_modules/.bin/${program}`).type !== 'missing') return 'local'
    if (view.read(`${directory}/package.json`, LONGEST_MANIFEST)?.text.includes(`"${name}":`) === true) return 'manifest'
    if (directory === view.home) return null
    directory = directory.slice(0, directory.lastIndexOf('/'))
  }
  return null
}

/** Null where it cannot be told; of `pkg@$VERSION` only the version is open. */
function knownProgram({ text, prefix }: Word): string | null {
  const told = text ?? (prefix.lastIndexOf('@') > 0 ? prefix : null)
  return told === null ? null : unversioned(told)
}

/** `pkg` of `pkg@1.2`, `cli` of `@scope/cli`. */
function unversioned(text: string): string {
  const base = text.slice(text.lastIndexOf('/') + 1)
  const at = base.indexOf('@')
  return at > 0 ? base.slice(0, at) : base
}

const npx: CommandSpec = {
  flags: list(
    '-y -q --yes --no --no-install --quiet --ignore-existing --prefer-offline --offline --bun --silent --workspaces -ws --include-workspace-root',
  ),
  options: takes(
    '-p --package -c --call -n --node-arg --node-options --cache --globalconfig --loglevel --npm --prefix --registry ' +
      '--script-shell --shell --tag --userconfig -w --workspace',
  ),
  optionalValues: ['--shell-auto-fallback'],
  inert: ['--help', '--version', '-h', '-v'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: runPackage,
}

const uvx: CommandSpec = {
  flags: list(
    '-q -v -n -U --isolated --offline --no-cache --refresh --reinstall --upgrade --native-tls --managed-python ' +
      '--no-managed-python --no-python-downloads --no-config --no-index --no-build --no-binary --no-build-isolation ' +
      '--no-env-file --no-progress --no-sources --compile-bytecode --lfs --quiet --verbose',
  ),
  options: takes(
    '--from -w --with --with-editable --with-executables-from --with-requirements -c --constraint --constraints -b ' +
      '--build-constraint --build-constraints --overrides --override -p --python --python-preference --python-fetch ' +
      '--python-platform --index --default-index -i --index-url --extra-index-url -f --find-links --index-strategy ' +
      '--keyring-provider --allow-insecure-host -P --upgrade-package --reinstall-package --refresh-package --no-build-package ' +
      '--no-binary-package --no-build-isolation-package --no-sources-package --exclude-newer --exclude-newer-package ' +
      '--resolution --prerelease --fork-strategy --link-mode -C --config-setting --config-settings --config-settings-package ' +
      '--torch-backend --color --cache-dir --config-file --directory --project --env-file',
  ),
  inert: ['--help', '--version', '-h', '-V'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: runPackage,
}

export const projectWrappers: CommandTable = wrapping(
  byName({
    'npx bunx pnpx': npx,
    uvx: uvx,
    ...taskRunners,
    dotenvx: prefix('-q --overload', '-f -e -fk'),
  }),
  ['direnv'],
)
