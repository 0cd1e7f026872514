import { type Effect, resolvedName } from '../../../facts/effect.ts'
import type { Facts } from '../../../facts/facts.ts'
import { lexical } from '../../../facts/resources/path/index.ts'
import type { SessionState } from '../../../session/state.ts'
import type { HazardRule } from '../rule.ts'
import { action, attribute, byProject, has } from './match.ts'

/** What is deleted and can only come back from a backup: not what tools, this call or this session made. */

/** Directories that only tools fill; they do so again when they need them. */
const FILLED_BY_TOOLS = new RegExp(
  String.raw`^(?:node_modules|__[a-z]+__|coverage|htmlcov|deriveddata|\.?v?env|te?mp|scratch|caches?|[._]?(?:te?mp|cache)[._-].*` +
    String.raw`|.*[._-](?:te?mp|cache)|.*\.(?:egg-info|dsym)|\.(?:next|nuxt|turbo|gradle|tox|nox|eggs|angular|svelte-kit|terraform` +
    String.raw`|dart_tool|nyc_output|output|vite|webpack|vercel|netlify|serverless|aws-sam|build|stack-work|expo|docusaurus` +
    String.raw`|hypothesis|ipynb_checkpoints|parcel-cache|bundle|yarn|pnpm-store))$`,
  'i',
)

/** Files of the same kind. */
const MADE_BY_TOOLS = new RegExp(
  String.raw`(?:\.(?:o|a|so|obj|pyc|pyo|class|tmp|temp|swp|swo|tsbuildinfo|gcda|gcno|lock|pid|sock|log|log\.\d)|~|^\.DS_Store` +
    String.raw`|^Thumbs\.db|^nohup\.out|^core(?:\.\d{1,9})?|^\.coverage|^te?mp\b.*|^\.nfs.*)$`,
  'i',
)

const comesBack = (path: string) => {
  const { names, absolute } = lexical(path)
  const last = names.at(-1) ?? ''
  const told = absolute ? names.slice(-1) : names
  return MADE_BY_TOOLS.test(last) || told.some((name) => FILLED_BY_TOOLS.test(name))
}

/** A search named what is deleted: by all of its names it is of that kind. */
const searchedFor = (effect: Effect, facts: Facts) =>
  facts.effects.some((other) => {
    const named = attribute(other, 'named')
    const { value } = effect.target
    const place = value.endsWith('/…') ? value.slice(0, -2) : value
    const looks = action(other, 'fs:list') && other.target.value === place && Array.isArray(named) && named.length > 0
    return looks && named.every((name) => typeof name === 'string' && comesBack(name))
  })

/** A search by name over all of a workspace or a home found it, and not only files of a kind that tools make again. */
export const foundAtRoot = ({ target: { value } }: Effect, facts: Facts) =>
  facts.effects.some((other) => {
    const named = attribute(other, 'named')
    if (!action(other, 'fs:list') || !has(other, 'root') || !Array.isArray(named) || named.length === 0) return false
    const here = value === `${other.target.value}/…` || /^"?\$/.test(value)
    return here && !named.every((name) => typeof name === 'string' && comesBack(name))
  })

/** The same call puts something there: what is deleted of a temporary directory, or by a script of the project, afterwards or before is its own. */
export function isOwn(effect: Effect, facts: Facts): boolean {
  const path = resolvedName(effect.target)
  const inside = `${path}/`
  const anyTime = effect.target.scope === 'temporary' || byProject(effect)
  // A mirror deletes what it does not copy.
  if (action(effect, 'fs:mirror')) return false
  for (const other of facts.effects) {
    if (other === effect) {
      if (!anyTime) return false
    } else if (other.verb === 'write') {
      const written = resolvedName(other.target)
      if (written === path || written.startsWith(inside)) return true
    }
  }
  return false
}

const RECIPES: ReadonlySet<string> = new Set('make gmake just task rake ninja npm pnpm yarn bun composer nox tox invoke mage'.split(' '))

/** A recipe or script of the workspace does it: it was written to do that, and is judged where it is written. */
const ofRecipe = ({ span }: Effect, { commands }: Facts) =>
  span !== null &&
  commands.some(
    ({ span: at, wrappers }) =>
      at.start === span.start && at.end === span.end && wrappers.some((name) => RECIPES.has(name) || /[/.]/.test(name)),
  )

/** What a search finds, a pattern matches or a directory holds, below the directory for temporary files. */
const wholly = (effect: Effect) => has(effect, 'recursive') && !has(effect, 'unresolved')

function isLost(effect: Effect, facts: Facts, state: SessionState): boolean {
  const { target, reversible } = effect
  if (reversible || target.kind !== 'path') return false
  if (target.scope === 'temporary' ? !wholly(effect) : target.scope === 'unknown' ? !has(effect, 'dynamic') : target.scope !== 'workspace')
    return false
  if (has(effect, 'rebuilt') || comesBack(target.value) || ofRecipe(effect, facts)) return false
  return state.written.get(resolvedName(effect.target)) === undefined && !isOwn(effect, facts) && !searchedFor(effect, facts)
}

export const deletes: HazardRule = {
  id: 'deletes',
  code: 'hazard.destruction',
  level: 'advisory',
  reason: 'deletes what neither a build nor this session is known to have made',
  advice: null,
  safer: 'trash ./old.txt',
  examples: {
    match: [
      'rm notes.txt',
      'unlink config.yaml',
      "find . -name '*.orig' -delete",
      'git ls-files -o | xargs rm',
      `node -e "require('fs').unlinkSync('data.json')"`,
      'rm -rf target',
      'rm -rf /tmp/other-project',
      'rsync -a --delete new/ site/',
    ],
    not_match: [
      'rm -rf node_modules',
      "find . -name '*.pyc' -delete",
      "find . -name '__pycache__' -exec rm -rf {} +",
      "find src -name '*.o' | xargs rm -f",
      'echo x > a.txt; rm a.txt',
      'rm -f /tmp/out.json',
      'rm -rf /tmp/x && mkdir /tmp/x',
      'git rm --cached a.txt',
      'trash ./old.txt',
      'D=$(mktemp -d); rm -rf "$D"',
      'gzip notes.txt',
    ],
  },
  verbs: ['delete'],
  when: isLost,
}
