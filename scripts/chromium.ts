/**
 * Finds a Chromium for the tests of the console; `tsx scripts/chromium.ts` installs Debian's where there is none and apt may.
 * CHROMIUM_PATH names one.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const PLAYWRIGHT = [join(homedir(), '.cache/ms-playwright'), join(homedir(), 'Library/Caches/ms-playwright')]
const INSIDE = ['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-mac/Chromium.app/Contents/MacOS/Chromium']

/** For a root user without a display or a network beyond this machine. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** Path of a Chromium that can be run, or null. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && named !== '') return isProgram(named) ? named : null
  return [...USUAL, ...ofPlaywright()].find(isProgram) ?? null
}

function ofPlaywright(): readonly string[] {
  return PLAYWRIGHT.flatMap((cache) =>
    namesIn(cache)
      .filter((name) => name.startsWith('chromium-'))
      .toSorted()
      .toReversed()
      .flatMap((name) => INSIDE.map((path) => join(cache, name, path))),
  )
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function install(): void {
  if (process.getuid?.() !== 0 || !isProgram('/usr/bin/apt-get'))
    throw new Error('no Chromium here; install one, or name it in CHROMIUM_PATH')
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status } = spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error(`\`apt-get ${args[0]}\` ended with ${status}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (findChromium() === null) install()
  console.log(findChromium() ?? 'no Chromium')
}
