/** A host from what is its own: where its hook stands, how its events read, how its answers look. All else is the same for every host. */

import { join } from 'node:path'
import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import { runs } from '../core/verdict.ts'
import { stateDirectory } from '../view/state-directory.ts'
import type { Check, HostAbout, HostAdapter, Installation, ResultEvent, Scope } from './adapter.ts'
import { InstallError, secondsFor } from './adapter.ts'
import { parserOf, type ReadEvent } from './event.ts'
import { type Agent, type Entry, installChanges, type Places, textOf, uninstallChanges } from './install.ts'
import { type Heard, type Proposal, probeHost } from './probe.ts'
import { flagLine, questionText, refusalText, stopText } from './said.ts'

/** The host's answers, each a whole JSON object. */
export interface Answers {
  readonly none: JsonObject
  readonly deny: (reason: string) => JsonObject
  /** The host's own prompt. Absent: it has none that can be relied on. */
  readonly ask?: (question: string) => JsonObject
  /** A denial after which the session ends. Absent: the host ends none. */
  readonly halt?: (reason: string, why: string) => JsonObject
  /** What shows the person a line. Absent: there is no place for one. */
  readonly line?: (line: string) => JsonObject
  /** What tells the model something of a result. Absent: it is told nothing. */
  readonly note?: (note: string, event?: ResultEvent) => JsonObject
}

export interface HostSpec {
  readonly name: string
  readonly about: HostAbout
  readonly read: ReadEvent
  readonly answers: Answers
  /** Whether the host hears exit codes alone; answers are then of the form of `refused`. */
  readonly hears?: 'answer' | 'exit'
  readonly callIds?: HostAdapter['callIds']
  /** The files that hold the hook, by scope; the hook of managed settings stands below `directory`. */
  readonly entries: (scope: Scope) => readonly Entry[]
  /** Directory of root that the managed script stands in. Absent: there is no managed scope. */
  readonly managed?: string
  /** A proposed call in the host's own form, as a canary. */
  readonly proposal: (proposal: Proposal) => JsonObject
  /** Variables that the host says the rest of a call by. Absent: none. */
  readonly surroundings?: (proposal: Proposal) => Readonly<Record<string, string>>
  /** What an answer says of the call. */
  readonly heard: (answer: JsonObject) => Heard
  /** What here switches hooks off or weakens them. Absent: nothing is known. */
  readonly weak?: () => readonly Check[]
  readonly advice?: readonly string[]
  readonly afterInstall?: HostAdapter['afterInstall']
}

export function hostOf(spec: HostSpec): HostAdapter {
  const { name, about, answers } = spec
  const agent: Agent = {
    agent: name,
    title: about.title,
    entrypoint: null,
    seconds: secondsFor(about),
    ...(about.variables === undefined ? {} : { variables: about.variables }),
    wire: { denial: spec.hears === 'exit' ? '' : JSON.stringify(answers.deny(FAILED)), hears: spec.hears ?? 'answer' },
  }
  const places = (scope: Scope): Places => placesOf(spec, scope)
  return {
    name,
    about,
    entrypointVariable: null,
    rewrites: false,
    ...(spec.callIds === undefined ? {} : { callIds: spec.callIds }),
    parse: parserOf(name, spec.read, about),
    reply: (decision, headless) => replyOf(answers, decision, headless),
    noted: (note, event) => (note === null ? answers.none : (answers.note?.(note, event) ?? answers.none)),
    noOpinion: answers.none,
    told: (answer, line) => ({ ...answer, ...(answers.line?.(line) ?? {}) }),
    denial: (reason) => answers.deny(reason),
    settingsPath: ({ scope }) => places(scope).entries[0]?.path ?? '',
    install: ({ scope, ...program }) => installChanges(places(scope), agent, program),
    uninstall: ({ scope }) => uninstallChanges(places(scope)),
    installed: () => about.scopes.some((scope) => spec.entries(scope).some(isInstalled)),
    advice: (_: Installation) => [...(spec.advice ?? []), ...about.escapes.map((each) => `The gate does not see ${each}.`)],
    probe: (probe) => about.scopes.flatMap((scope) => probeHost({ ...spec, agent, scope, places: places(scope) }, probe)),
    ...(spec.surroundings === undefined ? { exercise: { propose: spec.proposal, heard: spec.heard } } : {}),
    ...(spec.afterInstall === undefined ? {} : { afterInstall: spec.afterInstall }),
  }
}

/** What the host is told where the hook itself fails; the exact reason stands on standard error. */
const FAILED = 'Countersign: the hook of the gate failed, so the call was refused; run `countersign doctor`.'

function placesOf({ name, about, entries, managed }: HostSpec, scope: Scope): Places {
  if (!about.scopes.includes(scope) || (scope === 'managed' && managed === undefined))
    throw new InstallError(`${about.title} has no ${scope} settings for hooks; valid: ${about.scopes.join(', ')}`)
  if (scope === 'managed')
    return { entries: entries(scope), script: join(managed ?? '', 'countersign', `${name}-hook`), policy: null, home: null }
  const home = stateDirectory()
  return { entries: entries(scope), script: join(home, 'bin', `${name}-hook`), policy: join(home, 'countersign.yaml'), home }
}

export function isInstalled(entry: Entry): boolean {
  const text = textOf(entry.path)
  try {
    return text !== null && entry.command(text) !== null
  } catch {
    return false
  }
}

/** A question is the host's own prompt where it has one and a person sits there, else a denial; never anything that runs. */
function replyOf(answers: Answers, decision: Decision, headless: boolean): JsonObject {
  if (runs(decision.decision)) return passed(answers, decision)
  const refusal = refusalText(decision)
  if (decision.decision === 'ask' && !headless && answers.ask !== undefined) return answers.ask(questionText(decision))
  if (decision.decision === 'halt' && answers.halt !== undefined) return answers.halt(refusal, stopText(decision))
  return answers.deny(refusal)
}

function passed(answers: Answers, decision: Decision): JsonObject {
  const line = decision.decision === 'flag' || decision.would !== decision.decision ? flagLine(decision) : null
  return line === null || answers.line === undefined ? answers.none : { ...answers.none, ...answers.line(line) }
}
