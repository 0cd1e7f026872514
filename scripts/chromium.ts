/**
 * Finds a Chromium for the tests of the console; `tsx scripts/chromium.ts` installs Debian's where there is none and apt may.
 * CHROMIUM_PATH names one. The build without windows comes first: the same engine, and a page takes it a third of the processor time.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const USUAL = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const ARCHIVES = '/var/cache/apt/archives'
const PACKAGE = 'chromium-headless-shell'
const UNPACKED = join(homedir(), '.cache/countersign-chromium')
const PROGRAM = join(UNPACKED, PACKAGE)
const PLAYWRIGHT = [join(homedir(), '.cache/ms-playwright'), join(homedir(), 'Library/Caches/ms-playwright')]
const SHELL = ['chrome-linux/headless_shell', 'chrome-headless-shell-linux64/chrome-headless-shell', 'chrome-mac/headless_shell']
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
  const ofPlaywright = [...kept('chromium_headless_shell-', SHELL), ...kept('chromium-', INSIDE)]
  return [...USUAL, PROGRAM, ...ofPlaywright].find(isProgram) ?? null
}

/** In Playwright's own folders, the newest first. */
function kept(beginning: string, paths: readonly string[]): readonly string[] {
  return PLAYWRIGHT.flatMap((cache) =>
    namesIn(cache)
      .filter((name) => name.startsWith(beginning))
      .toSorted()
      .toReversed()
      .flatMap((name) => paths.map((path) => join(cache, name, path))),
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
  apt('update')
  try {
    apt('install', '-y', '--no-install-recommends', PACKAGE)
  } catch {
    unpack()
  }
}

function apt(...args: readonly string[]): string {
  const { status, stdout } = spawnSync('apt-get', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`\`apt-get ${args[0]}\` ended with ${status}`)
  return stdout
}

/** Where the package manager cannot install: the same packages, laid in a folder of their own. */
function unpack(): void {
  const wanted = ['install', '-y', '--no-install-recommends', PACKAGE]
  apt('--download-only', ...wanted)
  const names = [...apt('--simulate', ...wanted).matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
  const archives = namesIn(ARCHIVES).filter((file) => names.some((name) => file.startsWith(`${name}_`)))
  mkdirSync(UNPACKED, { recursive: true })
  for (const file of archives) spawnSync('dpkg-deb', ['-x', join(ARCHIVES, file), UNPACKED], { stdio: ['ignore', 'ignore', 'inherit'] })
  const libraries = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
  const paths = [libraries, `${libraries}/pulseaudio`].map((path) => join(UNPACKED, path)).join(':')
  writeFileSync(PROGRAM, `#!/bin/sh\nLD_LIBRARY_PATH=${paths} exec ${UNPACKED}/usr/lib/chromium/${PACKAGE} "$@"\n`, { mode: 0o755 })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (findChromium() === null) install()
  const found = findChromium()
  if (found === null) throw new Error('there is still no Chromium; install one, or name it in CHROMIUM_PATH')
  console.log(found)
}
