import { analyseShell } from '../../src/facts/bash/index.ts'
import type { Effect } from '../../src/facts/effect.ts'
import { languages } from '../../src/facts/languages/index.ts'
import { createFixedView } from '../../src/view/fixed.ts'

/** For tests: what a shell command line would do in a small fixed world, as effects and as one line of text per effect. */

const FILES: Readonly<Record<string, string>> = {
  '/repo/src/a.ts': 'export {}\n',
  '/repo/dump.sql': 'DROP TABLE orders;\n',
  '/repo/run.sh': 'echo hi\n',
  '/home/me/.ssh/config': 'Host x\n',
  '/etc/cron.d/x': '\n',
}

/** Effects of a command line run in `/repo` by the user `me`. */
export function effectsOf(line: string): readonly Effect[] {
  const view = createFixedView({ home: '/home/me', cwd: '/repo', files: FILES })
  return analyseShell(line, { pointer: '/command', view, languages, cwd: '/repo' }).effects
}

/**
 * An effect as `verb action target`, then `!` where it cannot be undone, `?` where it is only possible or likely, and its
 * attributes: the name alone where true, else `name=value`.
 */
export function lineOf(effect: Effect): string {
  const attributes = Object.entries(effect.attributes).flatMap(([name, value]) => {
    if (value === null || value === false) return []
    return [value === true ? name : `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`]
  })
  const marks = [...(effect.reversible || effect.verb === 'opaque' ? [] : ['!']), ...(effect.certainty === 'certain' ? [] : ['?'])]
  const target = effect.verb === 'opaque' ? (effect.reason ?? '') : effect.target.value
  return [effect.verb, effect.action ?? '-', target, ...marks, ...attributes].join(' ')
}

/** The effects of a command line, one text line each. */
export function told(line: string): readonly string[] {
  return effectsOf(line).map(lineOf)
}
