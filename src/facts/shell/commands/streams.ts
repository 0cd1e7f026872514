import { readPath, wordOf, writePath } from '../acts.ts'
import { readCommand } from '../options.ts'
import type { CommandContext, CommandSpec, CommandTable, Language, ParsedCommand, Word } from '../spec.ts'
import { each, list, takes } from './tool.ts'

/** Programs that transform text by a program of their own: sed, awk, jq and kin, and those that spread it over files. */

const HELP = ['--help', '--version']

function source(language: Language, word: Word | undefined, context: CommandContext): void {
  if (word !== undefined) context.code(language, word.text, word.span)
}

function sedFiles(parsed: ParsedCommand): { readonly script: Word | undefined; readonly files: readonly Word[] } {
  const given = parsed.values('-e', '--expression', '-f', '--file').length > 0
  // BSD sed takes the backup suffix as a word of its own: `sed -i '' s/a/b/ f`.
  const bare = parsed.flag('-i', '--in-place') && parsed.operands[0]?.text === ''
  const operands = bare ? parsed.operands.slice(1) : parsed.operands
  return given ? { script: undefined, files: operands } : { script: operands[0], files: operands.slice(1) }
}

const sed: CommandSpec = {
  flags: list('-n -E -r -s -u -z -b --quiet --silent --regexp-extended --separate --null-data --posix --sandbox --debug'),
  options: takes('-e -f -l --expression --file --line-length'),
  optionalValues: ['-i', '--in-place', '-I'],
  inert: HELP,
  refine: (parsed, context) => {
    const { script, files } = sedFiles(parsed)
    source('sed', script, context)
    for (const word of parsed.values('-e', '--expression')) source('sed', word, context)
    for (const word of parsed.values('-f', '--file')) context.script('sed', word, [])
    const inPlace = parsed.flag('-i', '--in-place', '-I')
    for (const word of files) {
      readPath(context, word)
      if (inPlace) writePath(context, word, { action: 'text:edit' })
    }
  },
}

const awk: CommandSpec = {
  flags: list('-b -c -C -e -g -n -N -O -P -r -s -S -t --posix --re-interval --sandbox --csv'),
  options: takes('-F -v -f -e -i -l -E --file --source --assign --field-separator --include --load --exec'),
  optionalValues: ['-d', '-D', '-o', '-p', '--dump-variables', '--pretty-print', '--profile'],
  stopAtOperand: false,
  inert: HELP,
  refine: (parsed, context) => {
    for (const word of parsed.values('-f', '--file', '-E', '--exec', '-i', '--include')) context.script('awk', word, [])
    for (const word of parsed.values('-e', '--source')) source('awk', word, context)
    const given = parsed.values('-f', '--file', '-e', '--source', '-E', '--exec').length > 0
    if (!given) source('awk', parsed.operands[0], context)
    for (const word of given ? parsed.operands : parsed.operands.slice(1)) {
      const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/.test(word.prefix)
      if (!assignment) readPath(context, word)
    }
    const written = parsed.value('-o', '--pretty-print', '-p', '--profile', '-d', '--dump-variables')
    if (written !== null) writePath(context, written)
  },
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
  flags: list('-n -r -c -s -S -e -C -M -a -j -R -i --null-input --raw-output --slurp --args --jsonargs --in-place'),
  options: takes('-f --from-file -L --indent --tab'),
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
    else source('jq', parsed.operands[0], context)
    const plain = parsed.flag('--args', '--jsonargs')
    const inputs = script === null ? parsed.operands.slice(1) : parsed.operands
    for (const word of plain ? [] : inputs) readPath(context, word)
    if (parsed.flag('-i', '--in-place')) for (const word of inputs) writePath(context, word, { action: 'text:edit' })
  },
}

const yq: CommandSpec = {
  flags: list('-i -n -r -P -e -s -C -M -j -y -Y --inplace --in-place --null-input --prettyPrint --yaml-output'),
  options: { ...takes('-o -p -I --output-format --input-format --indent --arg'), '--from-file': 'read' },
  inert: [...HELP, '-h', '-V'],
  refine: (parsed, context) => {
    const named = ['eval', 'e', 'eval-all', 'ea'].includes(parsed.operands[0]?.text ?? '')
    const inputs = parsed.operands.slice(named ? 2 : 1)
    source('jq', parsed.operands[named ? 1 : 0], context)
    for (const word of inputs) readPath(context, word)
    if (parsed.flag('-i', '--inplace', '--in-place')) for (const word of inputs) writePath(context, word, { action: 'text:edit' })
  },
}

const split: CommandSpec = {
  options: {
    ...takes('-a -b -C -l -n -t -k --bytes --lines --number --suffix-length --additional-suffix'),
    '-f': 'write',
    '--prefix': 'write',
  },
  inert: HELP,
  refine: (parsed, context) => {
    const [input, prefix] = parsed.operands
    if (input !== undefined) readPath(context, input)
    const filter = parsed.value('--filter')
    if (filter !== null) context.shell(filter.text, filter.span, 'split')
    else writePath(context, prefix ?? wordOf('.', parsed.invocation.program), { attributes: { many: true } })
  },
}

const convert: CommandSpec = { flags: list('-k -o -n -q -c -D'), operands: ['write'], inert: HELP }

export const streams: CommandTable = {
  ...each('sed gsed ssed', sed),
  ...each('awk gawk mawk nawk', awk),
  ...each('jq gojq jaq', jq),
  ...each('yq xq tomlq dasel', yq),
  split: { ...split, options: { ...split.options, '--filter': 'data' } },
  csplit: { options: { ...takes('-b -n -k'), '-f': 'write' }, operands: ['read', 'data'], inert: HELP },
  ...each('tee', {
    flags: list('-a -i -p --append --ignore-interrupts'),
    optionalValues: ['--output-error'],
    operands: ['write'],
    attributes: { append: ['-a', '--append'] },
    inert: HELP,
    inertFirst: true,
  }),
  sponge: { flags: ['-a'], operands: ['write'] },
  ...each('dos2unix unix2dos', convert),
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
  xmlstarlet: { operands: ['data', 'data', 'read'] },
}
