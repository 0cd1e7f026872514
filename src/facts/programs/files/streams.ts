import type { CommandContext, CommandSpec, CommandTable, Language, ParsedCommand, Word } from '../../host.ts'
import { readPath, wordOf, writePath } from '../../resources/acts.ts'
import { doubt } from '../../resources/doubt.ts'
import { HOLE, withHoles } from '../../resources/text/hole.ts'
import { ranUnread } from '../loads.ts'
import { readCommand } from '../options.ts'
import { byName, list, takes } from '../tool.ts'

/** Programs that transform text by a program of their own: sed, awk, jq and kin, and those that spread it over files. */

const HELP = ['--help', '--version']

interface Program {
  readonly language: Language
  /** Text that stands before the program. */
  readonly before?: string
}

/**
 * Program text in arguments. Of a text that is only partly known the rest is read with a mark in place of what is not; that
 * something is unknown is said, unless it is what the network says: then the whole is unknown code.
 */
function source({ language, before = '' }: Program, words: readonly (Word | undefined)[], context: CommandContext): void {
  const given = words.filter((word) => word !== undefined)
  const [first] = given
  if (first === undefined) return
  const texts = given.map(programText)
  const foreign = given.some((word) => word.text === null && word.from?.some((item) => item.verb === 'fetch' || item.verb === 'send'))
  if (foreign || texts.includes(null)) {
    const unknown = given.find((word) => word.text === null) ?? first
    if (language !== 'jq' || foreign) context.code(language, null, unknown.span)
    else context.code(language, HOLE, unknown.span)
    return
  }
  context.code(language, before + texts.join('\n'), first.span)
  if (given.every((word) => word.text !== null)) return
  doubt(`part of the ${language} program is not known before it runs`, { span: first.span, context })
}

/** The text of a word with marks for unknown parts; null where nothing of it is known. */
function programText(word: Word): string | null {
  if (word.text !== null) return word.text
  const known = word.pieces?.some((piece) => piece !== null && /\S/.test(piece)) === true
  return known ? withHoles(word.pieces ?? []) : null
}

function sedFiles(parsed: ParsedCommand): { readonly script: Word | undefined; readonly files: readonly Word[] } {
  const given = parsed.values('-e', '--expression', '-f', '--file').length > 0
  // BSD sed takes the backup suffix as a word of its own: `sed -i '' s/a/b/ f`, `sed -i .bak s/a/b/ f`. No script starts so.
  const bare = parsed.flag('-i', '--in-place') && /^(?:\.[\w.~-]*)?$/.test(parsed.operands[0]?.text ?? '-')
  const operands = bare ? parsed.operands.slice(1) : parsed.operands
  return given ? { script: undefined, files: operands } : { script: operands[0], files: operands.slice(1) }
}

function isThere(word: Word, context: CommandContext): boolean {
  const { real } = context.path(word)
  return real !== null && (context.view.realpath(real).type === 'file' || context.written(word) !== null)
}

/** `-i.bak` keeps the old file: `f.bak`, or `old/f` for `-i old/*`. */
function backup(word: Word, suffix: Word, context: CommandContext): void {
  if (word.text === null || word.glob || suffix.text === null) return
  const slash = word.text.lastIndexOf('/') + 1
  const [folder, name] = [word.text.slice(0, slash), word.text.slice(slash)]
  const path = suffix.text.includes('*') ? suffix.text.replaceAll('*', name) : name + suffix.text
  writePath(context, { ...wordOf(path.includes('/') ? path : folder + path, word) }, { action: 'text:backup' })
}

const sed: CommandSpec = {
  flags: list('-n -E -r -s -u -z -b --quiet --silent --regexp-extended --separate --null-data --posix --sandbox --debug --follow-symlinks'),
  options: takes('-e -f -l --expression --file --line-length'),
  optionalValues: ['-i', '--in-place', '-I'],
  inert: HELP,
  refine: (parsed, context) => {
    const { script, files } = sedFiles(parsed)
    source({ language: 'sed' }, [script, ...parsed.values('-e', '--expression')], context)
    for (const word of parsed.values('-f', '--file')) context.script('sed', word, [])
    const inPlace = parsed.flag('-i', '--in-place', '-I')
    const suffix = parsed.value('-i', '--in-place', '-I')
    // To GNU sed `''` is the script, and the word after it a file where there is one.
    const [empty, first] = parsed.operands
    const also = inPlace && empty?.text === '' && first !== undefined && !files.includes(first) && isThere(first, context) ? [first] : []
    for (const word of [...also, ...files]) {
      readPath(context, word)
      if (!inPlace) continue
      writePath(context, word, { action: 'text:edit' })
      if (suffix !== null && suffix.text !== '') backup(word, suffix, context)
    }
  },
}

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s

/** `-v name=value` as a statement before the program; a value that is not known leaves the variable unknown. */
function assignments(words: readonly Word[]): string {
  const made = words.flatMap((word) => {
    const [, name, value] = ASSIGNMENT.exec(word.text ?? '') ?? []
    return name === undefined || value === undefined ? [] : [`${name}="${value.replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`]
  })
  return made.length === 0 ? '' : `BEGIN{${made.join(';')}}\n`
}

