/**
 * The policy in force for each directory: the machine's, the operator's and what projects bring, joined, and kept fresh. I/O. A policy
 * that the operator answers for and that cannot be used means that nothing is allowed; a project's that cannot be used is not read.
 */
import { type LoadedPolicy, type PolicyFileOptions, type PolicyWatch, sha256, stampOf, watchPolicy } from './file.ts'
import type { Policy } from './policy.ts'
import { joinPolicies, type ScopeParts } from './scopes/join.ts'
import { managedFault, managedFile } from './scopes/managed.ts'
import { findProjectFiles, loadProjectFile, type ProjectFile, type ProjectOptions, projectStamp } from './scopes/project.ts'
import { readTrusted, type TrustedFile, trustFile } from './scopes/trust.ts'

export interface PolicyDirectory {
  /** The policy in force for a call from this directory; null stands for the process's own. Never throws. */
  readonly current: (cwd: string | null) => LoadedPolicy
  /** No more looking; the last policies stay. */
  readonly stop: () => void
}

/** Calls come from few directories; what is over this many is looked up again. */
const MAX_DIRECTORIES = 256

/** Finds and loads the policy for the directory of `places`. Never throws. */
export function loadPolicy(options: PolicyFileOptions): LoadedPolicy {
  return watchPolicies(options).current(options.places.cwd)
}

interface Place {
  readonly looked: number
  readonly parts: ScopeParts
  readonly joined: Policy | null
}

/**
 * The operator's own files are watched: one that vanishes or breaks stays in force as it was, degraded. What projects bring is as it
 * is on the disk.
 * @param note is told about every reload in one line.
 */
export function watchPolicies(options: PolicyFileOptions, note: (line: string) => void = () => {}): PolicyDirectory {
  const { interval = 1_000, now = () => performance.now(), places } = options
  const known = new Map<string | null, Place>()
  const user = watchPolicy(options, note)
  const managed = createManaged(options, note)
  const projects = createProjects(options)
  let stopped = false
  const joined = (cwd: string | null, { looked, ...parts }: ScopeParts & Pick<Place, 'looked'>): Policy | null => {
    const before = known.get(cwd)
    const same = before !== undefined && isSame(before.parts, parts)
    const policy = same ? before.joined : joinPolicies(parts, sha256)
    known.delete(cwd)
    known.set(cwd, { looked, parts: same ? before.parts : parts, joined: policy })
    for (const oldest of known.keys()) {
      if (known.size <= MAX_DIRECTORIES) break
      known.delete(oldest)
    }
    return policy
  }
  const found = (cwd: string | null, own: readonly (string | null)[]): Pick<Place, 'looked'> & Found => {
    const before = known.get(cwd)
    const at = now()
    if (before !== undefined && (stopped || (at - before.looked < interval && at >= before.looked))) {
      return { ...before.parts, looked: before.looked }
    }
    return { ...(cwd === null ? NOTHING_FOUND : projects(cwd, own)), looked: at }
  }
  return {
    current: (cwd) => {
      const machine = managed()
      const theirs = user.current()
      if (machine !== null && machine.policy === null) return machine
      const nobodyWrote = pathOf(theirs) === null
      if (theirs.policy === null && (machine === null || !nobodyWrote)) return theirs
      const where = cwd ?? places.cwd
      const machinePolicy = machine?.policy ?? null
      // The shipped policy stands in for one that nobody wrote.
      const userPolicy = machinePolicy !== null && nobodyWrote ? null : theirs.policy
      try {
        const { project, unread, looked } = found(where, [machinePolicy?.path ?? null, pathOf(theirs)])
        const policy = joined(where, { managed: machinePolicy, user: userPolicy, project, unread, looked })
        if (policy === null) return theirs
        return { policy, degraded: degradedOf(machine) ?? degradedOf(theirs) }
      } catch (error) {
        return { policy: null, error: `policy.unreadable: ${error instanceof Error ? error.message : String(error)}`, path: null }
      }
    },
    stop: () => {
      stopped = true
      user.stop()
    },
  }
}

