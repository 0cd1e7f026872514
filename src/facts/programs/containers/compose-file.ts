import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { Target } from '../../effect.ts'
import type { CommandContext, ParsedCommand } from '../../host.ts'
import { wordOf } from '../../resources/acts.ts'
import { type Found, firstOf, ran } from '../tasks/nearest.ts'
import { field, items, yamlOf } from '../tasks/project-yaml.ts'
import { DANGEROUS_CAPABILITIES, SOCKETS } from './run.ts'

/** Compose files: what the containers that they describe get of this machine. */

const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']
const OVERRIDES = ['compose.override.yaml', 'compose.override.yml', 'docker-compose.override.yaml', 'docker-compose.override.yml']
/** Files that name each other. */
const MAX_FILES = 16

/** `inside`: containers, volumes of their own, and places of the workspace. `untold`: perhaps more, which is not known. */
export type Reach = 'inside' | 'untold' | 'outside'

/** The files that the command follows; null where it is none for this machine, or where a file of it is not at hand. */
export function composeFiles(parsed: ParsedCommand, context: CommandContext): readonly Found[] | null {
  const { env, span } = parsed.invocation
  if (parsed.value('-H', '--host', '--project-directory', '-c', '--context') !== null) return null
  if ([...env.keys()].some((name) => name.startsWith('COMPOSE_') || name === 'DOCKER_HOST' || name === 'DOCKER_CONTEXT')) return null
  const given = parsed.values('-f', '--file')
  const looking = { context, span }
  const found = given.length > 0 ? given.map(({ text }) => (text === null ? null : firstOf([text], looking))) : standing(looking)
  const files = found.flatMap((file) => file ?? [])
  if (files.length === 0 || files.length < found.length) return null
  return files.every(({ path, answer }) => answer !== null && context.path(wordOf(path, parsed.invocation.program)).scope === 'workspace')
    ? files
    : null
}

function standing(looking: Parameters<typeof firstOf>[1]): readonly (Found | null)[] {
  const main = firstOf(NAMES, looking)
  const override = main === null ? null : firstOf(OVERRIDES, looking)
  return override === null ? [main] : [main, override]
}

/** What the services of the files reach; what lies outside of their containers and of the workspace is told. */
export function reachOf(files: readonly Found[], parsed: ParsedCommand, context: CommandContext): Reach {
  const looking = new Reaching(parsed, context)
  for (const file of files) looking.file(file, files[0]?.path ?? file.path)
  return looking.reach
}

/** What gives a container the machine, whatever its value. */
const GIVES = [...'device_cgroup_rules cgroup_parent credential_spec use_api_socket runtime provider external_links'.split(' ')] as const
const NAMESPACES = ['network_mode', 'pid', 'ipc', 'uts', 'userns_mode', 'cgroup'] as const
/** Files that say what time it is. */
const TIME = /^\/etc\/(?:localtime|timezone)$/

class Reaching {
  reach: Reach = 'inside'
  readonly #parsed: ParsedCommand
  readonly #context: CommandContext
  readonly #seen = new Set<string>()

  constructor(parsed: ParsedCommand, context: CommandContext) {
    this.#parsed = parsed
    this.#context = context
  }

  /** Paths are relative to the directory of the `first` file. */
  file(found: Found, first: string): void {
    if (this.#seen.has(found.path)) return
    this.#seen.add(found.path)
    ran(found, this.#context)
    const root = this.#seen.size > MAX_FILES ? null : yamlOf(found)
    if (!isJsonObject(root)) {
      this.#untold()
      return
    }
    const directory = first.slice(0, first.lastIndexOf('/'))
    const valuesOf = (name: string): readonly Json[] => {
      const mapping = field(root, name)
      return isJsonObject(mapping) ? Object.values(mapping) : []
    }
    for (const service of valuesOf('services')) this.#service(service, directory)
    for (const volume of valuesOf('volumes')) this.#mounts([field(field(volume, 'driver_opts'), 'device')], directory)
    for (const kept of [...valuesOf('secrets'), ...valuesOf('configs')]) this.#mounts([field(kept, 'file')], directory, true)
    for (const other of items(field(root, 'include'))) for (const path of items(pathIn(other))) this.#other(path, directory)
  }

  #service(service: Json, directory: string): void {
    const given = this.#given(service)
    if (given !== null) this.#takes(given)
    for (const volume of items(field(service, 'volumes'))) this.#volume(volume, directory)
    for (const kept of items(field(service, 'env_file'))) this.#mounts([pathIn(kept)], directory, true)
    const build = field(service, 'build')
    this.#builds(isJsonObject(build) ? field(build, 'context') : build, directory)
    const base = field(field(service, 'extends'), 'file')
    if (base !== null) this.#other(base, directory)
  }

  /** The rights, namespaces and devices of the machine that a service is given; null where it is given none. */
  #given(service: Json): JsonObject | null {
    const found: Record<string, Json> = {}
    if (field(service, 'privileged') === true) found.privileged = true
    const capabilities = items(field(service, 'cap_add')).map((name) => String(name).toUpperCase().replace('CAP_', ''))
    if (capabilities.some((name) => DANGEROUS_CAPABILITIES.includes(name))) found.capabilities = capabilities
    if (items(field(service, 'devices')).length > 0) found.devices = field(service, 'devices')
    if (
      items(field(service, 'security_opt')).some((option) => /unconfined|no-new-privileges[:=]false|label[:=]disable/.test(String(option)))
    )
      found.unconfined = true
    for (const name of NAMESPACES) if (/^(?:host|container:)/.test(String(field(service, name)))) found[name] = field(service, name)
    for (const name of GIVES) if (field(service, name) !== null) found[name] = field(service, name)
    if (items(field(service, 'volumes_from')).some((from) => String(from).startsWith('container:'))) found.volumes_from = true
    return Object.keys(found).length === 0 ? null : found
  }

