import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, Invocation, ParsedCommand, Word } from '../../host.ts'
import { deletePath, fedFrom, isDirectory, isStream, joinWord, reachUrl, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { sliceWord } from '../../resources/text/word.ts'
import { readCommand } from '../options.ts'
import { byName, list, takes } from '../tool.ts'
import { readListed } from './names.ts'

/**
 * Archivers and compressors.
 * Actions: archive:create · archive:extract (attributes recursive, absolute, overwrite, from) · archive:compress ·
 * archive:expand · archive:remove (members or sources removed).
 */

const HELP = ['--help', '--version']

const TAR_VALUED = '-f -C -T -X -I -b -g -K -N -V -H -F -L --file --directory --files-from --exclude-from --use-compress-program'
const tarGrammar: CommandSpec = {
  flags: list(
    '-c -x -t -r -u -A -d -z -j -J -v -p -P -k -O -m -W -w -h -l -o -s -S -U -a -Z --create --extract --get --list --append ' +
      '--update --delete --diff --concatenate --absolute-names --to-stdout --remove-files --overwrite --gzip --bzip2 --xz ' +
      '--zstd --verbose --keep-old-files --recursive-unlink --unlink-first --force-local --auto-compress --numeric-owner ' +
      '--same-owner',
  ),
  options: {
    ...takes(TAR_VALUED),
    ...takes('--exclude --strip-components --transform --xform --to-command --checkpoint-action --rsh-command --rmt-command --info-script'),
    ...takes(
      '--new-volume-script --owner --group --mode --mtime --format --sort --newer --newer-mtime --after-date ' +
        '--blocking-factor --record-size --tape-length --starting-file --hole-detection --quoting-style --quote-chars ' +
        '--no-quote-chars --exclude-ignore --exclude-ignore-recursive --exclude-tag --exclude-tag-all --exclude-tag-under ' +
        '--group-map --owner-map --set-mtime-format --xattrs-include --xattrs-exclude',
    ),
    ...takes('--label --suffix --level --warning --pax-option --set-mtime-command'),
    ...takes('-g --listed-incremental --volno-file --index-file', 'write'),
    ...takes('--add-file', 'read'),
  },
  optionalValues: list('--checkpoint --backup --one-top-level --totals --occurrence --atime-preserve'),
  inert: [...HELP, '--usage'],
}

/** `tar xzf a.tgz dir`: the first word is a bundle without its dash, whose letters take the next words in turn. */
function dashed(invocation: Invocation): Invocation {
  const [first, ...others] = invocation.args
  if (first?.text === null || first?.text === undefined || !/^[A-Za-z]+$/.test(first.text)) return invocation
  const valued = new Set(list('f C T X I b g K N V H F L'))
  const words: Word[] = []
  for (const letter of first.text) {
    words.push(wordOf(`-${letter}`, first))
    const value = valued.has(letter) ? others.shift() : undefined
    if (value !== undefined) words.push(value)
  }
  return { ...invocation, args: [...words, ...others] }
}

const TAR_COMMANDS = '--rsh-command --rmt-command --info-script --new-volume-script --set-mtime-command -F -I --use-compress-program'.split(
  ' ',
)

function tarCommands(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values(...TAR_COMMANDS)) context.shell(word.text, word.span, 'tar')
  // Each member stands on the standard input of its command.
  for (const word of parsed.values('--to-command'))
    context.command([wordOf('sh', word), wordOf('-c', word), word], 'tar', { kind: 'pipe', from: [], producers: ['tar'] })
  for (const word of parsed.values('--checkpoint-action')) {
    if (word.text === null) context.shell(null, word.span, 'tar')
    else if (word.text.startsWith('exec=')) context.shell(word.text.slice(5), word.span, 'tar')
  }
}

/** `host:archive` is reached by rsh, unless `--force-local`. */
function remoteArchive(parsed: ParsedCommand, file: Word): boolean {
  const colon = file.prefix.indexOf(':')
  return colon > 0 && !file.prefix.slice(0, colon).includes('/') && !parsed.flag('--force-local')
}

