/** Where the corpus is tried: a home with a small project in it on this machine, and gates over it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { COMPILE } from '../../src/cli/open.ts'
import { type OpenedGate, openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import type { StoredRecord } from '../../src/store/store.ts'
import { newStateDirectory } from '../support/state-base.ts'
import { type Places, policyText } from './corpus.ts'

export interface Place extends Places {
  readonly policy: Policy
  /** A state directory of this name: a seam has one for itself. */
  readonly state: (name: string) => string
  /** A gate over such a directory. */
  readonly open: (name: string) => OpenedGate
  readonly remove: () => void
}

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Shop\n',
  'package.json': '{ "name": "shop", "scripts": { "test": "node --test", "build": "tsc" } }\n',
  'src/index.ts': 'export const total = 0\n',
  'scripts/clean.sh': '#!/bin/sh\nrm -rf ~\n',
  'scripts/release.sh': '#!/bin/sh\nnpm run build\n',
  '.env.example': 'API_KEY=\n',
  '.env': 'API_KEY=not-a-real-one\n',
}

/** Makes it the home of this process: the gate looks at the real machine. */
export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cs-corpus-')))
  const states = newStateDirectory()
  const home = join(root, 'home')
  const repo = join(home, 'shop')
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(repo, name)), { recursive: true })
    writeFileSync(join(repo, name), text)
  }
  const saved = { HOME: process.env.HOME, COUNTERSIGN_HOME: process.env.COUNTERSIGN_HOME }
  Object.assign(process.env, { HOME: home, COUNTERSIGN_HOME: join(home, '.countersign') })
  const policy = compiled()
  const state = (name: string) => {
    // The home of this process is where its command line looks.
    const directory = join(name.startsWith('home/') ? root : states, name)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return directory
  }
  return {
    home,
    repo,
    policy,
    state,
    // One home, whichever seam it is: the corpus speaks of what the gate keeps there.
    open: (name) => openGate({ home: state(name), protect: [join(home, '.countersign')], policy: () => ({ policy, degraded: null }) }),
    remove: () => {
      for (const [name, value] of Object.entries(saved)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      for (const each of [root, states]) rmSync(each, { recursive: true, force: true })
    },
  }
}

export function decisionsOf({ store }: Pick<OpenedGate, 'store'>, session?: string): readonly StoredRecord[] {
  const found = store.read({ kind: 'decision', ...(session === undefined ? {} : { session }) })
  if (!(Symbol.iterator in found)) throw new Error('the store reads at once')
  return [...found]
}

function compiled(): Policy {
  const read = compilePolicy(policyText(), { ...COMPILE, path: null, sha256 })
  if (!read.ok) throw new Error(JSON.stringify(read.errors))
  return read.policy
}
