import type { Span } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import { readPath, writePath } from '../../resources/acts.ts'
import { doubt } from '../../resources/doubt.ts'
import { HOLE, holeShell, holeWord } from '../../resources/text/hole.ts'
import { readSed, type SedAct } from './script.ts'

/** What a sed script does besides editing text: files it reads and writes, commands it runs. */
export function analyseSed(script: string, span: Span, context: CommandContext): void {
  for (const act of readSed(script)) report(act, { span, context })
}

function report(act: SedAct, at: { readonly span: Span; readonly context: CommandContext }): void {
  const { span, context } = at
  switch (act.kind) {
    case 'read':
      readPath(context, holeWord(act.path, span), { span, certainty: 'likely' })
      return
    case 'write':
      writePath(context, holeWord(act.path, span), { span, action: 'text:write' })
      return
    case 'run':
      holeShell(act.line, 'sed', at)
      return
    case 'runLines':
      lines(at)
      return
    case 'runReplaced': {
      const line = replaced(act.pattern, act.replacement)
      if (line.replaceAll(HOLE, '').trim() === '') lines(at)
      else holeShell(line, 'sed', at)
      return
    }
    case 'refused':
      doubt(`\`${act.name}\` is no sed command`, at)
      return
    case 'unknown':
      context.opaque('a sed command is not known before it runs', span)
  }
}

/** Each line of what is edited is run. */
function lines({ span, context }: { readonly span: Span; readonly context: CommandContext }): void {
  context.shell(null, span, 'sed')
  context.stdin('shell')
}

/** The line after a substitution, holes where it keeps what was there. */
function replaced(pattern: string, replacement: string): string {
  const before = pattern.startsWith('^') || pattern.startsWith('.*') ? '' : HOLE
  const after = (pattern.endsWith('$') && !pattern.endsWith('\\$')) || pattern.endsWith('.*') ? '' : HOLE
  let line = ''
  for (let i = 0; i < replacement.length; i += 1) {
    const c = replacement[i] ?? ''
    if (c === '&') line += HOLE
    else if (c !== '\\') line += c
    else {
      i += 1
      line += escaped(replacement[i] ?? '')
    }
  }
  return before + line + after
}

function escaped(c: string): string {
  if (c >= '0' && c <= '9') return HOLE
  if (c === 'n') return '\n'
  if (c === 't') return '\t'
  return /[LUElu]/.test(c) ? '' : c
}
