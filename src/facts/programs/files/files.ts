import type { JsonObject } from '../../../core/json.ts'
import { hasClass } from '../../effect.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { deletePath, isStream, joinWord, landings, landsInside, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { knownWord, sliceWord } from '../../resources/text/word.ts'
import { each, list, takes } from '../tool.ts'
import { pointedAt } from './links.ts'

/**
 * Files and directories as wholes.
 * Actions: fs:list, fs:stat (names and metadata, no content) · fs:copy · fs:move · fs:link · fs:mkdir · fs:touch · fs:rmdir ·
 * fs:trash · fs:shred · fs:truncate · fs:allocate · disk:copy.
 */

const HELP = ['--help', '--version']
const RECURSIVE = ['-r', '-R', '--recursive', '-a', '--archive']
const FORCE = ['-f', '--force']

/** A new file or directory of a name that nobody knows before: where nothing is said, among the temporary ones. */
function makeTemporary(parsed: ParsedCommand, context: CommandContext): void {
  const [template] = parsed.operands
  const usual = context.variable('TMPDIR')
  const directory =
    parsed.value('-p', '--tmpdir') ?? (usual === null || usual.text === '' ? knownWord('/tmp', parsed.invocation.span) : usual)
  const apart = template === undefined || parsed.flag('-t') || parsed.value('-p', '--tmpdir') !== null || parsed.flag('--tmpdir')
  const name = template ?? knownWord('tmp.XXXXXXXXXX', parsed.invocation.span)
  const made = apart && directory.text !== null ? joinWord(`${directory.text}/`, name) : apart ? directory : name
  writePath(context, made, { action: 'fs:touch' })
}

/** Where sources go: `-t dir`, else the last operand; the path each of them would get there. */
function destination(parsed: ParsedCommand): {
  readonly sources: readonly Word[]
  readonly into: Word | undefined
  readonly directory: boolean
} {
  const directory = parsed.value('-t', '--target-directory')
  if (directory !== null) return { sources: parsed.operands, into: directory, directory: true }
  const sources = parsed.operands.slice(0, -1)
  const only = sources.length === 1 && sources[0]?.glob !== true
  return { sources, into: parsed.operands.at(-1), directory: !only }
}

/** How many of the directories on the way are named one by one. */
const MAX_PARENTS = 32

/** The directories on the way to a path, as it is written: `a/b` and `a` of `a/b/c`. */
function parents(word: Word): readonly Word[] {
  const found: Word[] = []
  for (let at = word.text ?? ''; found.length < MAX_PARENTS; ) {
    const slash = at.lastIndexOf('/')
    if (slash <= 0) break
    at = at.slice(0, slash)
    if (!at.endsWith('/')) found.push(wordOf(at, word))
  }
  return found
}

/** The copy that is kept of what stood there: `~` behind its name, or what `-S` says; of a numbered one the number is not known. */
function backup(parsed: ParsedCommand, context: CommandContext, word: Word): void {
  const suffix = parsed.value('-S', '--suffix')
  if (!(parsed.flag('-b', '--backup') || parsed.value('--backup') !== null || suffix !== null) || word.text === null || word.glob) return
  const control = parsed.value('--backup')?.text ?? 'existing'
  if (/^(?:none|off)$/.test(control)) return
  const known = control !== 'numbered' && control !== 't' && suffix?.text !== null
  const kept = `${word.text}${known ? (suffix?.text ?? '~') : '.~'}`
  const name = known ? wordOf(kept, word) : { ...wordOf(kept, word), text: null, raw: `${kept}…` }
  writePath(context, name, { action: 'fs:copy', attributes: { from: word.text, backup: true } })
}

function place(
  parsed: ParsedCommand,
  context: CommandContext,
  options: { readonly action: string; readonly attributes: JsonObject },
): void {
  const { sources, into, directory } = destination(parsed)
  if (into === undefined || sources.length === 0) return
  const plain = parsed.flag('-T', '--no-target-directory')
  const inside = plain ? 'no' : directory ? 'yes' : landsInside(context, into)
  for (const source of sources)
    for (const word of landings(into, source, inside)) {
      backup(parsed, context, word)
      const emptied = source.text === '/dev/null' ? { action: 'fs:truncate', reversible: false } : {}
      writePath(context, word, { ...options, ...emptied, attributes: { ...options.attributes, ...fromWord(source) } })
    }
}

