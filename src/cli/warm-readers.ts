/**
 * What a daemon does while nobody asks: the first call that needs a reader of code pays for loading and compiling it, ten to a hundred
 * milliseconds. Which readers a workspace calls for is told by the files at its top, so after the first call from there each of them reads
 * a small text of ours. Nothing of the workspace is read, and nothing is recorded.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bareCall } from '../core/call.ts'
import { analyseCall } from '../open.ts'
import { emptySession } from '../session/state.ts'
import { createFixedView, type World } from '../view/fixed.ts'

const CWD = '/home/user/project'
const WORLD: World = {
  home: '/home/user',
  cwd: CWD,
  files: {
    [`${CWD}/package.json`]: '{"scripts":{"build":"node build.js"}}',
    [`${CWD}/build.js`]: "const { readdirSync } = require('node:fs')\nfor (const name of readdirSync('src')) console.log(name.trim())\n",
    [`${CWD}/run.py`]: "import os\nfor name in os.listdir('src'):\n    print(name.strip())\n",
    [`${CWD}/Makefile`]: 'OUT = build\ntest:\n\techo $(OUT)\n',
    [`${CWD}/justfile`]: 'test:\n  echo test\n',
  },
}

/** Commands by the files that call for their readers; a command is analysed in one go, so each brings in as little as it can. */
const CALLED_FOR: readonly (readonly [files: readonly string[], commands: readonly string[]])[] = [
  [['package.json'], ['npm --version', 'node build.js', 'npm run build']],
  [
    ['pyproject.toml', 'setup.py', 'requirements.txt'],
    ['python3 run.py', 'pytest -q'],
  ],
  [['Makefile', 'makefile', 'GNUmakefile'], ['make test']],
  [['justfile', 'Justfile'], ['just test']],
  [['Cargo.toml'], ['cargo build']],
  [['go.mod'], ['go test ./...']],
  [['Dockerfile', 'compose.yaml', 'docker-compose.yml'], ['docker ps']],
]

/** Milliseconds after the first call from a workspace, and between two commands: calls that wait go first. */
const AFTER_MS = 150
const BETWEEN_MS = 25
const MAX_WORKSPACES = 256

export interface WarmReaders {
  /** A call comes from this directory. Does nothing now. */
  readonly seen: (cwd: string | null) => void
  /** Commands that were analysed, in order. */
  readonly done: () => readonly string[]
  /** Resolves once nothing is left to do. */
  readonly settled: () => Promise<void>
}

export function createWarmReaders(): WarmReaders {
  const workspaces = new Set<string>()
  const queued = new Set<string>()
  const done: string[] = []
  let work = Promise.resolve()
  const warm = async (cwd: string): Promise<void> => {
    await pause(AFTER_MS)
    for (const command of calledForIn(cwd)) {
      if (queued.has(command)) continue
      queued.add(command)
      analyseCall(bareCall('Bash', { command }, { cwd: CWD }), createFixedView(WORLD), { state: emptySession(0), policy: null })
      done.push(command)
      await pause(BETWEEN_MS)
    }
  }
  return {
    seen: (cwd) => {
      if (cwd === null || workspaces.has(cwd) || workspaces.size >= MAX_WORKSPACES) return
      workspaces.add(cwd)
      // A reader that fails here fails for the call that needs it, too, and that call is asked about: the daemon goes on.
      work = work.then(() => warm(cwd)).catch(() => {})
    },
    done: () => done,
    settled: () => work,
  }
}

function calledForIn(cwd: string): readonly string[] {
  return CALLED_FOR.flatMap(([files, commands]) => (files.some((name) => existsSync(join(cwd, name))) ? commands : []))
}

/** Nobody waits for it: the process may end meanwhile. */
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
