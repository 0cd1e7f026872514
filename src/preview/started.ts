/** A program of the table that another one starts, or that a path names: `npx prisma …`, `poetry run alembic …`, `.venv/bin/alembic …`. Pure. */
import type { Facts } from '../facts/facts.ts'

export interface Started {
  readonly program: string
  readonly args: readonly string[]
  /** Everything up to the program, and how the call spells it. */
  readonly before: readonly string[]
}

/** They start what is installed in the project, with the words behind it as they are. */
const STARTERS: ReadonlySet<string> = new Set(['npx', 'npm', 'pnpm', 'yarn', 'bun', 'bunx', 'python', 'python3', 'poetry', 'uv', 'pipenv'])

/** Null where the call is more than that. */
export function startedIn({ commands }: Facts, text: string, isKnown: (program: string) => boolean): Started | null {
  const words = plainWords(text)
  const inner = commands.findLast(({ program }) => program !== null && isKnown(program))
  if (words === null || inner === undefined || inner.program === null) return null
  const { program, wrappers } = inner
  const [, ...args] = inner.argv
  const isStarter = ({ program: name, wrappers: by }: Facts['commands'][number]): boolean =>
    [name ?? '', ...by].every((each) => STARTERS.has(each))
  if (!wrappers.every((by) => STARTERS.has(by)) || !commands.every((each) => each === inner || isStarter(each))) return null
  const at = words.length - args.length - 1
  const [spelled = '', ...behind] = words.slice(at)
  const before = words.slice(0, at + 1)
  // `npm exec` takes options for its own unless `--` stands before the program.
  if (before[0] === 'npm' && !before.includes('--')) return null
  return at >= 0 && names(spelled, program) && behind.every((word, i) => word === args[i]) ? { program, args: behind, before } : null
}

/** Null where a shell makes anything else of the text than its words. */
function plainWords(text: string): readonly string[] | null {
  const words = text.trim().split(/ +/)
  return /^[\w@%+=:,./ -]+$/.test(text.trim()) && !/^\w+\+?=/.test(words[0] ?? '') ? words : null
}

/** `prisma@6`, `./node_modules/.bin/prisma`. */
function names(spelled: string, program: string): boolean {
  return spelled.slice(spelled.lastIndexOf('/') + 1).split('@', 1)[0] === program
}
