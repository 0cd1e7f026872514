/** Figures of rules in a terminal. */
import type { RuleFigures } from '../../approvals/effectiveness/rules.ts'
import { createApprovalQueue } from '../../approvals/queue.ts'
import type { JsonObject } from '../../core/json.ts'
import { stateDirectory } from '../../open.ts'
import { rulesOf } from '../../server/stats/rules.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { plainJson } from '../approvals-text.ts'
import { EXIT, print, visible } from '../terminal.ts'

/** `stats rules`: the rule that asked most first. */
export async function rules({ hours, json }: { readonly hours: number; readonly json?: boolean }): Promise<number> {
  const store = openStore({ directory: stateDirectory() })
  try {
    const queue = createApprovalQueue({ store, keys: () => loadKeys(stateDirectory()) })
    const found = await rulesOf({ store, queue }, { hours, now: store.now(), tenant: null })
    for (const figures of found) {
      if (json === true) print(plainJson(figures as unknown as JsonObject))
      else for (const text of linesOf(figures)) print(visible(text))
    }
    if (found.length === 0 && json !== true) print(`no rule denied or asked in the last ${hours} hours`)
    return EXIT.ok
  } finally {
    store.close()
  }
}

function linesOf({ rule, candidate, ...figures }: RuleFigures): readonly string[] {
  const { denied, asked, approved, refused, unanswered, waiting, overrides, fast, answer } = figures
  const counts: readonly (readonly [number, string])[] = [
    [denied, 'denied'],
    [asked, 'asked'],
    [approved, 'approved'],
    [refused, 'refused by people'],
    [unanswered, 'unanswered'],
    [waiting, 'waiting'],
    [overrides, 'by break-glass'],
    [fast, 'answered in under two seconds'],
  ]
  const told = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  const took = answer === null ? [] : [`half within ${seconds(answer.median)}, 9 of 10 within ${seconds(answer.p90)}`]
  return [`${rule}: ${[...told, ...took].join(', ')}`, ...(candidate === null ? [] : proposed(candidate))]
}

function proposed({ answers, grants }: NonNullable<RuleFigures['candidate']>): readonly string[] {
  if (grants.length === 0) return [`  people said yes all ${answers} times, and no grant could have answered: look at the rule`]
  return [
    `  people said yes all ${answers} times; a grant would have answered:`,
    ...grants.map((grant) => `    ${grant.answers} times  ${grant.command}`),
  ]
}

function seconds(milliseconds: number): string {
  return milliseconds < 60_000 ? `${Math.ceil(milliseconds / 1_000)} s` : `${Math.ceil(milliseconds / 60_000)} min`
}
