/** A View that answers from what an earlier decision recorded: exact replay. A question that was not asked then throws. */
import type { ViewAnswer } from '../core/decision.ts'
import type {
  CommittedAnswer,
  DaemonProcess,
  FileAnswer,
  GitAnswer,
  PathAnswer,
  ProcessChoice,
  ProcessesAnswer,
  View,
} from '../facts/view.ts'
import { bounded, editing, type Question } from './memory.ts'

/** The standing facts of the recorded View, which are no answers to questions. */
export interface RecordedPlace {
  readonly home: string
  readonly user: string | null
  readonly cwd: string | null
  readonly roots: readonly string[]
  readonly temporary: readonly string[]
  readonly gate: readonly string[]
  readonly programs?: readonly string[] | undefined
  readonly daemon?: DaemonProcess | null | undefined
}

/** Thrown where a replay asks what the recorded decision did not ask: the analysis has changed since. */
export class UnrecordedQuestion extends Error {
  override readonly name = 'UnrecordedQuestion'
}

/** A View over recorded answers; asking anything else throws `UnrecordedQuestion`. */
export function createRecordedView(place: RecordedPlace, recorded: readonly ViewAnswer[]): View {
  const answers = new Map(recorded.map((answer) => [`${answer.question}\0${answer.subject}`, answer]))
  const asked = new Map<string, ViewAnswer>()
  const answer = <T>(question: Question, subject: string): T => {
    const found = answers.get(`${question}\0${subject}`)
    if (found === undefined) {
      throw new UnrecordedQuestion(`the recording has no ${question} of \`${subject}\`; record the call again, or replay it on a real view`)
    }
    asked.set(`${question}\0${subject}`, found)
    return found.answer as T
  }
  const { programs = [], daemon = null, ...standing } = place
  return {
    ...standing,
    programs,
    daemon,
    realpath: (path) => answer<PathAnswer>('realpath', path),
    read: (path, limit) => answer<FileAnswer | null>('read', bounded(path, limit)),
    env: (name) => answer<string | null>('env', name),
    list: (path, limit) => answer<readonly string[] | null>('list', bounded(path, limit)),
    git: (path) => answer<GitAnswer | null>('git', path),
    committed: (path, edit) => answer<CommittedAnswer | null>('committed', editing(path, edit)),
    identity: (path) => answer<string | null>('identity', path),
    ...(recorded.some(({ question }) => question === 'hosts')
      ? { hosts: (name: string) => answer<readonly string[] | null>('hosts', name) }
      : {}),
    ...(recorded.some(({ question }) => question === 'processes')
      ? { processes: (pattern: string, by: ProcessChoice) => answer<ProcessesAnswer | null>('processes', `${by}:${pattern}`) }
      : {}),
    answers: () => [...asked.values()],
  }
}

/** What was seen then; what was not looked at then is looked at in `now`. */
export function recordedFirst(now: View, recorded: readonly ViewAnswer[]): View {
  const then = createRecordedView(now, recorded)
  const first = <T>(ask: (view: View) => T): T => {
    try {
      return ask(then)
    } catch (error) {
      if (error instanceof UnrecordedQuestion) return ask(now)
      throw error
    }
  }
  const hosts = then.hosts ?? now.hosts
  const processes = then.processes ?? now.processes
  return {
    ...now,
    realpath: (path) => first((view) => view.realpath(path)),
    read: (path, limit) => first((view) => view.read(path, limit)),
    env: (name) => first((view) => view.env(name)),
    list: (path, limit) => first((view) => view.list(path, limit)),
    git: (path) => first((view) => view.git(path)),
    committed: (path, edit) => first((view) => view.committed(path, edit)),
    identity: (path) => first((view) => view.identity(path)),
    ...(hosts === undefined ? {} : { hosts: (name) => first((view) => view.hosts?.(name) ?? null) }),
    ...(processes === undefined ? {} : { processes: (pattern, by) => first((view) => view.processes?.(pattern, by) ?? null) }),
  }
}