  #takes(attributes: JsonObject): void {
    this.reach = 'outside'
    this.#context.emit('change', this.#context.thing('service', 'host'), { action: 'privilege:container', reversible: false, attributes })
  }

  /** `./src:/app:ro`, `data:/var/lib`, or the same as a mapping. */
  #volume(volume: Json, directory: string): void {
    if (isJsonObject(volume)) {
      if (field(volume, 'type') !== 'volume' && field(volume, 'type') !== 'tmpfs')
        this.#mounts([field(volume, 'source') ?? field(volume, 'src')], directory, field(volume, 'read_only') === true)
      return
    }
    const [source = '', inside, mode = ''] = this.#filled(String(volume)).split(':')
    if (inside !== undefined && (source === '' || /^[./~]/.test(source))) this.#mounts([source], directory, mode.split(',').includes('ro'))
  }

  /** Places of this machine; an empty name is one that is not known. */
  #mounts(sources: readonly Json[], directory: string, readOnly = false): void {
    for (const source of sources) {
      if (source === null) continue
      const target = this.#place(String(source), directory)
      if (target === null) this.#untold()
      else if (SOCKETS.some((socket) => target.value.endsWith(socket))) this.#takes({ socket: target.value })
      else if (!isInside(target) && !(readOnly && TIME.test(target.value))) {
        this.reach = 'outside'
        this.#context.emit(readOnly ? 'read' : 'write', target, { action: 'container:mount', attributes: { read_only: readOnly } })
      }
    }
  }

  #builds(where: Json, directory: string): void {
    if (where === null) return
    if (/:\/\/|^git@|^github\.com\//.test(String(where))) {
      this.reach = 'outside'
      const url = this.#context.url(wordOf(String(where), this.#parsed.invocation.program))
      this.#context.emit('execute', url, { action: 'code:remote', reversible: false, attributes: { by: 'docker build' } })
    } else this.#mounts([where], directory, true)
  }

  #other(path: Json, directory: string): void {
    const target = this.#place(String(path), directory)
    const inside = target !== null && isInside(target)
    const found = inside ? firstOf([target.value], { context: this.#context, span: this.#parsed.invocation.span }) : null
    if (target !== null && !inside) this.reach = 'outside'
    else if (found === null) this.#untold()
    else this.file(found, found.path)
  }

  /** Null where it is not known. */
  #place(source: string, directory: string): Target | null {
    const path = this.#filled(source)
    if (path === '' || path.includes('\0')) return null
    const from = path.startsWith('~') ? `${this.#context.view.home}${path.slice(1)}` : path
    return this.#context.path(wordOf(from.startsWith('/') ? from : `${directory}/${from}`, this.#parsed.invocation.program))
  }

  /** `$NAME` and `${NAME:-default}` as far as known; with a zero byte for what is not. */
  #filled(text: string): string {
    return text.replace(/\$(?:\$|[A-Za-z_]\w*|\{[^{}]{0,256}\})/g, (whole) => {
      const [, name, otherwise] = /^\$\{?([A-Za-z_]\w*)(?::?-([^}]*))?/.exec(whole) ?? []
      const value = name === undefined ? null : this.#context.variable(name)
      return whole === '$$' ? '$' : (value?.text ?? (value === null ? otherwise : undefined) ?? '\0')
    })
  }

  #untold(): void {
    if (this.reach === 'inside') this.reach = 'untold'
  }
}

function pathIn(value: Json): Json {
  return isJsonObject(value) ? field(value, 'path') : value
}

function isInside(target: Target): boolean {
  return target.scope === 'workspace'
}