/** Where something comes from, as far as it is known. */
function fromWord(source: Word): JsonObject {
  const from = source.text ?? source.prefix
  return from === '' ? {} : { from }
}

function reachOf(parsed: ParsedCommand): JsonObject {
  return {
    ...(parsed.flag(...RECURSIVE) ? { recursive: true } : {}),
    ...(parsed.flag(...FORCE) ? { force: true } : {}),
    ...(parsed.value('-m', '--mode')?.text ? { mode: parsed.value('-m', '--mode')?.text ?? null } : {}),
  }
}

const transfer: CommandSpec = {
  flags: list('-r -R -a -f -i -n -p -P -L -H -d -l -s -u -v -x -T -b -Z -c -X --recursive --archive --force --no-clobber --parents --link'),
  options: { ...takes('-t -S --target-directory --suffix --sparse --no-preserve') },
  optionalValues: ['--backup', '--preserve', '--reflink', '--update', '--context'],
  inert: HELP,
  inertFirst: true,
}

const cp: CommandSpec = {
  ...transfer,
  refine: (parsed, context) => {
    const attributes = reachOf(parsed)
    const reading = parsed.flag(...RECURSIVE) ? { recursive: true } : {}
    for (const word of destination(parsed).sources) readPath(context, word, { attributes: reading })
    place(parsed, context, { action: 'fs:copy', attributes })
  },
}

const mv: CommandSpec = {
  ...transfer,
  refine: (parsed, context) => {
    const { sources, into } = destination(parsed)
    if (into === undefined) return
    const gone = isStream(into)
    for (const word of sources) {
      if (hasClass(context.path(word), 'credential')) readPath(context, word, { action: 'fs:move' })
      deletePath(context, word, { action: 'fs:move', reversible: !gone, attributes: { to: into.text ?? into.prefix, ...reachOf(parsed) } })
    }
    place(parsed, context, { action: 'fs:move', attributes: reachOf(parsed) })
  },
}

const install: CommandSpec = {
  flags: list('-b -c -C -d -D -p -s -v -T --directory --compare --preserve-timestamps --strip'),
  options: takes('-g -m -o -S -t --group --mode --owner --suffix --target-directory --strip-program'),
  optionalValues: ['--backup'],
  inert: HELP,
  inertFirst: true,
  refine: (parsed, context) => {
    if (parsed.flag('-d', '--directory')) {
      for (const word of parsed.operands) writePath(context, word, { action: 'fs:mkdir', attributes: reachOf(parsed) })
      return
    }
    for (const word of destination(parsed).sources) readPath(context, word)
    place(parsed, context, { action: 'fs:copy', attributes: reachOf(parsed) })
  },
}

const ln: CommandSpec = {
  flags: list('-s -f -i -n -r -v -T -L -P -b -h --symbolic --force --relative --no-dereference'),
  options: takes('-t -S --target-directory --suffix'),
  optionalValues: ['--backup'],
  inert: HELP,
  inertFirst: true,
  refine: (parsed, context) => {
    const { operands } = parsed
    const single = operands.length === 1 && parsed.value('-t', '--target-directory') === null
    const { sources, into, directory } = single
      ? { sources: operands, into: wordOf('.', parsed.invocation.program), directory: true }
      : destination(parsed)
    if (into === undefined) return
    const symbolic = parsed.flag('-s', '--symbolic')
    for (const source of sources) {
      const inside = directory ? 'yes' : landsInside(context, into, !parsed.flag('-n', '--no-dereference', '-T', '--no-target-directory'))
      readPath(context, pointedAt({ source, into, inside }, parsed), { action: 'fs:link', certainty: 'possible' })
      for (const word of landings(into, source, inside)) {
        backup(parsed, context, word)
        writePath(context, word, { action: 'fs:link', attributes: { to: source.text ?? source.prefix, symbolic, ...reachOf(parsed) } })
      }
    }
  },
}

const DD_KEY = /^(if|of|oflag|conv|seek|count)=/