function tarArchive(parsed: ParsedCommand, context: CommandContext, writes: boolean): void {
  for (const file of parsed.values('-f', '--file')) {
    if (remoteArchive(parsed, file)) reachUrl(context, file, { verb: writes ? 'send' : 'fetch' })
    else if (writes) writePath(context, file, { action: 'archive:create' })
    else readPath(context, file)
  }
}

/** Where tar works: members are relative to the last `-C`. */
function inDirectory(parsed: ParsedCommand, word: Word): Word {
  const directory = parsed.value('-C', '--directory')
  if (directory === null || word.prefix.startsWith('/') || word.prefix.startsWith('~')) return word
  if (directory.text === null) return directory
  return joinWord(`${directory.text}/`, word)
}

function extraction(parsed: ParsedCommand, extra: JsonObject): JsonObject {
  const archive = parsed.value('-f', '--file')
  const from = fedFrom(parsed.invocation) ?? archive?.text ?? null
  return { recursive: true, ...(from === null ? {} : { from }), ...extra }
}

function tarExtract(parsed: ParsedCommand, context: CommandContext): void {
  if (parsed.flag('-O', '--to-stdout') || parsed.value('--to-command') !== null) return
  const into = parsed.value('-C', '--directory') ?? parsed.value('--one-top-level') ?? wordOf('.', parsed.invocation.program)
  const absolute = parsed.flag('-P', '--absolute-names')
  const force = parsed.flag('--overwrite', '-U', '--unlink-first', '--recursive-unlink')
  const attributes = extraction(parsed, { ...(absolute ? { absolute } : {}), ...(force ? { force } : {}) })
  writePath(context, into, { action: 'archive:extract', attributes })
  for (const word of parsed.operands) writePath(context, inDirectory(parsed, word), { action: 'archive:extract', attributes })
  // With -P an entry lands wherever the archive says.
  if (absolute) writePath(context, wordOf('/', into), { action: 'archive:extract', certainty: 'possible', attributes })
}

/** GNU tar takes the words of `TAR_OPTIONS` before its own. */
function withEnvironment(invocation: Invocation, context: CommandContext): Invocation {
  const extra = invocation.env.get('TAR_OPTIONS')
  if (extra === undefined) return dashed(invocation)
  if (extra.text === null) context.opaque('the options of `tar` in `TAR_OPTIONS` are not known before it runs', extra.span)
  const words = list(extra.text ?? '').map((text) => wordOf(text, extra))
  return { ...invocation, args: [...words, ...dashed(invocation).args] }
}

function tarWords({ invocation }: ParsedCommand, context: CommandContext): void {
  const { parsed } = readCommand(tarGrammar, withEnvironment(invocation, context))
  if (parsed.inert) return
  tarCommands(parsed, context)
  for (const word of parsed.values('-X', '--exclude-from', '--add-file')) readPath(context, word)
  for (const word of parsed.values('-g', '--listed-incremental', '--index-file', '--volno-file')) writePath(context, word)
  const creates = parsed.flag('-c', '--create', '-r', '--append', '-u', '--update', '-A', '--concatenate')
  tarArchive(parsed, context, creates || parsed.flag('--delete'))
  for (const word of parsed.values('-T', '--files-from')) {
    if (creates) readListed(context, invocation, { from: word })
    else readPath(context, word)
  }
  if (creates) {
    for (const word of parsed.operands) readPath(context, inDirectory(parsed, word), { attributes: { recursive: true } })
    const removed = parsed.flag('--remove-files') ? parsed.operands : []
    for (const word of removed)
      deletePath(context, inDirectory(parsed, word), { action: 'archive:remove', attributes: { recursive: true } })
  } else if (parsed.flag('-x', '--extract', '--get')) {
    tarExtract(parsed, context)
  } else if (!parsed.flag('-t', '--list', '-d', '--diff', '--compare', '--delete') && invocation.args.some((word) => word.text === null)) {
    context.opaque('what `tar` does is not known before it runs')
  }
}

