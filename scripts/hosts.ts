/**
 * Drives each client that installs from npm, headless, on a scripted model, with our hook as `init` installs it in a fresh home: marker
 * files say what ran. `npm run test:hosts [client…]`; `--write` puts the table into the guide. Not a part of the suite: it fetches
 * clients of hundreds of megabytes, and takes minutes.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOSTS } from '../src/hosts/all.ts'
import { hostNamed } from '../src/hosts/index.ts'
import { CASES, type Case, type Outcome, outcomes } from './hosts/cases.ts'
import { CLIENTS, type Client } from './hosts/clients.ts'
import { CACHE, installed } from './hosts/installed.ts'
import { markedText } from './marked.ts'

const GUIDE = 'docs/guide/hosts.md'
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = CLIENTS.filter((client) => wanted.length === 0 || wanted.includes(labelOf(client)))
const seen = new Map<string, Map<Case, Outcome>>()
const inside = process.argv.includes('--inside')

for (const client of chosen) {
  if (client.as === 'managed' && !inside) {
    if (!insidePrivateEtc(client)) process.exitCode = 1
    continue
  }
  const host = hostNamed(client.host)
  const program = installed(client, client.host)
  if (host === undefined || program === null) {
    console.error(`${client.host}: cannot be installed`)
    process.exitCode = 1
    continue
  }
  const found = new Map<Case, Outcome>()
  seen.set(labelOf(client), found)
  for await (const [name, outcome] of outcomes(client, program, host)) {
    found.set(name, outcome)
    const good = isRight(client, name, outcome)
    console.log(`${good ? 'ok  ' : 'FAIL'} ${labelOf(client)} ${client.version}, ${name}: ${cell(outcome)}`)
    if (good) continue
    process.exitCode = 1
    console.log(outcome.said.replaceAll(/^/gm, '       '))
  }
}
// The table is of the last run of each client in this version.
for (const client of CLIENTS) {
  const found = seen.get(labelOf(client))
  if (found !== undefined) writeFileSync(outcomesOf(client), JSON.stringify({ version: client.version, found: [...found] }))
}
if (process.argv.includes('--write')) writeFileSync(GUIDE, markedText(readFileSync(GUIDE, 'utf8'), 'matrix', matrix()))

/** What the client is called here, with the way in which our hook comes to it. */
function labelOf({ host, as }: Client): string {
  return as === undefined ? host : `${host} ${as}`
}

/** Settings of the machine are written only where nobody else sees them: this script again, below an `/etc` of its own. */
function insidePrivateEtc(client: Client): boolean {
  const own = mkdtempSync(join(tmpdir(), 'cs-etc-'))
  const mount = `mount -t tmpfs none ${own} && mkdir ${own}/up ${own}/work && mount -t overlay none -o lowerdir=/etc,upperdir=${own}/up,workdir=${own}/work /etc`
  const again = [process.execPath, ...process.execArgv, process.argv[1] ?? '', '--inside', labelOf(client)]
  const { status } = spawnSync('unshare', ['-m', 'sh', '-c', `${mount} && exec "$@"`, 'sh', ...again], { stdio: 'inherit' })
  rmdirSync(own)
  return status === 0
}

/** What has to be: only what was allowed or approved runs, and each refusal is heard. */
function isRight({ endsOnDenial = false }: Client, name: Case, { ran, heard }: Outcome): boolean {
  return name === 'allow' || name === 'approved' ? ran : !ran && (heard || endsOnDenial)
}

function cell({ ran, heard }: Outcome): string {
  return ran ? 'ran' : heard ? 'stopped, the model was told' : 'stopped'
}

function outcomesOf(client: Client): string {
  return join(CACHE, client.host, client.as === undefined ? 'outcomes.json' : `outcomes-${client.as}.json`)
}

/** What the last run of the client found; null where this version was never run here. */
function lastOf(client: Client): ReadonlyMap<Case, Outcome> | null {
  if (!existsSync(outcomesOf(client))) return null
  const { version, found } = JSON.parse(readFileSync(outcomesOf(client), 'utf8')) as { version: string; found: [Case, Outcome][] }
  return version === client.version ? new Map(found) : null
}

function matrix(): string {
  const head = ['client', ...CASES]
  const rows = CLIENTS.flatMap((client) => {
    const last = lastOf(client)
    const name = `${titleOf(client)} ${client.version}${client.as === undefined ? '' : `, ${client.as}`}`
    return last === null ? [] : [[name, ...CASES.map((each) => inShort(last.get(each)))]]
  })
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function titleOf({ host }: Client): string {
  return HOSTS.find(({ name }) => name === host)?.about.title ?? host
}

function inShort(outcome: Outcome | undefined): string {
  return outcome === undefined ? '–' : outcome.ran ? 'ran' : outcome.heard ? 'stopped' : 'stopped, not told'
}
