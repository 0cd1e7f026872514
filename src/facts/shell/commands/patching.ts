import { patchEffects } from '../../tools/patch.ts'
import type { CommandTable } from '../spec.ts'
import { each } from './tool.ts'

/**
 * `apply_patch`, which Codex puts on the path of its shells: a patch as its argument or on standard input, whose headers name the
 * files. A host that gates its own `apply_patch` tool only sees a shell command here.
 */
export const patching: CommandTable = each('apply_patch applypatch', {
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