function pathOf(loaded: LoadedPolicy): string | null {
  return loaded.policy === null ? loaded.path : loaded.policy.path
}

function degradedOf(loaded: LoadedPolicy | null): string | null {
  return loaded === null || loaded.policy === null ? null : loaded.degraded
}

type Found = Pick<ScopeParts, 'project' | 'unread'>

const NOTHING_FOUND: Found = { project: [], unread: [] }

function isSame(one: ScopeParts, other: ScopeParts): boolean {
  const alike = <T>(a: readonly T[], b: readonly T[]) => a.length === b.length && a.every((each, index) => each === b[index])
  return one.managed === other.managed && one.user === other.user && alike(one.project, other.project) && alike(one.unread, other.unread)
}

/** Null where the machine has no policy. One that is not root's alone holds nobody, so nothing is allowed until it is. */
function createManaged(options: PolicyFileOptions, note: (line: string) => void): () => LoadedPolicy | null {
  const { places, managedOwner, interval = 1_000, now = () => performance.now() } = options
  let watch: PolicyWatch | null = null
  let looked = Number.NaN
  return () => {
    // Where the machine has a policy, who may change it is looked at each time.
    const at = now()
    if (watch === null && at - looked < interval && at >= looked) return null
    looked = at
    const path = managedFile(places.managed)
    if (path === null && watch === null) return null
    const fault = path === null ? null : faultOf(path, managedOwner)
    if (fault !== null) return { policy: null, error: fault, path }
    watch ??= watchPolicy({ ...options, places: { explicit: path, variable: null, cwd: null, home: places.home } }, note)
    return watch.current()
  }
}

function faultOf(path: string, owner: number | undefined): string | null {
  try {
    return managedFault(path, owner)
  } catch (error) {
    return `policy.unreadable: ${error instanceof Error ? error.message : String(error)}`
  }
}

interface Kept {
  readonly stamp: string
  readonly record: TrustedFile | undefined
  readonly file: ProjectFile
}

/** What lies above a directory, each file loaded again only where it or the operator's trust in it changed. */
function createProjects(options: PolicyFileOptions): (cwd: string, own: readonly (string | null)[]) => Found {
  const { places, shipped: _shipped, interval: _interval, now: _now, managedOwner: _owner, places: _places, ...compile } = options
  const kept = new Map<string, Kept>()
  let trust: { readonly stamp: string | null; readonly files: readonly TrustedFile[] } | null = null
  const trusted = (): readonly TrustedFile[] => {
    const stamp = stampOf(trustFile(places.home))
    if (trust === null || trust.stamp !== stamp) trust = { stamp, files: readTrusted(places.home) }
    return trust.files
  }
  const load = (path: string, place: number, project: ProjectOptions): ProjectFile => {
    const record = project.trusted.find((each) => each.path === path)
    const known = kept.get(path)
    const stamp = `${place} ${projectStamp(path, known?.file.files ?? [])}`
    if (known !== undefined && known.stamp === stamp && sameRecord(known.record, record)) return known.file
    const before = projectStamp(path, [])
    const file = loadProjectFile(path, place, project)
    const changed = before !== projectStamp(path, [])
    // What could not be read may look the same once it can be.
    if (!changed && 'project' in file) kept.set(path, { stamp: `${place} ${projectStamp(path, file.files)}`, record, file })
    return file
  }
  return (cwd, own) => {
    const mine = own.filter((path) => path !== null)
    const found = findProjectFiles(cwd, { trusted: [], own: mine })
    if (found.length === 0) return NOTHING_FOUND
    const protectedPlaces = [places.home, ...(places.managed == null ? [] : [places.managed])]
    const project: ProjectOptions = { compile, protectedPlaces, trusted: trusted(), own: mine }
    const files = findProjectFiles(cwd, project).map((path, place) => load(path, place, project))
    return {
      project: files.flatMap((file) => ('project' in file ? [file.project] : [])),
      unread: files.flatMap((file) => ('unread' in file ? [file.unread] : [])),
    }
  }
}

function sameRecord(one: TrustedFile | undefined, other: TrustedFile | undefined): boolean {
  return one?.digest === other?.digest && one?.text === other?.text
}
