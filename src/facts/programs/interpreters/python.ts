import type { CommandContext, CommandSpec, Invocation, ParsedCommand, Word } from '../../host.ts'
import { isStream, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { readCommand } from '../options.ts'
import { list, takes } from '../tool.ts'

/** Modules that come with Python: those that pack or unpack files (`zipfile`, `tarfile`, `gzip`), and those that run what follows (`timeit`, `pdb`). */

const ARCHIVER: CommandSpec = {
  flags: ['-c', '--create', '-e', '--extract', '-l', '--list', '-t', '--test', '-v', '--verbose', '-h', '--help'],
  options: { '--metadata-encoding': 'data', '--filter': 'data' },
}

function archiver(parsed: ParsedCommand, context: CommandContext): void {
  const [archive, ...others] = parsed.operands
  if (archive === undefined) return
  if (parsed.flag('-c', '--create')) {
    for (const word of others) readPath(context, word, { attributes: { recursive: true } })
    writePath(context, archive, { action: 'archive:create' })
    return
  }
  readPath(context, archive)
  if (!parsed.flag('-e', '--extract')) return
  const attributes = { recursive: true, from: archive.text ?? archive.prefix }
  writePath(context, others[0] ?? wordOf('.', archive), { action: 'archive:extract', attributes })
}

const GZIP: CommandSpec = { flags: ['-d', '--decompress', '--fast', '--best', '-h', '--help'] }

/** What was there stays. */
function gzip(parsed: ParsedCommand, context: CommandContext): void {
  const expands = parsed.flag('-d', '--decompress')
  for (const word of parsed.operands) {
    readPath(context, word)
    if (isStream(word)) continue
    const { text } = word
    const name = text === null ? null : expands ? text.replace(/\.gz$/, '') : `${text}.gz`
    writePath(context, name === null ? word : wordOf(name, word), { action: expands ? 'archive:expand' : 'archive:compress' })
  }
}

const ZIPAPP: CommandSpec = {
  flags: ['-c', '--compress', '--info', '-h', '--help'],
  options: takes('-o --output -p --python -m --main'),
}

/** The program is put beside its directory where it is not said where. */
function zipapp(parsed: ParsedCommand, context: CommandContext): void {
  const [source] = parsed.operands
  if (source === undefined) return
  readPath(context, source, { attributes: { recursive: true } })
  if (parsed.flag('--info')) return
  const output = parsed.value('-o', '--output') ?? wordOf(`${(source.text ?? source.prefix).replace(/\/$/, '')}.pyz`, source)
  writePath(context, output, { action: 'archive:create' })
}

const PACKING: ReadonlyMap<string, readonly [CommandSpec, (parsed: ParsedCommand, context: CommandContext) => void]> = new Map([
  ['zipfile', [ARCHIVER, archiver]],
  ['tarfile', [ARCHIVER, archiver]],
  ['gzip', [GZIP, gzip]],
  ['zipapp', [ZIPAPP, zipapp]],
])

/** Tells what such a module does with the words after it; false where it is none of them. */
export function packingModule(module: Word, args: readonly Word[], context: CommandContext): boolean {
  const name = module.text ?? ''
  const packing = PACKING.get(name)
  if (packing === undefined) return false
  const [grammar, pack] = packing
  const invocation: Invocation = { name, program: module, args, env: new Map(), input: { kind: 'none' }, piped: false, span: module.span }
  const { parsed } = readCommand(grammar, invocation)
  if (!parsed.flag('-h', '--help')) pack(parsed, context)
  return true
}

/** Modules that run what follows their own options: a script, a module, or code. */
const RUNNING: Readonly<Record<string, CommandSpec>> = {
  timeit: {
    flags: list('-p --process -v --verbose -h --help'),
    options: takes('-n --number -r --repeat -s --setup -u --unit'),
    stopAtOperand: true,
  },
  pdb: { flags: list('-h --help'), options: { ...takes('-c --command -p'), '-m': 'data' }, stopAtOperand: true },
  cProfile: { options: { '-o': 'write', '--outfile': 'write', '-s': 'data', '--sort': 'data', '-m': 'data' }, stopAtOperand: true },
  trace: {
    flags: list('-c --count -t --trace -l --listfuncs -T --trackcalls -m --missing -s --summary -R --no-report -g --timing -h --help'),
    options: { ...takes('-f --file -C --coverdir --ignore-module --ignore-dir'), '--module': 'data' },
    stopAtOperand: true,
  },
}

/** Lines of the debugger: `!statement`, or one that it does not know. */
function debuggerLines(parsed: ParsedCommand, context: CommandContext): void {
  for (const { text, span } of parsed.values('-c', '--command'))
    if (text === null || /[(=]/.test(text)) context.code('python', text?.replace(/^\s*!/, '') ?? null, span)
}

/** Tells what a module runs that times, traces or debugs the rest; false where it is none of them. */
export function runningModule(module: Word, args: readonly Word[], context: CommandContext): boolean {
  const name = module.text === 'profile' ? 'cProfile' : (module.text ?? '')
  const grammar = Object.hasOwn(RUNNING, name) ? RUNNING[name] : undefined
  if (grammar === undefined) return false
  const invocation: Invocation = { name, program: module, args, env: new Map(), input: { kind: 'none' }, piped: false, span: module.span }
  const { parsed } = readCommand(grammar, invocation)
  if (parsed.flag('-h', '--help')) return true
  context.emit('execute', context.thing('program', `python -m ${name}`), { action: 'dev:module', certainty: 'likely', span: module.span })
  if (name === 'timeit') {
    for (const word of [...parsed.values('-s', '--setup'), ...parsed.operands]) context.code('python', word.text, word.span)
    return true
  }
  if (name === 'pdb') debuggerLines(parsed, context)
  const inner = parsed.value(...(name === 'trace' ? ['--module'] : ['-m']))
  const words = inner === null ? parsed.operands : [knownWord('-m', inner.span), inner, ...parsed.operands]
  if (words.length > 0) context.command([knownWord('python', module.span), ...words], 'python')
  return true
}