const zip: CommandSpec = {
  flags: list(
    '-r -R -m -q -v -u -f -d -9 -0 -1 -j -y -T -@ -D -X -e -A -F -g -l --recurse-paths --move --encrypt --delete --junk-paths --test',
  ),
  options: takes('-x -i -P -b -n -t -tt -s -TT --unzip-command --password --exclude --include --temp-path --output-file -O'),
  inert: ['--help', '-h', '--version'],
  refine: (parsed, context) => {
    const [archive, ...sources] = parsed.operands
    const command = parsed.value('-TT', '--unzip-command')
    if (command !== null) context.shell(command.text, command.span, 'zip')
    if (archive === undefined) return
    writePath(context, archive, { action: 'archive:create' })
    if (parsed.flag('-d', '--delete')) return
    const recursive = parsed.flag('-r', '-R', '--recurse-paths')
    for (const word of sources) readPath(context, word, { attributes: recursive ? { recursive } : {} })
    const listed = parsed.flag('-@') ? readListed(context, parsed.invocation) : []
    const moved = parsed.flag('-m', '--move') ? [...sources, ...listed] : []
    for (const word of moved) deletePath(context, word, { action: 'archive:remove', attributes: recursive ? { recursive } : {} })
  },
}

const unzip: CommandSpec = {
  flags: list('-o -n -q -j -l -t -v -p -c -z -Z -1 -a -u -f -C -K -X -:'),
  options: takes('-d -P -x -O -I'),
  inert: HELP,
  refine: (parsed, context) => {
    const [archive, ...members] = parsed.operands
    if (archive !== undefined) readPath(context, archive)
    if (archive === undefined || parsed.flag('-l', '-t', '-v', '-p', '-c', '-z', '-Z')) return
    const absolute = parsed.flag('-:')
    const attributes = {
      recursive: true,
      from: archive.text,
      ...(absolute ? { absolute } : {}),
      ...(parsed.flag('-o') ? { force: true } : {}),
    }
    const into = parsed.value('-d')
    writePath(context, into ?? wordOf('.', archive), { action: 'archive:extract', attributes })
    if (into?.text === null) return
    const base = into === null ? '' : `${into.text}/`
    for (const word of members) writePath(context, joinWord(base, word), { action: 'archive:extract', attributes })
  },
}

interface Compressor {
  readonly suffix: string
  /** The original stays unless `--rm` (zstd), or goes unless `-k`. */
  readonly keeps: boolean
  readonly expands: boolean
}

/** Of these `-S` is something else. */
const KEPT_SUFFIX: ReadonlySet<string> = new Set(['.bz2', '.zst', '.lz4', '.br'])

function compressor({ suffix, keeps, expands }: Compressor): CommandSpec {
  return {
    flags: list(
      '-c -d -k -f -t -l -q -v -r -z -1 -2 -3 -4 -5 -6 -7 -8 -9 -n -N -e -m --keep --stdout --decompress --uncompress --test ' +
        '--list --force --recursive --rm --fast --best --quiet',
    ),
    options: {
      ...takes(
        '-S -T -M -C -D -b -B -F --suffix --threads --memlimit --memory --memlimit-compress --memlimit-decompress ' +
          '--memlimit-mt-decompress --format --check --block-size --block-list --flush-timeout --level --size-hint --stream-size ' +
          '--target-compressed-block-size --maxdict --dictID --trace',
      ),
      ...takes('-o --output-dir-flat --output-dir-mirror', 'write'),
      ...takes('--patch-from --filelist', 'read'),
    },
    inert: [...HELP, '-V', '-h', '-L'],
    refine: (parsed, context) => {
      const recursive = parsed.flag('-r', '--recursive') ? { recursive: true } : {}
      const prints = parsed.flag('-c', '--stdout', '-t', '--test', '-l', '--list') || parsed.value('-o') !== null
      const shrinks = !expands && !parsed.flag('-d', '--decompress', '--uncompress')
      const ending = KEPT_SUFFIX.has(suffix) ? suffix : (parsed.value('-S', '--suffix')?.text ?? suffix)
      for (const word of parsed.operands) {
        readPath(context, word, { attributes: recursive })
        if (prints || isStream(word)) continue
        const action = shrinks ? 'archive:compress' : 'archive:expand'
        const below = recursive.recursive === true && isDirectory(context, word)
        writePath(context, below ? word : otherName(word, ending, shrinks), { action, attributes: recursive })
        const stays = keeps ? !parsed.flag('--rm') : parsed.flag('-k', '--keep')
        if (!stays) deletePath(context, word, { action: 'archive:compress', reversible: true, attributes: recursive })
      }
    },
  }
}

