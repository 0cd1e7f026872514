import type { CommandContext, ParsedCommand } from '../../host.ts'
import { wordOf } from '../../resources/acts.ts'

/** Compose files, as far as telling whether what they start stays in its containers and in the workspace. */

const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']
const OVERRIDES = ['compose.override.yaml', 'compose.override.yml', 'docker-compose.override.yaml', 'docker-compose.override.yml']

/** Characters of a file that are read; a longer one is not taken for known. */
const LIMIT = 65_536

/**
 * Anything by which a container reaches out: rights, namespaces and devices of the machine, the socket of its engine, other
 * files. What could hide such a word, an escape or a tag, counts as one.
 */
const REACHES =
  /\\|!|\b(?:privileged|cap_add|security_opt|devices|device_cgroup_rules|volumes_from|include|extends|cgroup_parent|credential_spec|use_api_socket|external_links|driver_opts|secrets|configs)["']?\s*:|\b(?:network_mode|pid|ipc|uts|userns_mode|cgroup)["']?\s*:\s*["']?(?:host|container|service)|\.sock\b/i

/** Files and mounts by their long form that lie elsewhere. */
const ELSEWHERE = /\b(?:source|src|device|env_file|file)["']?\s*:[\s["'-]{0,32}(?:\/|~|\.\.|\$)/

/** A mount of a place that does not lie below the file: `/`, `~`, `..`, or one that a variable names. */
function mountsOutside(text: string): boolean {
  return text.split('\n').some((line) => {
    const start = line.search(/(?:^|[\s"',[{-])(?:\/|~|\.\.|\$)/)
    return start >= 0 && /:["']?\/(?!\/)/.test(line.slice(start))
  })
}

/** True where every file that the command reads is at hand and none of them reaches out of the containers and the workspace. */
export function staysInside(parsed: ParsedCommand, context: CommandContext): boolean {
  const { env } = parsed.invocation
  if (parsed.value('-H', '--host', '--project-directory', '-c', '--context') !== null) return false
  if ([...env.keys()].some((name) => name.startsWith('COMPOSE_') || name === 'DOCKER_HOST' || name === 'DOCKER_CONTEXT')) return false
  const given = parsed.values('-f', '--file')
  const at = parsed.invocation.program
  const names = given.length > 0 ? given : [...NAMES, ...OVERRIDES].map((name) => wordOf(name, at))
  let found = 0
  for (const name of names) {
    const target = context.path(name)
    const file = target.real === null || name.text === null ? null : context.view.read(target.real, LIMIT)
    if (file === null && given.length === 0) continue
    if (file === null || target.real === null || target.scope !== 'workspace' || context.written(name) !== null) return false
    if (file.truncated || REACHES.test(file.text) || ELSEWHERE.test(file.text) || mountsOutside(file.text)) return false
    context.ran(target.real, file)
    found++
  }
  return found > 0
}
