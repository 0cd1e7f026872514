/** A workspace in which several sessions work and calls really run, with the way back of each of them as the command line and the console take it. */
import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { openGate } from '../../src/open.ts'
import { laterIn } from '../../src/open-later.ts'
import { landResult } from '../../src/open-results.ts'
import { type Found, type Plan, planOf, takeBack, undoable, undoPartsOf } from '../../src/open-taking-back.ts'
import { recordsOf } from '../../src/server/log.ts'
import type { RecordQuery } from '../../src/store/store.ts'
import { bash } from './calls.ts'
import { temporaryDirectory } from './records.ts'
import { policyOf } from './workplace.ts'

const FREE = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\nundo: { require_way_back: false }\n'

const IDENTITY = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@a', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@a' }

/** `place`: where home and work are made, on one file system. Files below `/dev` are no files to the way back of a file. */
export function sharedWorkspace(text = FREE, place: () => string = temporaryDirectory) {
  const home = place()
  const work = realpathSync(place())
  let policy = policyOf(text)
  const opened = openGate({ home, policy: () => ({ policy, degraded: null }) })
  const { gate, queue, store, close } = opened
  onTestFinished(() => close())
  const log = { read: (query: RecordQuery) => recordsOf(store, query) }
  const sh = (command: string): string =>
    execFileSync('/bin/bash', ['-c', command], {
      cwd: work,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, ...IDENTITY, GIT_CONFIG_GLOBAL: '/dev/null' },
    })
  /** The record of a call that the gate let run and that ran. `told`: its result came, too. */
  const ran = async (command: string, { session = 's-1', told = true } = {}): Promise<string> => {
    const call = bash(command, { cwd: work, session, callId: `call-${Math.random()}` })
    const { decision, reason } = await gate.decide(call)
    if (decision !== 'allow' && decision !== 'flag') throw new Error(`${decision}: ${reason}`)
    const [record] = [...log.read({ kind: 'decision', newestFirst: true, limit: 1 })]
    const response = sh(command)
    if (told) await landResult(opened, { call, response }).kept
    // Whatever a test does next comes more than a tick of the files' clock after the result.
    await setTimeout(40)
    return record?.id ?? ''
  }
  const parts = () => undoPartsOf(home, policy, () => null)
  const foundOf = (id: string): Found => {
    const [record] = [...log.read({ newestFirst: true })].filter((each) => each.id === id)
    if (record === undefined) throw new Error('no such record')
    const { decision, undo } = record.body as { decision?: { undo?: Found['note'] }; undo?: Found['note'] }
    return { record, note: decision?.undo ?? undo ?? {} }
  }
  const plan = (id: string): Promise<Plan> => planOf(foundOf(id), parts(), laterIn(log, parts().store))
  /** What is said of it before anybody agrees. */
  const said = async (id: string): Promise<string> =>
    (await plan(id)).steps.flatMap(({ lines, cannot, problem }) => [...lines, cannot, problem ?? '']).join('\n')
  const back = async (id: string) => {
    const agree = async (approval: string) => void (await queue.answer(approval, { tenant: null, by: 'human:alice', verdict: 'approve' }))
    const taken = await takeBack(await plan(id), {
      decide: gate.decide,
      agree,
      log: store,
      parts: parts(),
      keepMs: 60_000,
      by: 'human:alice',
    })
    if (taken.refused !== null) throw new Error(taken.refused)
    return taken
  }
  const list = (session?: string): readonly string[] =>
    undoable(log, { tenant: null, ...(session === undefined ? {} : { session }) }).map(({ record }) => record.id)
  const become = (next: string): void => {
    policy = policyOf(next)
  }
  return { home, work, sh, ran, said, back, list, become, plan, log, foundOf }
}
