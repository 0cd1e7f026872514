/** A real second user of this machine: what it does, it does as another uid, without groups. Needs root to become one. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** `nobody` on most systems; no user needs to exist for a uid to be another one. */
export const OTHER = 65_534

/** Only root can become somebody else. */
export function canBecomeOthers(): boolean {
  return process.getuid?.() === 0
}

/**
 * Runs the body of an async function as the other user, with `input` in scope, and gives what it returned. The process starts as
 * root, as the program may lie where only root can start it, and gives up everything before the first line of the body.
 */
export async function asOther<T>(body: string, input: object = {}): Promise<T> {
  const program = `
    const http = require('node:http'), net = require('node:net'), fs = require('node:fs')
    process.setgroups([]); process.setgid(${OTHER}); process.setuid(${OTHER})
    if (process.getuid() !== ${OTHER}) throw new Error('still root')
    const input = JSON.parse(process.argv[1])
    const post = async (url, body, token) => {
      const headers = { 'content-type': 'application/json', ...(token ? { authorization: 'Bearer ' + token } : {}) }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: answer.status, text: await answer.text() }
    }
    ;(async () => { ${body} })().then((value) => console.log(JSON.stringify(value ?? null)), (error) => { console.error(error); process.exit(1) })`
  const { stdout } = await run(process.execPath, ['-e', program, JSON.stringify(input)], { cwd: '/', timeout: 180_000 })
  return JSON.parse(stdout) as T
}

const run = promisify(execFile)
