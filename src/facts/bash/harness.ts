import { createFixedView, type World } from '../../view/fixed.ts'
import { type Effect, resolvedName } from '../effect.ts'
import { languages } from '../languages/index.ts'
import { analyseShell, type ShellFacts } from './index.ts'

/** For tests of the walker: commands analysed with the real tables in a described world, effects as one line each. */

const WORLD: World = { home: '/home/me', user: 'me', cwd: '/repo', digest: (text) => `sha256:${text.length}` }

export function facts(text: string, world: Partial<World> = {}): ShellFacts {
  const described = { ...WORLD, ...world }
  return analyseShell(text, { pointer: '/command', view: createFixedView(described), languages, cwd: described.cwd ?? null })
}

/** `delete /etc`, `publish git:push origin`, `possible …`; kernel-true paths where known. */
export function line(item: Effect): string {
  const { target } = item
  const value = target.kind === 'path' || target.kind === 'script' ? resolvedName(target) : target.value
  const certainty = item.certainty === 'certain' || item.verb === 'opaque' ? '' : `${item.certainty} `
  const what = item.verb === 'opaque' ? (item.reason ?? '') : value
  return `${certainty}${item.verb} ${item.action === null ? '' : `${item.action} `}${what}`.trim()
}

export function lines(text: string, world: Partial<World> = {}): readonly string[] {
  return facts(text, world).effects.map(line)
}

/** Every command that would run, as `sudo>rm -rf x`; `?` for a word that is not known. */
export function commands(text: string, world: Partial<World> = {}): readonly string[] {
  return facts(text, world).commands.map((fact) => {
    const words = [fact.program ?? '?', ...fact.argv.slice(1).map((word) => word ?? '?')]
    return [...fact.wrappers, words.join(' ')].join('>')
  })
}

/** Actions and opaque reasons only. */
export function actions(text: string, world: Partial<World> = {}): readonly string[] {
  return facts(text, world).effects.flatMap((item) => (item.action === null ? [] : [item.action]))
}
