/** Runs TypeScript programs as processes of their own, bundled once per test file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll } from 'vitest'

/** Within the project, so that packages are found. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/countersign-test/', import.meta.url))

/** Path of the program as one JavaScript file; removed after the tests of the file. */
export function bundled(program: URL): string {
  const path = fileURLToPath(program)
  const outfile = join(CACHE, `${process.pid}-${basename(path, '.ts')}.mjs`)
  mkdirSync(CACHE, { recursive: true })
  buildSync({ entryPoints: [path], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' })
  afterAll(() => rmSync(outfile, { force: true }))
  return outfile
}

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly lines: readonly string[]
  readonly errors: string
}

export interface Running {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
}

/** Starts a command and collects what it prints. */
export function start(command: string, args: readonly string[]): Running {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, lines: output.split('\n').slice(0, -1), errors }))
  })
  return { process: child, ended }
}
