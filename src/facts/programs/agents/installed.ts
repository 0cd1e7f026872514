/**
 * Agents besides Claude Code whose hook of ours can be seen (T40): where it stands, and everything beside it that could switch it off.
 * What such a file would say is not read: where one is there, nothing is proven. Codex is not among them, as it skips a hook that it
 * does not trust, and its trust is a digest; nor are agents that were not driven with the hook.
 */
import { isJsonObject, type JsonObject, own, parseJson } from '../../../core/json.ts'
import type { View } from '../../view.ts'

interface Place {
  /** Below the home of the user: the file that holds the hook. */
  readonly file: string
  readonly event: string
  /** The field of the command. */
  readonly field: 'command' | 'bash'
  readonly script: string
  /** Settings in that file that may switch hooks off. */
  readonly off: readonly string[]
  /** Below the home, and absolute: files that may do so, or lead to other settings. */
  readonly beside: readonly string[]
  readonly system: string
  /** The same in a project and in every directory above it. */
  readonly project: readonly string[]
}

const PLACES: Readonly<Record<string, Place>> = {
  gemini: {
    ...{ file: '.gemini/settings.json', event: 'BeforeTool', field: 'command', script: 'gemini-cli-hook', off: ['hooksConfig'] },
    ...{ beside: ['.gemini/.env', '.env'], system: '/etc/gemini-cli', project: ['.gemini', '.env'] },
  },
  qwen: {
    ...{ file: '.qwen/settings.json', event: 'PreToolUse', field: 'command', script: 'qwen-code-hook', off: ['disableAllHooks'] },
    ...{ beside: ['.qwen/.env', '.env'], system: '/etc/qwen-code', project: ['.qwen', '.env'] },
  },
  copilot: {
    ...{
      file: '.copilot/hooks/countersign.json',
      event: 'preToolUse',
      field: 'bash',
      script: 'copilot-cli-hook',
      off: ['disableAllHooks'],
    },
    ...{ beside: ['.copilot/settings.json'], system: '/etc/github-copilot', project: ['.github/copilot', '.github/hooks', '.claude'] },
  },
}

export interface Seen {
  /** True where our hook is seen. */
  readonly holds: boolean
  /** Why it may not hold all the same; null where nothing speaks against it. */
  readonly doubt: string | null
}

const LONGEST = 262_144

/** Whether the hook of this agent is seen in the user's settings, and what could switch it off for an agent started in `cwd`. */
export function seenHook(agent: string, view: View, cwd: string | null): Seen {
  const place = Object.hasOwn(PLACES, agent) ? PLACES[agent] : undefined
  const settings = place === undefined ? undefined : parseJson(view.read(`${view.home}/${place.file}`, LONGEST)?.text ?? '')
  if (place === undefined || !isJsonObject(settings) || !holdsOurs(settings, place)) return { holds: false, doubt: null }
  const off = place.off.find((name) => own(settings, name) !== undefined)
  if (off !== undefined) return doubtful(`\`${off}\` stands in its settings`)
  if (cwd === null) return doubtful('it is not known which project it starts in')
  const others = [...place.beside.map((name) => `${view.home}/${name}`), place.system, ...inProjects(place, view, cwd)]
  const other = others.find((path) => view.realpath(path).type !== 'missing')
  return other === undefined ? { holds: true, doubt: null } : doubtful(`\`${other}\` may hold other settings`)
}

/** True where a call that makes this file may have made settings of the agent. */
export function isProjectSetting(agent: string, path: string): boolean {
  const place = Object.hasOwn(PLACES, agent) ? PLACES[agent] : undefined
  return place?.project.some((name) => `${path}/`.includes(`/${name}/`)) === true
}

const doubtful = (doubt: string): Seen => ({ holds: true, doubt })

/** The directory of the user's own settings is none of a project, although it stands above one. */
function inProjects({ file, project }: Place, view: View, cwd: string): readonly string[] {
  const paths: string[] = []
  for (let directory = cwd; ; directory = directory.slice(0, directory.lastIndexOf('/'))) {
    for (const name of project) {
      const path = `${directory}/${name}`
      if (!`${view.home}/${file}`.startsWith(`${path}/`)) paths.push(path)
    }
    if (directory === '') return paths
  }
}

function holdsOurs(settings: JsonObject, { event, field, script }: Place): boolean {
  const hooks = own(settings, 'hooks')
  const entries = isJsonObject(hooks) ? own(hooks, event) : undefined
  if (!Array.isArray(entries)) return false
  const isOurs = (handler: JsonObject): boolean => {
    const command = own(handler, field)
    const plain = own(handler, 'matcher') === undefined && own(handler, 'async') !== true
    return plain && own(handler, 'type') === 'command' && typeof command === 'string' && command.includes(`/bin/${script}'`)
  }
  return entries.filter(isJsonObject).some((entry) => {
    const handlers = own(entry, 'hooks')
    if (!Array.isArray(handlers)) return isOurs(entry)
    return own(entry, 'matcher') === undefined && handlers.filter(isJsonObject).some(isOurs)
  })
}
