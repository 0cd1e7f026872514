import type { CommandContext, CommandTable, ParsedCommand } from '../../host.ts'
import { fedFrom, joinWord, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { patchEffects } from '../../resources/text/patch.ts'
import { each, HELP, list, takes } from '../tool.ts'
import { patchFiles, patchFrom, patchIn } from './patch-files.ts'

/**
 * `apply_patch`, which Codex puts on the path of its shells: a patch as its argument or on standard input, whose headers name the
 * files. A host that gates its own `apply_patch` tool only sees a shell command here.
 */
const handed: CommandTable = each('apply_patch applypatch', {
  operands: ['data'],
  refine: ({ operands, invocation }, context) => {
    const { input } = invocation
    const text = operands[0] === undefined ? (input.kind === 'text' ? input.text : null) : operands[0].text
    if (text === null) {
      context.opaque('which files the patch touches is not known before it is read')
      return
    }
    const argument = { text, pointer: invocation.span.pointer }
    for (const { verb, target, ...options } of patchEffects(argument, { cwd: context.cwd, view: context.view })) {
      context.emit(verb, target, { ...options, span: invocation.span })
    }
  },
})

function patch(parsed: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = parsed
  if (parsed.value('-o', '--output') !== null) return
  const directory = parsed.value('-d', '--directory')
  const [file, from] = operands
  const fed = fedFrom(invocation)
  const many = file === undefined ? { many: true } : {}
  writePath(context, file ?? directory ?? wordOf('.', invocation.program), {
    action: 'text:edit',
    attributes: { ...many, ...(fed === null ? {} : { from: fed }) },
  })
  if (from !== undefined) readPath(context, from)
  if (file !== undefined) return
  const input = parsed.value('-i', '--input')
  const text = input === null ? patchFrom(invocation.input, context) : patchIn(input, context)
  const place = (name: string) => {
    const word = wordOf(name, invocation.program)
    return directory === null || name.startsWith('/') ? word : joinWord(`${directory.text ?? ''}/`, word)
  }
  if (text !== null && directory?.text !== null)
    patchFiles(text, context, { bare: true, plain: isPlain(parsed), strip: parsed.value('-p', '--strip')?.text ?? null, place })
}

/** Forwards, with every line as it stands. */
function isPlain(parsed: ParsedCommand): boolean {
  const other = parsed.flag('-R', '--reverse', '-e', '-c', '-n', '-l') || parsed.value('-F', '--fuzz', '-D') !== null
  return !other && parsed.unknown.length === 0
}

/** `patch` changes the files that its patch names, below where it stands or is told to stand. */
export const patching: CommandTable = {
  ...handed,
  patch: {
    flags: list('-R -N -E -f -b -s -u -c -e -n -t -l --reverse --forward --force --batch --verbose'),
    options: {
      ...takes('-p -F -B -Y -z -D -g -V -x --strip --fuzz --quoting-style --reject-format --read-only'),
      '-i': 'read',
      '--input': 'read',
      '-d': 'data',
      '--directory': 'data',
      '-o': 'write',
      '-r': 'write',
    },
    inert: [...HELP, '--dry-run', '-C', '--check'],
    refine: patch,
  },
}
