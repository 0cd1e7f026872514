/**
 * The programs of docs/guide/frameworks and of docs/guide/library.md as a new user meets them: a fresh directory, the package as `npm pack` makes it, the frameworks from
 * npm, the two commands of the page. What is TypeScript holds under the settings that `tsc --init` writes, without a cast. What talks to a
 * model talks to a scripted one, which asks for `look` and then for `wipe`. `npm run test:guides`; names of pages as arguments try these alone.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { packageRoot } from '../../src/cli/version.ts'
import { type ScriptedModel, scriptedModel } from './scripted.ts'

const GUIDE = join(packageRoot(), 'docs', 'guide')
const RUN_MS = 120_000
/** What the model is told of a call that was denied. */
const REFUSED = /not allowed here/
const CASTS = /\bas (?!const\b)|<any>|: any\b|@ts-/

interface Program {
  readonly title: string
  readonly install: readonly string[]
  readonly run: string
  readonly file: string
  readonly text: string
  readonly prints: readonly string[]
}

/** The programs of a page: each stands below the two commands, and above what it prints. */
function programsOf(page: string, text: string): readonly Program[] {
  const form = /```console\n\$ npm install (.*)\n\$ (.*)\n```\n\n```(?:js|ts)\n(\/\/ (.*)\n[\s\S]*?)```\n\nIt prints ([\s\S]*?)\n\n/g
  return [...text.matchAll(form)].map(([, install = '', run = '', program = '', file = '', said = '']) => ({
    title: `${page}, ${file}`,
    install: install.split(' '),
    run,
    file,
    text: program,
    prints: [...said.replace(/`: [\s\S]*/, '`').matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
  }))
}

interface Ran {
  readonly printed: readonly string[]
  readonly trouble: string
}

/** As somebody types it: `npm init`, then the two commands. */
function tryProgram(program: Program, directory: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  npm(directory, 'init', '-y')
  npm(directory, 'install', ...program.install.map((each) => (each === 'countersign' ? archive : each)))
  writeFileSync(join(directory, program.file), program.text)
  const trouble = program.file.endsWith('.mts') ? typeTrouble(program, directory) : ''
  if (trouble !== '') return Promise.resolve({ printed: [], trouble })
  return runCommand(program.run, directory, env)
}

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync('npm', [...args, '--silent', '--no-audit', '--no-fund'], { cwd })
}

/** What a compiler as `tsc --init` sets it says of the program, and what the program keeps from the compiler. */
function typeTrouble({ text, file }: Program, directory: string): string {
  const cast = CASTS.exec(text)
  if (cast !== null) return `a cast: ${cast[0]}`
  const tsc = join(packageRoot(), 'node_modules', '.bin', 'tsc')
  execFileSync(tsc, ['--init'], { cwd: directory })
  const settings = join(directory, 'tsconfig.json')
  writeFileSync(settings, readFileSync(settings, 'utf8').replace(/\n\}\s*$/, `,\n  "files": ["${file}"]\n}\n`))
  const { status, stdout } = spawnSync(tsc, ['--noEmit'], { cwd: directory, encoding: 'utf8' })
  return status === 0 ? '' : stdout
}

/** Asynchronous: the scripted model answers meanwhile. */
async function runCommand(command: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn('/bin/sh', ['-c', command], { cwd, env: { ...env, PATH: process.env.PATH ?? '' }, timeout: RUN_MS })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [status] = (await once(child, 'close')) as [number | null]
  const printed = stdout.split('\n').filter((line) => line !== '')
  return { printed, trouble: status === 0 ? '' : `exit ${status}\n${stderr}` }
}