const LZ4 = compressor({ suffix: '.lz4', keeps: true, expands: false })
/** `lz4 in out`; with `-m` every operand is an input. */
const lz4: CommandSpec = {
  ...LZ4,
  refine: (parsed, context) => {
    const [from, to, more] = parsed.operands
    if (from === undefined || to === undefined || more !== undefined || parsed.flag('-m')) LZ4.refine?.(parsed, context)
    else {
      readPath(context, from)
      writePath(context, to, { action: parsed.flag('-d', '--decompress') ? 'archive:expand' : 'archive:compress' })
    }
  },
}

function otherName(word: Word, suffix: string, shrinks: boolean): Word {
  if (word.text === null || word.glob) return word
  if (shrinks) return wordOf(word.text + suffix, word)
  return word.text.endsWith(suffix) ? wordOf(word.text.slice(0, -suffix.length), word) : word
}

/** `pax -r` extracts, `-w` archives, `-rw` copies; without either it lists. */
const pax: CommandSpec = {
  flags: list('-r -w -a -c -d -i -k -l -n -t -u -v -z -X -Y -Z -D -H -L -P'),
  options: takes('-b -f -o -p -s -x -B -E -G -T -U'),
  inert: HELP,
  refine: (parsed, context) => {
    const [reads, writes, file] = [parsed.flag('-r'), parsed.flag('-w'), parsed.value('-f')]
    if (file !== null && writes && !reads) writePath(context, file, { action: 'archive:create' })
    else if (file !== null) readPath(context, file)
    if (writes)
      for (const word of reads ? parsed.operands.slice(0, -1) : parsed.operands)
        readPath(context, word, { attributes: { recursive: true } })
    const into = reads && writes ? parsed.operands.at(-1) : reads ? wordOf('.', parsed.invocation.program) : undefined
    if (into !== undefined)
      writePath(context, into, { action: writes ? 'fs:copy' : 'archive:extract', attributes: { recursive: true, absolute: true } })
  },
}

/** Of `7z x` and `unrar x`: `-oDIR`, `DIR/`, else here. */
function extractedTo({ unknown }: ParsedCommand, archive: Word, last: Word | undefined): Word {
  const output = unknown.find((word) => word.prefix.startsWith('-o') && word.prefix.length > 2)
  if (output !== undefined) return sliceWord(output, 2)
  return last?.prefix.endsWith('/') === true ? last : wordOf('.', archive)
}

/** Archivers that take a command word first: `7z x a.7z`, `ar r lib.a x.o`, `unrar x a.rar dir/`. */
function commandWord(creates: RegExp, extracts: RegExp): CommandSpec {
  return {
    flags: list('-y -sdel -spf -r -df -bd -aoa -so'),
    singleDashLong: true,
    inert: HELP,
    refine: (parsed, context) => {
      const [mode, archive, ...members] = parsed.operands
      if (mode === undefined || archive === undefined) return
      if (mode.text === null) context.opaque(`what \`${parsed.invocation.name}\` does is not known before it runs`, mode.span)
      const does = mode.text ?? ''
      if (creates.test(does)) {
        writePath(context, archive, { action: 'archive:create' })
        for (const word of does.endsWith('d') ? [] : members) readPath(context, word, { attributes: { recursive: true } })
        const removed = parsed.flag('-sdel', '-df') || does === 'm' ? members : []
        for (const word of removed) deletePath(context, word, { action: 'archive:remove', attributes: { recursive: true } })
        return
      }
      readPath(context, archive)
      if (!extracts.test(does) || parsed.flag('-so')) return
      const absolute = parsed.flag('-spf') ? { absolute: true } : {}
      const attributes = { recursive: true, from: archive.text, ...absolute }
      writePath(context, extractedTo(parsed, archive, members.at(-1)), { action: 'archive:extract', attributes })
    },
  }
}