const awk: CommandSpec = {
  flags: list('-b -c -C -e -g -n -N -O -P -r -s -S -t --posix --re-interval --sandbox --csv'),
  options: takes('-F -v -f -e -i -l -E --file --source --assign --field-separator --include --load --exec'),
  optionalValues: ['-d', '-D', '-o', '-p', '--dump-variables', '--pretty-print', '--profile'],
  stopAtOperand: false,
  inert: HELP,
  refine: (parsed, context) => {
    for (const word of parsed.values('-f', '--file', '-E', '--exec', '-i', '--include')) awkFile(word, context)
    for (const word of parsed.values('-l', '--load')) awkLibrary(word, context)
    const given = parsed.values('-f', '--file', '-e', '--source', '-E', '--exec').length > 0
    const inputs = given ? parsed.operands : parsed.operands.slice(1)
    const before = assignments([...parsed.values('-v', '--assign'), ...inputs])
    const program = given ? parsed.values('-e', '--source') : parsed.operands.slice(0, 1)
    source({ language: 'awk', before }, program, context)
    const inPlace = parsed.values('-i', '--include').some((word) => word.text === 'inplace')
    for (const word of inputs) {
      if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(word.prefix)) continue
      readPath(context, word)
      if (inPlace) writePath(context, word, { action: 'text:edit' })
    }
    const written = parsed.value('-o', '--pretty-print', '-p', '--profile', '-d', '--dump-variables')
    if (written !== null) writePath(context, written)
  },
}

/** Files that come with gawk, found on its own path. */
const AWK_LIBRARY: ReadonlySet<string> = new Set(list('inplace assert bits2str cliff_rand ctime getopt getlocaltime gettime join libintl'))

function awkFile(word: Word, context: CommandContext): void {
  if (word.text === null || !AWK_LIBRARY.has(word.text.replace(/\.awk$/, ''))) context.script('awk', word, [])
}

/** Extensions that come with gawk; any other is native code. */
const AWK_EXTENSIONS: ReadonlySet<string> = new Set(
  list('filefuncs fnmatch fork inplace intdiv ordchr readdir readfile revoutput revtwoway rwarray time'),
)

function awkLibrary(word: Word, context: CommandContext): void {
  if (word.text !== null && AWK_EXTENSIONS.has(word.text)) return
  ranUnread(word, context)
}

const JQ_PAIRS = ['--arg', '--argjson', '--slurpfile', '--rawfile', '--argfile']
const JQ_FILES = ['--slurpfile', '--rawfile', '--argfile']

/** Takes the options with two values (`--arg name value`) out of the words: the option grammar knows one value only. */
function withoutPairs(args: readonly Word[]): { readonly args: readonly Word[]; readonly files: readonly Word[] } {
  const kept: Word[] = []
  const files: Word[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) break
    if (word.text === null || !JQ_PAIRS.includes(word.text)) {
      kept.push(word)
      continue
    }
    const value = args[at + 2]
    if (JQ_FILES.includes(word.text) && value !== undefined) files.push(value)
    at += 2
  }
  return { args: kept, files }
}

const jqGrammar: CommandSpec = {
  flags: list('-n -r -c -s -S -e -C -M -a -j -R -i --null-input --raw-output --slurp --tab --args --jsonargs --in-place'),
  options: takes('-f --from-file -L --library-path --indent'),
}

const jq: CommandSpec = {
  ...jqGrammar,
  inert: [...HELP, '-h', '-V'],
  refine: ({ invocation }, context) => {
    const { args, files } = withoutPairs(invocation.args)
    const { parsed } = readCommand(jqGrammar, { ...invocation, args })
    for (const word of files) readPath(context, word)
    const script = parsed.value('-f', '--from-file')
    if (script !== null) context.script('jq', script, [])
    else source({ language: 'jq' }, [parsed.operands[0]], context)
    const plain = parsed.flag('--args', '--jsonargs')
    const inputs = script === null ? parsed.operands.slice(1) : parsed.operands
    for (const word of plain ? [] : inputs) readPath(context, word)
    if (parsed.flag('-i', '--in-place')) for (const word of inputs) writePath(context, word, { action: 'text:edit' })
  },
}

/** `-s expression` writes each document to a file of that name; the same letter lets another program of this name read all at once. */
function splits(parsed: ParsedCommand, context: CommandContext): void {
  const letter = parsed.flag('-s') ? (parsed.operands[0] ?? null) : null
  const expression = parsed.value('--split-exp') ?? letter
  const [, name] = /^\s*"([^"\\]+)"\s*$/.exec(expression?.text ?? '') ?? []
  if (expression === null) return
  if (name !== undefined) writePath(context, wordOf(/\.\w+$/.test(name) ? name : `${name}.yml`, expression))
  else if (parsed.value('--split-exp') !== null) writePath(context, { ...expression, text: null, prefix: '' })
}

