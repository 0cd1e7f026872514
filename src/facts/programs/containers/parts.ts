import { hasClass } from '../../effect.ts'
import type { CommandContext, CommandSpec, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { type Act, type Doing, does, doing, list, nameOf, refined, takes } from '../tool.ts'

/** Subcommands that occur in many groups of the container tools. */

export const LOOK: CommandSpec = does(
  { verb: 'read', action: 'container:read', kind: 'resource', value: 'containers' },
  {
    flags: list(
      '-a --all -q --quiet --no-trunc -s --size -f --follow -t --timestamps --digests --details --json -l --latest --services --images',
    ),
    options: takes('--filter --format -n --last --since --until --tail -f --type --sort'),
    operands: ['data'],
  },
)

export function act(what: Doing, options: Partial<Act> = {}, spec: CommandSpec = {}): CommandSpec {
  return does({ ...doing(what), kind: 'resource', from: 0, value: 'containers', ...options }, spec)
}
export const STATE = act(
  'change container:change',
  {},
  {
    flags: list('-i --interactive -a --attach --all -q'),
    options: takes('-t --time -s --signal --restart -m --memory --cpus --name -n --timeout'),
  },
)
export const REMOVE = act(
  'delete container:remove',
  { reversible: false, flags: { force: list('-f --force'), volumes: list('-v --volumes') } },
  { flags: list('-l --link -a --all -i') },
)
export const REMOVE_IMAGE = act(
  'delete image:remove',
  { reversible: true, flags: { force: list('-f --force') } },
  { flags: list('--no-prune -a --all'), options: takes('--platform') },
)
export const REMOVE_VOLUME = act(
  'delete volume:remove',
  { reversible: false, flags: { force: list('-f --force') } },
  { flags: list('-a --all') },
)
export const PRUNE = does(
  {
    verb: 'delete',
    action: 'container:prune',
    kind: 'resource',
    reversible: false,
    value: 'unused containers',
    flags: { force: list('-f --force'), all: list('-a --all'), volumes: ['--volumes'] },
  },
  { options: takes('--filter') },
)
export const PRUNE_VOLUMES = does(
  {
    verb: 'delete',
    action: 'volume:remove',
    kind: 'resource',
    reversible: false,
    value: 'unused volumes',
    flags: { force: list('-f --force'), all: list('-a --all') },
  },
  { options: takes('--filter') },
)
export const PRUNE_CACHE = does(
  {
    verb: 'delete',
    action: 'image:prune',
    kind: 'resource',
    reversible: true,
    value: 'unused images',
    flags: { force: list('-f --force'), all: list('-a --all') },
  },
  { options: takes('--filter --keep-storage') },
)
export const PULL = act(
  'fetch container:pull',
  {},
  { flags: list('-a --all-tags -q --quiet --disable-content-trust'), options: takes('--platform --authfile --creds --arch') },
)
export const PUSH = act(
  'publish docker:push',
  { value: '.', flags: { all: list('-a --all-tags') } },
  {
    flags: list('-q --quiet --tls-verify --disable-content-trust --rm --all'),
    options: takes('--platform --authfile --creds --sign-by --format'),
  },
)
export const LOGIN = does(
  { verb: 'change', action: 'container:auth', kind: 'account', at: 0, value: 'registry' },
  { options: takes('-u --username -p --password --authfile'), flags: ['--password-stdin'] },
)

/** `docker cp a c:/b`: out of or into a container. */
/** What a container was started with holds its environment: shown where that is what is asked for. */
export const INSPECT: CommandSpec = {
  ...LOOK,
  refine: (parsed, context) => {
    LOOK.refine?.(parsed, context)
    const shown = parsed.value('-f', '--format')?.text
    if (shown?.includes('Config.Env') === true) context.emit('read', context.thing('variable', '*'), { action: 'env:list' })
  },
}

/** A file with secrets is one in a container, too. */
function reportSecret({ text, span }: Word, context: CommandContext): void {
  const at = text?.indexOf(':', 1) ?? -1
  if (text === null || at < 0) return
  const path = context.path(knownWord(text.slice(at + 1), span))
  if (!hasClass(path, 'credential')) return
  const there = { ...path, value: text, real: null, scope: 'elsewhere', classes: ['credential'] } as const
  context.emit('read', there, { action: 'container:copy', span })
}

export const COPY: CommandSpec = refined(
  (parsed, context) => {
    const [from, to] = parsed.operands
    if (from === undefined || to === undefined) return
    const inside = (word: Word) => word.text !== '-' && (word.text ?? word.prefix).slice(1).includes(':')
    if (inside(from)) {
      context.emit('read', context.thing('resource', nameOf(from)), { action: 'container:copy' })
      reportSecret(from, context)
    } else if (from.text !== '-') context.emit('read', context.path(from), { action: 'container:copy', span: from.span })
    if (inside(to)) context.emit('change', context.thing('resource', nameOf(to)), { action: 'container:copy' })
    else if (to.text !== '-') context.emit('write', context.path(to), { action: 'container:copy', span: to.span })
  },
  { flags: list('-a --archive -L --follow-link -q --quiet') },
)

export const SAVE = act('read container:save', {}, { options: { ...takes('-o --output', 'write'), ...takes('--platform --format') } })
export const LOAD = does(
  { verb: 'change', action: 'container:load', kind: 'resource', value: 'images' },
  { options: { ...takes('-i --input', 'read'), ...takes('--platform -c --change -m --message') }, flags: list('-q --quiet') },
)
