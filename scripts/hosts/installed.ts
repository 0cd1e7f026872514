/** Programs of npm that real clients and agents are, fetched once and kept beside the other caches. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/cli/version.ts'

export const CACHE = join(packageRoot(), 'node_modules', '.cache', 'clients')

interface Program {
  readonly package: string
  readonly version: string
  readonly program: string
}

/** Its path, fetched where it is not there in this version; null where it cannot be. `place`: its directory among the others. */
export function installed({ package: name, version, program }: Program, place: string): string | null {
  const directory = join(CACHE, place)
  const path = join(directory, 'node_modules', '.bin', program)
  const manifest = join(directory, 'node_modules', name, 'package.json')
  const there = existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version === version
  if (!there) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'package.json'), '{"private":true}')
    const args = ['install', '--no-audit', '--no-fund', '--silent', '--engine-strict=false', `${name}@${version}`]
    spawnSync('npm', args, { cwd: directory, stdio: 'inherit' })
  }
  return existsSync(path) ? path : null
}

/** Before a program that leaves others behind: what it started ends with it. */
export const OWN_PROCESSES = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'] as const
