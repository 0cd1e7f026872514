import type { CommandSpec, Word } from '../../host.ts'
import { readPath, writePath } from '../../resources/acts.ts'
import { list, refined, takes } from '../tool.ts'

/** Subcommands whose operands after these words are files: what is wrong in them is told with their lines, and some print them whole. */
const OPENS: ReadonlyMap<string, ReadonlySet<string> | null> = new Map([
  ['policy', new Set(['lint', 'test', 'explain', 'fmt'])],
  ['contracts', new Set(['mint'])],
  ['judge', new Set(['test', 'calibrate'])],
  ['audit', new Set(['verify'])],
  ['replay', null],
])

/** The gate itself as a reader of files. Whose word it takes is not told by effects: the integrity layer reads its subcommands. */
export const countersign: CommandSpec = refined(
  (parsed, context) => {
    const formatted = parsed.operands[1]?.text === 'fmt' && parsed.flag('--write')
    for (const file of filesOf(parsed.operands)) {
      readPath(context, file)
      if (formatted) writePath(context, file)
    }
  },
  {
    operands: ['data'],
    options: {
      ...takes('--policy --diff --tools --args --head', 'read'),
      ...takes('--out --svg', 'write'),
      ...takes('--listen --agent --scope --role --role-from --client --tool --expires --not-before --count --session --user --parent'),
      ...takes('--reason --comment --seen --timeout --tenant --name --as-role --as-user --record --judge --limit --price --fpr'),
      ...takes('--decision --would --format -n --lines'),
    },
    flags: list(
      '--explain --no-record --vouch-task --text --sealed --no-listen --open-loopback --no-role --dry-run --yes --json --live --coverage ' +
        '--write --verbose --all --break-glass --vouches-task --score --from-audit --locked',
    ),
    inert: ['--help', '-h', '--version', '-V'],
  },
)

function filesOf([group, ...rest]: readonly Word[]): readonly Word[] {
  if (group === undefined) return []
  // What is not known before it runs may be any of them.
  if (group.text === null) return rest.slice(1)
  if (group.text === 'import') return rest.slice(1)
  const verbs = OPENS.get(group.text)
  if (verbs === undefined) return []
  if (verbs === null) return rest
  const [verb, ...files] = rest
  return verb === undefined || (verb.text !== null && !verbs.has(verb.text)) ? [] : files
}