/** Where the programs find the model; the AI SDK's address ends with the version of the API. */
function environment(url: string, home: string, { install }: Program): Readonly<Record<string, string>> {
  const versioned = install.some((name) => name.startsWith('@ai-sdk/')) ? `${url}/v1` : url
  const keys = { ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' }
  return {
    HOME: home,
    ANTHROPIC_BASE_URL: versioned,
    OPENAI_BASE_URL: `${url}/v1`,
    ...keys,
    ENABLE_TOOL_SEARCH: 'false',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}

async function check(program: Program): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'cs-framework-'))
  const directory = join(home, 'work')
  mkdirSync(directory)
  const model = await scriptedModel(['look', 'wipe'], { name: 'notes' })
  try {
    const { printed, trouble } = await tryProgram(program, directory, environment(model.url, home, program))
    if (trouble !== '') return trouble
    if (printed.join('\n') !== program.prints.join('\n')) return `it prints\n${printed.join('\n')}\nand not\n${program.prints.join('\n')}`
    return program.text.includes('Look at the notes') ? toldOf(model) : ''
  } finally {
    model.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** The model asked for both, was told what came of the first, and why there is nothing of the second. */
function toldOf({ told }: ScriptedModel): string {
  const [look = '', wipe = ''] = told()
  if (!look.includes('looked at notes')) return 'the model was not told what the first tool returned'
  return REFUSED.test(wipe) ? '' : `the model was not told why the second did not run: ${wipe.slice(0, 2_000)}`
}

/** What is typed and printed in a terminal, as the page shows it; `…` stands for anything. */
async function checkTerminal(title: string, shown: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'cs-framework-'))
  const env = { HOME: home, PATH: process.env.PATH ?? '' }
  const servers: ChildProcess[] = []
  try {
    npm(home, 'init', '-y')
    for (const [, command = '', expected = ''] of shown.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      if (command.endsWith(' &')) {
        const server = spawn('/bin/sh', ['-c', `exec ${command.slice(0, -2)}`], {
          cwd: home,
          env,
          stdio: ['ignore', 'ignore', 'pipe'],
          detached: true,
        })
        servers.push(server)
        // It says where it answers; one that ends says nothing more.
        await Promise.race([server.stderr === null ? null : once(server.stderr, 'data'), once(server, 'close')])
      } else if (command.startsWith('npm install ')) npm(home, 'install', archive)
      else {
        const { printed, trouble } = await runCommand(command, home, env)
        const lines = expected.split('\n').filter((line) => line !== '')
        const alike = lines.length === printed.length && lines.every((line, at) => matches(printed[at] ?? '', line))
        if (trouble !== '' || !alike) return `${command}: ${trouble}${printed.join('\n')}`
      }
    }
    return shown === '' ? `${title} shows no commands` : ''
  } finally {
    for (const { pid } of servers) if (pid !== undefined) spawnSync('kill', ['--', `-${pid}`])
    rmSync(home, { recursive: true, force: true })
  }
}

function matches(printed: string, shown: string): boolean {
  return shown.endsWith('…') ? printed.startsWith(shown.slice(0, -1)) : printed === shown
}

function say(title: string, wrong: string): void {
  console.log(wrong === '' ? `ok   ${title}` : `FAIL ${title}: ${wrong}`)
  if (wrong !== '') process.exitCode = 1
}

/** The same program with version 6 of the AI SDK, by what its page says of that version. */
function versionSix(program: Program): Program {
  const install = program.install.map((each) => each.replace('ai@7', 'ai@6').replace(/(@ai-sdk\/.*)@4/, '$1@3'))
  return { ...program, title: `${program.title}, version 6`, install, text: program.text.replace('toolApproval: gateApproval(gate), ', '') }
}

const pack = mkdtempSync(join(tmpdir(), 'cs-pack-'))
execFileSync('npm', ['pack', '--silent', '--pack-destination', pack], { cwd: packageRoot() })
const archive = join(pack, readdirSync(pack)[0] ?? '')
const only = process.argv.slice(2)
try {
  for (const page of ['library.md', ...readdirSync(join(GUIDE, 'frameworks')).map((file) => join('frameworks', file))]) {
    if (only.length > 0 && !only.includes(basename(page))) continue
    const text = readFileSync(join(GUIDE, page), 'utf8')
    const programs = programsOf(page, text)
    const shown = [...text.matchAll(/^```(?:js|ts)$/gm)].length
    if (shown !== programs.length)
      say(page, `${shown} programs, of which ${programs.length} stand below two commands and above what they print`)
    if (programs.length === 0) say(page, await checkTerminal(page, /```console\n([\s\S]*?)```/.exec(text)?.[1] ?? ''))
    for (const program of programs) {
      say(program.title, await check(program))
      if (program.install.includes('ai@7')) say(`${program.title}, version 6`, await check(versionSix(program)))
    }
  }
} finally {
  rmSync(pack, { recursive: true, force: true })
}
