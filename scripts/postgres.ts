/**
 * Finds the programs of a PostgreSQL server and runs one in a folder of its own for tests; `tsx scripts/postgres.ts` installs
 * Debian's where there is none and apt may. POSTGRES_BIN names a folder with `initdb` and `postgres`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DEBIAN = 'usr/lib/postgresql'
const ARCHIVES = '/var/cache/apt/archives'
/** Where the user that a server runs as may read. */
const UNPACKED = '/var/cache/countersign-postgres'
const LIBRARIES = join(UNPACKED, `usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`)
const USUAL = ['/opt/homebrew/opt/postgresql/bin', '/usr/local/opt/postgresql/bin', '/usr/pgsql/bin']
const STARTS_WITHIN_MS = 30_000

/** Folder with the programs of a server, or null. */
export function findPostgres(): string | null {
  const named = process.env.POSTGRES_BIN
  if (named !== undefined && named !== '') return holds(named) ? named : null
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  return [...versions('/'), ...path, ...USUAL, ...versions(UNPACKED)].find(holds) ?? null
}

/** The newest first. */
function versions(root: string): readonly string[] {
  const folder = join(root, DEBIAN)
  return namesIn(folder)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(folder, version, 'bin'))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function holds(folder: string): boolean {
  try {
    for (const program of ['initdb', 'postgres']) accessSync(join(folder, program), constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface RunningPostgres {
  /** Of the superuser `postgres`, by password. */
  readonly url: string
  readonly port: number
  readonly password: string
  /** The certificate that it shows, as its own authority, for `localhost`; null where it speaks no TLS. */
  readonly certificate: string | null
  /** Stops at once, as in a crash. */
  readonly kill: () => Promise<void>
  /** Stops and leaves nothing. */
  readonly stop: () => Promise<void>
}

/** A server on a loopback port, empty, whose data are gone when it is stopped. Rejects with what it said. */
export async function startPostgres(bin: string): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'cs-postgres-'))
  const owner = ownerOf(folder)
  const data = join(folder, 'data')
  const password = 'a secret/of:this@run'
  writeFileSync(join(folder, 'password'), password, { mode: 0o644 })
  const options = { ...owner, cwd: folder, env: environment() }
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`, '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...options, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`\`initdb\` ended with ${made.status}: ${made.stderr}`)
  const certificate = certify(folder, owner)
  const port = await freePort()
  const settings = [`listen_addresses=127.0.0.1`, `port=${port}`, `unix_socket_directories=${folder}`, 'fsync=off', 'shared_buffers=16MB']
  if (certificate !== null) settings.push('ssl=on', `ssl_cert_file=${folder}/tls.crt`, `ssl_key_file=${folder}/tls.key`)
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await ready(child)
  const kill = (): Promise<void> => ended(child, 'SIGQUIT')
  return {
    url: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    port,
    password,
    certificate,
    kill,
    stop: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server refuses to run as root: then it runs as whoever owns nothing, and so does its folder. */
function ownerOf(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = ['postgres', 'nobody'].map((user) => users.find((each) => each.startsWith(`${user}:`))).find((each) => each !== undefined)
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':').map(Number)
  const owner = { uid: uid ?? 65_534, gid: gid ?? 65_534 }
  chownSync(folder, owner.uid, owner.gid)
  return owner
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: LIBRARIES }
}

/** Writes a key and a certificate for `localhost`, where there is `openssl`. */
function certify(folder: string, { uid, gid }: { readonly uid?: number; readonly gid?: number }): string | null {
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.crt')]
  const asked = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  const { status } = spawnSync('openssl', [...asked, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate])
  if (status !== 0) return null
  chmodSync(key, 0o600)
  if (uid !== undefined && gid !== undefined) for (const file of [key, certificate]) chownSync(file, uid, gid)
  return certificate
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const fail = (why: string) => (): void => reject(new Error(`the server ${why}: ${said}`))
    const timer = setTimeout(fail('does not start'), STARTS_WITHIN_MS)
    timer.unref()
    child.once('exit', fail('ended'))
    child.once('error', fail('cannot be run'))
    child.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4_000)
      if (said.includes('ready to accept connections')) resolve()
    })
    child.once('exit', () => clearTimeout(timer))
  })
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

function install(): void {
  if (process.getuid?.() !== 0 || !holdsApt()) throw new Error('no PostgreSQL here; install one, or name its programs in POSTGRES_BIN')
  apt('update')
  try {
    apt('install', '-y', '--no-install-recommends', 'postgresql')
  } catch {
    unpack()
  }
}

function holdsApt(): boolean {
  try {
    accessSync('/usr/bin/apt-get', constants.X_OK)
    return true
  } catch {
    return false
  }
}

function apt(...args: readonly string[]): string {
  const { status, stdout } = spawnSync('apt-get', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) throw new Error(`\`apt-get ${args[0]}\` ended with ${status}`)
  return stdout
}

/** Where the package manager cannot install: the same packages, laid in a folder of their own. */
function unpack(): void {
  const wanted = ['install', '-y', '--no-install-recommends', 'postgresql']
  apt('--download-only', ...wanted)
  const names = [...apt('--simulate', ...wanted).matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
  const archives = namesIn(ARCHIVES).filter((file) => names.some((name) => file.startsWith(`${name}_`)))
  mkdirSync(UNPACKED, { recursive: true })
  for (const file of archives) spawnSync('dpkg-deb', ['-x', join(ARCHIVES, file), UNPACKED], { stdio: ['ignore', 'ignore', 'inherit'] })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (findPostgres() === null) install()
  const found = findPostgres()
  if (found === null) throw new Error('there is still no PostgreSQL; install one, or name its programs in POSTGRES_BIN')
  console.log(found)
}
