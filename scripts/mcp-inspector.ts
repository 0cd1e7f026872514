/**
 * `npm run check:inspector`: the Inspector's command line asks the official reference server, directly and through `countersign mcp`,
 * over standard streams and over HTTP. Each answer has to be the same; a call that the policy denies has to come back as an error.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

/** Needs a newer Node than the oldest that we support, so npm fetches one. */
const INSPECTOR = ['exec', '--yes', '--package=node@24', '--package=@modelcontextprotocol/inspector@2.12.0', '--', 'mcp-inspector', '--cli']
const ROOT = join(import.meta.dirname, '..')
const CLI = join(ROOT, 'dist/cli/bin.js')
const SERVER = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)
const POLICY = `version: 1
unregistered: allow
rules:
  deny: [{ tool: "*/echo", when: 'args.message == "forbidden"', reason: not this }]
  allow: [{ tool: "*", when: "true", reason: fine }]
`

const QUESTIONS: readonly (readonly string[])[] = [
  ['--method', 'tools/list'],
  ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello'],
  ['--method', 'tools/call', '--tool-name', 'get-sum', '--tool-arg', 'a=2', 'b=3'],
  ['--method', 'resources/templates/list'],
  ['--method', 'prompts/list'],
  ['--method', 'prompts/get', '--prompt-name', 'simple-prompt'],
]
const DENIED = ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=forbidden']

interface Answer {
  readonly code: number | null
  readonly told: unknown
}

/** What the Inspector printed, as JSON where it is some. */
function asked(target: readonly string[], question: readonly string[], env: NodeJS.ProcessEnv): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', [...INSPECTOR, ...target, ...question], { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.once('error', reject)
    child.once('close', (code) => {
      try {
        resolve({ code, told: JSON.parse(said) })
      } catch {
        resolve({ code, told: said })
      }
    })
  })
}

/** The proxy over HTTP, once it listens. */
function listening(env: NodeJS.ProcessEnv): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [CLI, 'mcp', '--listen', '127.0.0.1:0', '--', process.execPath, SERVER], { env })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const url = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(said)?.[0]
      if (url !== undefined) resolve({ child, url })
    })
    child.once('exit', () => reject(new Error(`the proxy ended: ${said}`)))
  })
}

const home = mkdtempSync(join(tmpdir(), 'countersign-inspector-'))
const state = join(home, '.countersign')
mkdirSync(state)
writeFileSync(join(state, 'countersign.yaml'), POLICY)
const env = { ...process.env, HOME: home, COUNTERSIGN_HOME: state }
const http = await listening(env)
let differences = 0
try {
  const direct = [process.execPath, SERVER]
  const ways: readonly (readonly [string, readonly string[]])[] = [
    ['streams', [process.execPath, CLI, 'mcp', '--', ...direct]],
    ['HTTP', [http.url, '--transport', 'http']],
  ]
  for (const question of QUESTIONS) {
    const own = await asked(direct, question, env)
    if (own.code !== 0) throw new Error(`the server itself did not answer ${question.join(' ')}: ${String(own.told)}`)
    for (const [name, target] of ways) {
      const through = await asked(target, question, env)
      const same = isDeepStrictEqual(through, own)
      if (!same) differences++
      console.log(
        `${same ? 'same     ' : 'otherwise'} ${name.padEnd(7)} ${question.slice(1).join(' ')}${same ? '' : `: ${JSON.stringify(through.told).slice(0, 400)}`}`,
      )
    }
  }
  for (const [name, target] of ways) {
    const { told } = await asked(target, DENIED, env)
    const stopped = JSON.stringify(told).includes('"isError":true') && !JSON.stringify(told).includes(home)
    if (!stopped) differences++
    console.log(
      `${stopped ? 'stopped  ' : 'NOT      '} ${name.padEnd(7)} ${DENIED.slice(1).join(' ')}${stopped ? '' : `: ${JSON.stringify(told).slice(0, 400)}`}`,
    )
  }
} finally {
  http.child.kill()
  rmSync(home, { recursive: true, force: true })
}
console.log(differences === 0 ? 'the same through the proxy' : `${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1
