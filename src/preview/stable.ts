/** Texts without the time at which they were made, so that the same command tried out twice leaves the same. Pure. */

const CLOCK = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g
const WORDS = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [A-Za-z0-9 ]{3,7} \d\d:\d\d:\d\d(?: [AP]M)?(?: [A-Z]{1,5})?(?: \d{4})?/g
const SINCE_1970 = /\b1\d{9}(?:\d{3}|\d{6}|\d{9})?(?:\.\d{1,9})?\b/g
const DAY_SECONDS = 86_400
/** As programs put it into names: `20261128T211406`, `2026-11-28_21-14-06`. */
const IN_NAMES = /(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)[-_T ]?([0-2]\d)[-_]?([0-5]\d)[-_]?([0-5]\d)(?!\d)/g

/** So too a name that is made anew each time, as of a copy of what is replaced. */
export function nameWithoutTimes(path: string, now: number): string {
  const near = (found: string, ...parts: readonly string[]): string => {
    const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = parts
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return Math.abs(time - now) < DAY_SECONDS * 1_000 ? '<time>' : found
  }
  return withoutTimes(path.replace(IN_NAMES, near), now)
}

/** Only times within a day of `now` (milliseconds since the epoch) are taken out: every other one is content. */
export function withoutTimes(text: string, now: number): string {
  const near = (seconds: number): boolean => Math.abs(seconds - now / 1_000) < DAY_SECONDS
  const clock = (found: string): string => (near(Date.parse(found.replace(',', '.')) / 1_000) ? '<time>' : found)
  return text
    .replace(CLOCK, clock)
    .replace(WORDS, clock)
    .replace(SINCE_1970, (found) => (near(Number(found.slice(0, 10))) ? '<time>' : found))
}

/**
 * What `ansible-playbook` says of a play, so that the same play says the same: without the names of its temporary files, and with what hosts
 * answered to a task in the order of their names, not of their answers.
 */
export function stablePlay(output: string): string {
  const text = output.replace(/\bansible-local-\w{1,40}\/tmp\w{1,40}/g, 'ansible-local/tmp')
  const stable: string[] = []
  let [answers, lines]: [string[], string[]] = [[], []]
  const endTask = (): void => {
    stable.push(...answers.toSorted(), ...lines)
    ;[answers, lines] = [[], []]
  }
  for (const line of text.split('\n')) {
    if (line.startsWith('TASK [')) endTask()
    lines.push(line)
    if (line.startsWith('TASK [')) endTask()
    else if (ANSWERED.test(line)) {
      answers.push(lines.join('\n'))
      lines = []
    }
  }
  endTask()
  return stable.join('\n')
}

const ANSWERED = /^[a-z]{1,20}: \[/
