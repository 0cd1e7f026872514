import { known } from '../../interpret/reading.ts'
import type { Call } from '../../interpret/run.ts'
import { list, text, UNKNOWN, type Value } from '../../interpret/value.ts'
import { type Client, lastName } from './roots.ts'

/** Packages that stand for a program: their calls are its command lines. */

/** Arguments as words: lists laid flat, named ones as options, objects of settings left out. */
function words(call: Call): readonly Value[] {
  const plain = call.args.flatMap((arg): readonly Value[] =>
    arg.kind === 'list' ? arg.items : arg.kind === 'dict' || arg.kind === 'function' ? [] : [arg],
  )
  const named = [...call.named].flatMap(([name, value]): readonly Value[] => {
    if (name.startsWith('_') || (value.kind === 'constant' && value.value !== true)) return []
    const option = text(name.length === 1 ? `-${name}` : `--${name.replaceAll('_', '-')}`)
    return value.kind === 'constant' ? [option] : [option, value]
  })
  return call.run.acts.first([...plain, ...named], 64)
}

const GIT_STEPS: ReadonlySet<string> = new Set(
  (
    'add am apply branch checkout cherry_pick clean clone commit config fetch filter_branch gc init merge mv prune pull ' +
    'push rebase reflog remote reset restore revert rm stash submodule switch tag update_ref worktree clone_from ' +
    'delete_head delete_tag delete_remote create_head create_tag raw'
  ).split(' '),
)
const GIT_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['clone_from', ['clone']],
  ['delete_head', ['branch', '-D']],
  ['delete_tag', ['tag', '-d']],
  ['delete_remote', ['remote', 'remove']],
  ['create_head', ['branch']],
  ['create_tag', ['tag']],
  ['raw', []],
])

/** `repo.git.push('origin', force=True)`, `repo.remotes.origin.push()`, `simpleGit().clean('fdx')`. */
export function git(client: Client, call: Call): void {
  const { name } = call
  const step = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  if (!GIT_STEPS.has(step) || client.path.includes('index')) return
  const command = (GIT_NAMES.get(step) ?? [step.replaceAll('_', '-')]).map((word) => text(word))
  const remote = client.path.indexOf('remotes')
  const place = remote >= 0 ? [text(client.path[remote + 1] ?? 'origin')] : []
  const given = words(call)
  // simple-git: the mode of `clean` and `reset` as a word without its dash.
  const first = known(given[0])
  const mode = client.path.includes('git') || first === null || first.startsWith('-') ? null : modeOf(step, first)
  call.run.acts.command([text('git'), ...command, ...place, ...(mode === null ? given : [text(mode), ...given.slice(1)])], `git.${name}`)
}

function modeOf(step: string, first: string): string | null {
  if (step === 'clean' && /^[dfinxX]{1,6}$/.test(first)) return `-${first}`
  return step === 'reset' && /^(?:hard|soft|mixed|merge|keep)$/.test(first) ? `--${first}` : null
}

const NOUNS: ReadonlyMap<string, string> = new Map([
  ['containers', 'container'],
  ['images', 'image'],
  ['volumes', 'volume'],
  ['networks', 'network'],
  ['secrets', 'secret'],
  ['services', 'service'],
  ['nodes', 'node'],
  ['container', 'container'],
  ['getContainer', 'container'],
  ['image', 'image'],
  ['getImage', 'image'],
  ['getVolume', 'volume'],
  ['getNetwork', 'network'],
])
const DOCKER_VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['remove', ['rm', '-f']],
  ['prune', ['prune', '-f']],
  ['kill', ['kill']],
  ['stop', ['stop']],
])

/** `docker.from_env().containers.run(…)`, `docker.pruneVolumes()`. */
export function docker(client: Client, call: Call): void {
  const { name } = call
  const pruned = /^prune(Containers|Images|Volumes|Networks)$/.exec(name)?.[1]
  const noun = pruned === undefined ? client.path.map((step) => NOUNS.get(step)).find((found) => found !== undefined) : undefined
  if (pruned !== undefined)
    call.run.acts.command([text('docker'), text(pruned.toLowerCase().slice(0, -1)), text('prune'), text('-f')], name)
  else if (noun === 'container' && (name === 'run' || name === 'create')) call.run.acts.command(runLine(call), `docker.${name}`)
  else if (noun !== undefined) {
    const verb = DOCKER_VERBS.get(name)
    if (verb === undefined) return
    const what = name === 'prune' ? [] : [call.args[0] ?? UNKNOWN]
    call.run.acts.command([text('docker'), text(noun), ...verb.map((word) => text(word)), ...what], `docker.${name}`)
  }
}

/** The command line of `containers.run(image, command, volumes=…, privileged=…)`. */
function runLine(call: Call): readonly Value[] {
  const privileged = call.named.get('privileged')
  const command = call.args[1] ?? call.named.get('command')
  const line = known(command)
  return [
    text('docker'),
    text('run'),
    ...(privileged?.kind === 'constant' && privileged.value === true ? [text('--privileged')] : []),
    ...mounts(call, call.named.get('volumes')),
    ...['network_mode', 'pid_mode', 'user'].flatMap((name) => {
      const value = call.named.get(name)
      return value === undefined ? [] : [text(`--${name === 'user' ? name : name.slice(0, name.indexOf('_'))}`), value]
    }),
    call.args[0] ?? call.named.get('image') ?? UNKNOWN,
    ...(line !== null
      ? [text('sh'), text('-c'), text(line)]
      : command?.kind === 'list'
        ? command.items
        : command === undefined
          ? []
          : [command]),
  ]
}

function mounts(call: Call, volumes: Value | undefined): readonly Value[] {
  if (volumes?.kind === 'list') return call.run.acts.first(volumes.items, 16).flatMap((item) => [text('-v'), item])
  if (volumes?.kind !== 'dict') return []
  return call.run.acts.first([...volumes.entries], 16).flatMap(([host, how]) => {
    const bind = how.kind === 'dict' ? known(how.entries.get('bind')) : known(how)
    return [text('-v'), text(`${host}:${bind ?? '/mnt'}`)]
  })
}

/** What shelljs has beside the programs it is named after. */
const NOT_PROGRAMS: ReadonlySet<string> = new Set(
  'exec config echo test which error tempdir cd pwd exit ShellString to toEnd Command contrib bake glob'.split(' '),
)

/** `sh.rm('-rf', path)`, `shelljs.rm('-rf', path)`. */
export function program(client: Client, call: Call): void {
  const name = lastName(call.name)
  if (!/^[a-z][\w-]{0,40}$/.test(name) || NOT_PROGRAMS.has(name) || client.path.length > 0) return
  const given = words(call)
  call.run.acts.command([text(name.replaceAll('_', '-')), ...given], `${client.provider}.${name}`, {
    open: list(call.args).items.some((a) => a.kind === 'list' && a.open),
  })
}