const cpio: CommandSpec = {
  flags: list(
    '-i -o -p -d -m -v -u -t -a -c -L -0 -B --extract --create --pass-through --list --make-directories --unconditional ' +
      '--absolute-filenames --no-absolute-filenames',
  ),
  options: takes('-F -I -O -H -D -E -R -C --file --format --directory --pattern-file --rsh-command'),
  inert: HELP,
  refine: (parsed, context) => {
    const command = parsed.value('--rsh-command')
    if (command !== null) context.shell(command.text, command.span, 'cpio')
    const file = parsed.value('-F', '--file', '-I', '-O')
    const extracts = parsed.flag('-i', '--extract') && !parsed.flag('-t', '--list')
    if (file !== null && parsed.flag('-o', '--create')) writePath(context, file, { action: 'archive:create' })
    else if (file !== null) readPath(context, file)
    if (parsed.flag('-o', '--create', '-p', '--pass-through')) readListed(context, parsed.invocation)
    const absolute = parsed.flag('--no-absolute-filenames') ? {} : { absolute: true }
    const here = parsed.value('-D', '--directory') ?? wordOf('.', parsed.invocation.program)
    if (extracts) writePath(context, here, { action: 'archive:extract', attributes: extraction(parsed, absolute) })
    const [into] = parsed.operands
    if (parsed.flag('-p', '--pass-through') && into !== undefined)
      writePath(context, into, { action: 'fs:copy', attributes: { recursive: true } })
  },
}

const unar: CommandSpec = {
  flags: list('-f -q -D -s -r'),
  options: takes('-o -p -e -output-directory'),
  inert: HELP,
  refine: (parsed, context) => {
    const [archive] = parsed.operands
    if (archive === undefined) return
    readPath(context, archive)
    const into = parsed.value('-o', '-output-directory') ?? wordOf('.', archive)
    writePath(context, into, { action: 'archive:extract', attributes: { recursive: true, from: archive.text } })
  },
}

export const archives: CommandTable = byName({
  'tar gtar bsdtar': { refine: tarWords },
  zip: zip,
  unzip: unzip,
  'zipinfo zipgrep lsar': { operands: ['read'] },
  'gzip pigz': compressor({ suffix: '.gz', keeps: false, expands: false }),
  'gunzip unpigz': compressor({ suffix: '.gz', keeps: false, expands: true }),
  'bzip2 pbzip2 lbzip2': compressor({ suffix: '.bz2', keeps: false, expands: false }),
  bunzip2: compressor({ suffix: '.bz2', keeps: false, expands: true }),
  'xz pixz': compressor({ suffix: '.xz', keeps: false, expands: false }),
  unxz: compressor({ suffix: '.xz', keeps: false, expands: true }),
  lzma: compressor({ suffix: '.lzma', keeps: false, expands: false }),
  'zstd pzstd zstdmt': compressor({ suffix: '.zst', keeps: true, expands: false }),
  unzstd: compressor({ suffix: '.zst', keeps: true, expands: true }),
  lz4,
  brotli: compressor({ suffix: '.br', keeps: true, expands: false }),
  compress: compressor({ suffix: '.Z', keeps: false, expands: false }),
  uncompress: compressor({ suffix: '.Z', keeps: false, expands: true }),
  '7z 7za 7zr 7zz p7zip': commandWord(/^[adu]$/, /^[xe]$/),
  rar: commandWord(/^[amuf]$/, /^[xe]$/),
  unrar: commandWord(/^$/, /^[xe]$/),
  ar: commandWord(/^-?[rqdmcs]/, /^-?x/),
  cpio,
  pax,
  'unar unace unarj lha': unar,
})