const yq: CommandSpec = {
  flags: list('-i -n -r -P -e -s -C -M -j -y -Y --inplace --in-place --null-input --prettyPrint --yaml-output'),
  options: { ...takes('-o -p -I --output-format --input-format --indent --arg --split-exp'), '--from-file': 'read' },
  inert: [...HELP, '-h', '-V'],
  refine: (parsed, context) => {
    const named = ['eval', 'e', 'eval-all', 'ea'].includes(parsed.operands[0]?.text ?? '')
    const inputs = parsed.operands.slice(named ? 2 : 1)
    source({ language: 'jq' }, [parsed.operands[named ? 1 : 0]], context)
    splits(parsed, context)
    for (const word of inputs) readPath(context, word)
    if (parsed.flag('-i', '--inplace', '--in-place')) for (const word of inputs) writePath(context, word, { action: 'text:edit' })
  },
}

/** `dasel put` and `dasel delete` change the file they are given; `-o` names another. */
const dasel: CommandSpec = {
  flags: list('--pretty --compact --csv-headers --escape-html --merge-input-documents -c -m -n'),
  options: {
    ...takes('-s -r -p -w -v -t --selector --read --parser --write --value --type --indent'),
    '-f': 'read',
    '--file': 'read',
    '-o': 'write',
    '--out': 'write',
  },
  inert: [...HELP, '-h'],
  operands: ['data'],
  refine: (parsed, context) => {
    const file = parsed.value('-f', '--file')
    const changes = ['put', 'delete', 'append'].includes(parsed.operands[0]?.text ?? '') || parsed.flag('-v', '--value')
    if (file !== null && changes && parsed.value('-o', '--out') === null) writePath(context, file, { action: 'text:edit' })
  },
}

/** Files whose names begin with the prefix. */
function writePieces(prefix: Word, context: CommandContext): void {
  const many: Word = prefix.text === null ? prefix : { ...prefix, text: `${prefix.text}*`, glob: true }
  writePath(context, many, { attributes: { many: true } })
}

const csplit: CommandSpec = {
  flags: list('-k -s -q -z --keep-files --quiet --silent --elide-empty-files --suppress-matched'),
  options: takes('-b -n -f --prefix --suffix-format --digits'),
  inert: HELP,
  refine: (parsed, context) => {
    const [input] = parsed.operands
    if (input !== undefined) readPath(context, input)
    writePieces(parsed.value('-f', '--prefix') ?? wordOf('xx', parsed.invocation.program), context)
  },
}

const split: CommandSpec = {
  options: {
    ...takes('-a -b -C -l -n -t -k --bytes --lines --number --suffix-length --additional-suffix --line-bytes --separator'),
  },
  inert: HELP,
  refine: (parsed, context) => {
    const [input, prefix] = parsed.operands
    if (input !== undefined) readPath(context, input)
    const filter = parsed.value('--filter')
    if (filter !== null) context.shell(filter.text, filter.span, 'split')
    else writePieces(prefix ?? wordOf('x', parsed.invocation.program), context)
  },
}

/** In place, or with `-n` from one file to the next. */
const convert: CommandSpec = {
  flags: list('-k -o -n -q -D --newfile --oldfile'),
  options: takes('-c --convmode'),
  inert: HELP,
  refine: (parsed, context) => {
    const pairs = parsed.flag('-n', '--newfile')
    for (const [index, word] of parsed.operands.entries()) {
      if (pairs && index % 2 === 0) readPath(context, word)
      else writePath(context, word, { action: 'text:edit' })
    }
  },
}

export const streams: CommandTable = byName({
  'sed gsed ssed': sed,
  'awk gawk mawk nawk': awk,
  'jq gojq jaq': jq,
  'yq xq tomlq': yq,
  dasel,
  split: { ...split, options: { ...split.options, '--filter': 'data' } },
  csplit,
  tee: {
    flags: list('-a -i -p --append --ignore-interrupts'),
    optionalValues: ['--output-error'],
    operands: ['write'],
    attributes: { append: ['-a', '--append'] },
    inert: HELP,
    inertFirst: true,
  },
  sponge: { flags: ['-a'], operands: ['write'] },
  'dos2unix unix2dos': convert,
  xmllint: {
    options: {
      ...takes('--xpath --pattern --encode --maxmem'),
      '--output': 'write',
      '-o': 'write',
      '--schema': 'read',
      '--dtdvalid': 'read',
    },
    singleDashLong: true,
    operands: ['read'],
    inert: ['--version'],
  },
  xsltproc: { options: { ...takes('--param --stringparam'), '-o': 'write', '--output': 'write' }, operands: ['read'], inert: HELP },
  xmlstarlet: {
    inert: HELP,
    operands: ['data'],
    refine: ({ operands: [verb, ...rest], unknown }, context) => {
      const edits = /^(?:ed|edit)$/.test(verb?.text ?? '') && unknown.some((word) => word.text === '-L' || word.text === '--inplace')
      for (const word of rest.slice(-1)) {
        readPath(context, word)
        if (edits) writePath(context, word, { action: 'text:edit' })
      }
    },
  },
})