const dd: CommandSpec = {
  inert: HELP,
  inertFirst: true,
  refine: (parsed, context) => {
    const values = new Map<string, Word>()
    for (const word of parsed.operands) {
      const key = DD_KEY.exec(word.prefix)?.[1]
      if (key !== undefined) values.set(key, sliceWord(word, key.length + 1))
      else if (word.text === null) context.opaque('an operand of `dd` is not known before it runs', word.span)
    }
    const input = values.get('if')
    const output = values.get('of')
    if (input !== undefined) readPath(context, input)
    if (output === undefined) return
    const from = input?.text ?? null
    writePath(context, output, { action: 'disk:copy', attributes: from === null ? {} : { from } })
    // Into a device it ends where the device does.
    if (
      /^\/dev\/(?:zero|u?random|full)$/.test(from ?? '') &&
      !values.has('count') &&
      !hasClass(context.path(output), 'device') &&
      !isStream(output)
    )
      context.emit('execute', context.thing('resource', 'disk space'), {
        action: 'resource:endless',
        reason: 'it writes until the disk is full',
      })
  },
}

/** Sizes from a hundred gigabytes on: no work needs such a file, but it fills most disks. */
const HUGE = /^[+<>/%]?(?:\d{3,}G|\d{6,}M|\d{9,}K|\d+[TPEZY]|\d{12,})i?B?$/i

function fills(program: string, size: string | null, context: CommandContext): void {
  if (size !== null && HUGE.test(size))
    context.emit('change', context.thing('resource', 'disk space'), { action: 'resource:exhaust', reason: `\`${program}\` takes ${size}` })
}

const truncate: CommandSpec = {
  flags: list('-c -o --no-create --io-blocks'),
  options: { ...takes('-s --size'), '-r': 'data', '--reference': 'data' },
  inert: HELP,
  inertFirst: true,
  refine: (parsed, context) => {
    const size = parsed.value('-s', '--size')?.text ?? null
    const grows = size !== null && /^[+>]/.test(size)
    for (const word of parsed.operands) {
      writePath(context, word, { action: grows ? 'fs:allocate' : 'fs:truncate', reversible: grows, attributes: { size } })
    }
    fills(parsed.invocation.name, size, context)
  },
}

const fallocate: CommandSpec = {
  flags: list('-c -d -i -n -p -x -z --collapse-range --dig-holes --insert-range --punch-hole --zero-range'),
  options: takes('-l -o --length --offset'),
  inert: HELP,
  refine: (parsed, context) => {
    const destroys = parsed.flag('-c', '-p', '-z', '--collapse-range', '--punch-hole', '--zero-range')
    for (const word of parsed.operands) {
      writePath(context, word, { action: destroys ? 'fs:truncate' : 'fs:allocate', reversible: !destroys })
    }
    if (!destroys) fills(parsed.invocation.name, parsed.value('-l', '--length')?.text ?? null, context)
  },
}

const shred: CommandSpec = {
  flags: list('-f -u -v -x -z --force --verbose --exact --zero'),
  options: takes('-n -s --iterations --size --random-source'),
  optionalValues: ['--remove'],
  inert: HELP,
  inertFirst: true,
  refine: (parsed, context) => {
    for (const word of parsed.operands) {
      writePath(context, word, { action: 'fs:shred', reversible: false })
      if (parsed.flag('-u', '--remove')) deletePath(context, word, { action: 'fs:shred' })
    }
  },
}

/** An act on every operand that has no option of interest. */
function onEach(act: (context: CommandContext, word: Word) => void, more: CommandSpec = {}): CommandSpec {
  return {
    inert: HELP,
    ...more,
    refine: (parsed, context) => {
      for (const word of parsed.operands) act(context, word)
    },
  }
}

const lists = (valued = '', more: CommandSpec = {}) =>
  onEach((context, word) => readPath(context, word, { action: 'fs:list' }), { options: { ...takes(valued), ...more.options }, ...more })
const stats = (valued = '') => onEach((context, word) => readPath(context, word, { action: 'fs:stat' }), { options: takes(valued) })

const rm: CommandSpec = {
  flags: list('-r -R -f -i -I -d -v -P -W -x --recursive --force --dir --verbose --one-file-system --no-preserve-root'),
  optionalValues: ['--interactive', '--preserve-root'],
  operands: ['delete'],
  attributes: { recursive: ['-r', '-R', '--recursive'], force: FORCE, no_preserve_root: ['--no-preserve-root'] },
  inert: HELP,
  inertFirst: true,
}

const trash = onEach((context, word) => deletePath(context, word, { action: 'fs:trash', reversible: true }))

