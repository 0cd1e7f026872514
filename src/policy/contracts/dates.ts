/** Dates of contracts: ISO 8601 days and instants, and durations. Nothing is guessed: what is written otherwise is no date. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/
const DURATION = /^(\d{1,9})(ms|s|m|h|d|w)$/

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
])

/** Milliseconds since the epoch; a day is its first instant, and a time without a zone is UTC. Undefined for anything else. */
export function readDate(text: string): number | undefined {
  if (text.length > 40) return undefined
  const match = INSTANT.exec(text)
  if (match === null) return readDay(text)
  const [, day = '', hours = '', minutes = '', seconds = '00', fraction = '', zone = 'Z'] = match
  const start = readDay(day)
  if (start === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const within = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000 + Math.trunc(Number(`0${fraction}`) * 1_000)
  return start + within - offset(zone)
}

/** True for `2026-07-01`, and not for the 31st of June. */
export function isDay(text: string): boolean {
  return readDay(text) !== undefined
}

/** True for an instant that names its zone, as RFC 3339 asks. */
export function isInstant(text: string): boolean {
  const match = text.length > 40 ? null : INSTANT.exec(text)
  return match !== null && match[4] !== undefined && match[6] !== undefined && readDate(text) !== undefined
}

function readDay(text: string): number | undefined {
  const match = DAY.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

function offset(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

/** Milliseconds of `30d`, `12h`, `15m`, `90s`, `2w`; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const match = DURATION.exec(text)
  const unit = match === null ? undefined : UNITS.get(match[2] ?? '')
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit
}
