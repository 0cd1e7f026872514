/** The library, the command line and HTTP: the call as it is. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { appParts } from '../../../src/cli/app-parts.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { runs, type Verdict } from '../../../src/core/verdict.ts'
import type { HookParts } from '../../../src/hosts/answer.ts'
import { callFromJson } from '../../../src/ingress/call.ts'
import { digester, type OpenedGate } from '../../../src/open.ts'
import { createApp } from '../../../src/server/app.ts'
import { startDaemon } from '../../../src/server/daemon.ts'
import { askSocket } from '../../support/server.ts'
import { policyText } from '../corpus.ts'
import { decisionsOf, type Place } from '../place.ts'
import type { Bench, Heard, Sent } from '../seam.ts'

export interface Opened extends Bench {
  readonly close: () => Promise<void> | void
}

const toldBy = (decision: Verdict): Heard => (runs(decision) ? 'runs' : 'stopped')

/** As it stands on the command line and in the body of a request. */
export function callJson({ named, one, session }: Sent, { repo }: Place): JsonObject {
  return { tool: named.tool, server: named.server, args: named.args, principal: { role: one.role }, session, cwd: repo }
}

export function library(place: Place): Opened {
  const opened = place.open('library')
  return {
    ...benchOf(opened),
    send: async (sent) => {
      const read = callFromJson(callJson(sent, place), { digester })
      if (!read.ok) throw new Error(read.refusal.message)
      return toldBy((await opened.gate.decide(read.call)).decision)
    },
    close: opened.close,
  }
}

export const benchOf = (opened: OpenedGate): Pick<Bench, 'queue' | 'records'> => ({
  queue: opened.queue,
  records: (session) => decisionsOf(opened, session),
})

const PROGRAM = fileURLToPath(new URL('../../../bin/countersign', import.meta.url))

/** One process for all calls, which the built program runs in. People answer in this one, over the same state. */
export function commandLine(place: Place): Opened {
  const policy = `${place.state('policy')}/countersign.yaml`
  writeFileSync(policy, policyText())
  const env = { ...process.env, COUNTERSIGN_HOME: `${place.home}/.countersign`, COUNTERSIGN_DAEMON: 'off' }
  const child = spawn(PROGRAM, ['check', '--lines', '--policy', policy], { cwd: place.repo, env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const people = place.open('home/.countersign')
  let turn: Promise<unknown> = Promise.resolve()
  const answerTo = async (sent: Sent): Promise<Heard> => {
    child.stdin.write(`${JSON.stringify(callJson(sent, place))}\n`)
    const { value } = (await lines.next()) as { value?: string }
    return toldBy((JSON.parse(value ?? '') as { decision: Verdict }).decision)
  }
  return {
    ...benchOf(people),
    send: (sent) => {
      const told = turn.then(() => answerTo(sent))
      turn = told
      return told
    },
    close: async () => {
      people.close()
      await new Promise((resolve) => child.once('close', resolve).stdin.end())
    },
  }
}

export interface House {
  readonly opened: OpenedGate
  readonly hook: HookParts
  /** Of the daemon; null: none listens. */
  readonly socket: string | null
  readonly close: () => Promise<void>
}

/** The daemon on its private socket, or what it answers hooks with. */
export async function house(place: Place, name: string, listens: boolean): Promise<House> {
  const opened = place.open(name)
  const home = place.state(name)
  const state = () => ({ policy: place.policy, degraded: null })
  const parts = appParts(opened, { home, policy: state })
  const hook = { ...parts.hook, entrypoint: null }
  if (!listens) return { opened, hook, socket: null, close: async () => opened.close() }
  const app = createApp({
    ...parts,
    now: Date.now,
    channels: null,
    openLoopback: false,
    base: () => null,
  })
  const { socket, stop } = await startDaemon(app, { home, listen: null })
  return {
    opened,
    hook,
    socket,
    close: async () => {
      await stop()
      opened.close()
    },
  }
}

const STATUS: Readonly<Record<number, Heard>> = { 200: 'runs', 202: 'stopped', 403: 'stopped' }

export async function http(place: Place): Promise<Opened> {
  const { opened, socket, close } = await house(place, 'http', true)
  return {
    ...benchOf(opened),
    send: async (sent) => {
      const { status, body } = await askSocket<{ decision: Verdict }>(socket ?? '', '/v1/decisions', { body: callJson(sent, place) })
      return STATUS[status] === toldBy(body.decision) ? toldBy(body.decision) : 'unclear'
    },
    close,
  }
}