export const files: CommandTable = {
  ...each('rm grm', rm),
  unlink: { operands: ['delete'], inert: HELP, inertFirst: true },
  srm: {
    ...rm,
    refine: (parsed, context) => {
      for (const word of parsed.operands) shredded(context, word)
    },
  },
  ...each('trash trash-put gtrash rmtrash', trash),
  ...each('trash-empty', {
    effects: [{ verb: 'delete', action: 'fs:trash', target: { kind: 'resource', value: 'trash' }, reversible: false }],
  }),
  rmdir: {
    flags: list('-p --parents -v --verbose --ignore-fail-on-non-empty'),
    inert: HELP,
    inertFirst: true,
    refine: (parsed, context) => {
      const upwards = parsed.flag('-p', '--parents')
      for (const word of parsed.operands)
        for (const each of upwards ? [word, ...parents(word)] : [word]) deletePath(context, each, { action: 'fs:rmdir', reversible: true })
    },
  },
  ...each('cp gcp', cp),
  ...each('mv gmv', mv),
  ditto: { ...cp, flags: list('-v -V -X -c -k -x -z -rsrc'), options: takes('--arch --bom'), inert: ['-h', '--help'] },
  ln,
  link: ln,
  install,
  mkdir: onEach((context, word) => writePath(context, word, { action: 'fs:mkdir' }), { options: takes('-m --mode'), flags: list('-p -v') }),
  ...each('mkfifo mknod', {
    options: takes('-m --mode'),
    flags: ['-Z'],
    optionalValues: ['--context'],
    inert: HELP,
    refine: ({ operands: [word] }, context) => {
      if (word !== undefined) writePath(context, word, { action: 'fs:node' })
    },
  }),
  touch: onEach((context, word) => writePath(context, word, { action: 'fs:touch' }), {
    options: takes('-d -t -r --date --reference --time'),
    flags: list('-a -c -f -h -m --no-create'),
  }),
  mktemp: {
    flags: list('-d --directory -q --quiet -t'),
    options: takes('-p --suffix'),
    optionalValues: ['--tmpdir'],
    inert: [...HELP, '-u', '--dry-run'],
    refine: makeTemporary,
  },
  dd,
  dcfldd: dd,
  truncate,
  fallocate,
  ...each('shred wipe', shred),
  ...each(
    'ls gls dir vdir exa eza lsd ll la',
    lists(
      '-I -T -w --ignore --hide --sort --time --time-style --width --block-size --level --format --quoting-style --indicator-style --tabsize',
      {
        optionalValues: list('--color --classify --hyperlink'),
      },
    ),
  ),
  tree: lists('-L -P -I --filelimit --sort --charset', { options: { ...takes('-L -P -I --filelimit --sort --charset'), '-o': 'write' } }),
  ...each(
    'du gdu dust ncdu dua',
    lists('', {
      flags: list('-a -c -h -s -k -m'),
      options: {
        ...takes('-d -t -B --max-depth --threshold --block-size --exclude --time-style'),
        ...takes('-X --exclude-from --files0-from', 'read'),
      },
    }),
  ),
  ...each('df duf', { inert: HELP }),
  ...each('stat gstat', stats('-c --format --printf --cached')),
  file: onEach((context, word) => readPath(context, word, { action: 'fs:stat' }), {
    options: { ...takes('-F -e -P --separator --exclude --parameter'), ...takes('-f -m --files-from --magic-file', 'read') },
  }),
  ...each('readlink realpath greadlink grealpath', stats('--relative-to --relative-base')),
  ...each('mdls getfattr', stats('-n --name')),
  ...each('GetFileInfo lsattr getfacl getcap namei', stats()),
  ...each('basename dirname pathchk', { inert: HELP }),
  ...each('rename prename perl-rename', {
    flags: list('-v -n -f -i -o -s'),
    inert: [...HELP, '-n', '--dry-run', '--nono'],
    refine: ({ operands }, context) => {
      for (const word of operands.slice(1)) deletePath(context, word, { action: 'fs:move', reversible: true })
      // The Perl one takes an expression that may run anything.
      if (operands[0] !== undefined) context.code('perl', operands[0].text, operands[0].span)
    },
  }),
}

function shredded(context: CommandContext, word: Word): void {
  writePath(context, word, { action: 'fs:shred', reversible: false })
}
