/** Ordinary work of a role, for tests: the same few things, each session a little otherwise. */
import type { Term, Unit } from '../core/behaviour.ts'
import { emptyModel, type Learning, learnDay, type RoleModel, type SessionLesson } from './model.ts'

export const BY: Learning = { warmUp: 20, quarantineDays: 14 }

export function term(unit: Unit, context: string, value: string): Term {
  return { unit, context, value }
}

const TOOLS = ['read_mail', 'search', 'send_mail', 'list_files', 'pay_invoice']

/** What session number `n` does. */
export function ordinary(n: number): SessionLesson {
  const tools = TOOLS.filter((_, at) => (n + at) % 3 !== 0)
  const terms = tools.flatMap((tool, at) => [
    term('tool', '', tool),
    term('effect', tool, `${tool} resource unknown`),
    term('host', 'send', n % 7 === 0 ? 'partner.example' : 'own.example'),
    term('source', `${tool}#to`, n % 5 === 0 ? 'structured search.email' : 'user'),
    term('request', tool, n % 4 === 0 ? 'verb' : 'full'),
    term('volume', `${tool}#size`, String(5 + ((n + at) % 3))),
  ])
  return { terms, flagged: [] }
}

export const ODD: readonly Term[] = [
  term('tool', '', 'export_all'),
  term('effect', 'export_all', 'send host public'),
  term('host', 'send', 'drop.example'),
  term('source', 'send_mail#to', 'text read_mail.body'),
]

export const SESSIONS_A_DAY = 20

/** A role after so many days of ordinary work. */
export function known(days: number): RoleModel {
  const model = emptyModel()
  for (let day = 0; day < days; day += 1) learnDay(model, day, { lessons: sessionsOf(day), by: BY })
  return model
}

export function sessionsOf(day: number): readonly SessionLesson[] {
  return Array.from({ length: SESSIONS_A_DAY }, (_, at) => ordinary(day * SESSIONS_A_DAY + at))
}
