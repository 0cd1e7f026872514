import { isStream, readPath, wordOf, writePath } from './acts.ts'
import { readCommand } from './options.ts'
import type { CommandContext, CommandSpec, Invocation, ParsedCommand, Word } from './spec.ts'

/** Modules that come with Python and pack or unpack files: `python -m zipfile`, `tarfile`, `gzip`. */

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

/** Tells what such a module does with the words after it; false where it is none of them. */
export function packingModule(module: Word, args: readonly Word[], context: CommandContext): boolean {
  const name = module.text
  if (name !== 'zipfile' && name !== 'tarfile' && name !== 'gzip') return false
  const invocation: Invocation = { name, program: module, args, env: new Map(), input: { kind: 'none' }, piped: false, span: module.span }
  const { parsed } = readCommand(name === 'gzip' ? GZIP : ARCHIVER, invocation)
  if (parsed.flag('-h', '--help')) return true
  if (name === 'gzip') gzip(parsed, context)
  else archiver(parsed, context)
  return true
}
