/** What references of a remote have before a push, and the way back of each that it changes. Git itself is asked, as it knows what its settings push. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../core/json.ts'
import { attempt, git, linesIn, namesIn } from './git-program.ts'

/** One reference of a remote. */
export interface GitPush extends JsonObject {
  readonly top: string
  readonly remote: string
  /** A digest of the address that pushes went to, which has to be the same later; addresses may hold passwords. */
  readonly address?: string
  /** As people are told. */
  readonly branch: string
  /** Its whole name at the remote. Absent: it is that branch. */
  readonly ref?: string
  /** What it has at the remote before the push, a commit or a tag; null: it is not there. */
  readonly before: string | null
  /** What is pushed; null: it is deleted there. */
  readonly pushed: string | null
  /** True where the program makes the commit itself that it pushes, so that nobody knows it before. Absent: no. */
  readonly made?: boolean
  /** True where the call itself may make what it pushes under that name. Absent: no. */
  readonly late?: boolean
}

export interface Push {
  readonly cwd: string
  readonly remote: string
  readonly branch: string
  /** What the command says that is pushed, word by word. Absent: the branch alone, or nothing. */
  readonly refspecs?: readonly string[]
  readonly deletes: boolean
  /** Branches of the remote go that are not here. Absent: no. */
  readonly prunes?: boolean
  /** The program makes the commit itself. */
  readonly made: boolean
  /** All branches, all tags, all there is. Absent: no. */
  readonly all?: boolean
  readonly tags?: boolean
  readonly mirror?: boolean
}

/** References that one push may change, each with a way back of its own. */
const MAX_REFS = 200

interface Target {
  readonly ref: string
  /** Null: it is deleted, or what is pushed is made by the call itself (`late`). */
  readonly pushed: string | null
  readonly late?: true
  /** The command, or a setting, says its name. */
  readonly named?: true
}

/** Asks each remote that it may go to. @throws where one does not answer, or where it is not known what would be pushed, and so what that overwrites. */
export async function capturePush(push: Push): Promise<readonly GitPush[]> {
  const top = (await git(push.cwd, 'rev-parse', '--show-toplevel')).trim()
  const others = push.refspecs === undefined && push.remote === 'origin' && !push.made ? await usualRemote(top, push.branch) : []
  const ways: GitPush[] = []
  for (const remote of new Set([push.remote, ...others])) ways.push(...(await captureAt(top, { ...push, remote })))
  return ways
}

/** Where a push goes that names no remote, as settings say. */
async function usualRemote(top: string, branch: string): Promise<readonly string[]> {
  const answers = await attempt(() => git(top, 'for-each-ref', '--format=%(push:remotename)', `${HEADS}${branch}`))
  return answers.map((name) => name.trim()).filter((name) => name !== '')
}

async function captureAt(top: string, push: Push): Promise<readonly GitPush[]> {
  const { remote, branch, made } = push
  const url = await pushUrl(top, remote)
  const base = { top, remote, address: digestOf(url) }
  if (made) return [{ ...base, branch, before: (await refsAt(top, url)).get(`refs/heads/${branch}`) ?? null, pushed: null, made }]
  const there = await refsAt(top, url)
  const head = await answerTo(top, 'symbolic-ref', '-q', 'HEAD')
  const targets = new Map((await targetsOf(push, { top, there, head })).map((target) => [target.ref, target]))
  const all = [...targets.values()].map(({ ref, pushed, late, named }) => {
    const name = ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref
    const way: GitPush = { ...base, branch: name, ref, before: there.get(ref) ?? null, pushed, ...(late === true ? { late } : {}) }
    // What is the same now may be changed by the call before it pushes.
    return { way, changes: way.before !== pushed || late === true || named === true || ref === head }
  })
  const changed = all.filter(({ changes }) => changes).map(({ way }) => way)
  if (changed.length > MAX_REFS) throw new Error(`the push would change more than ${MAX_REFS} references of \`${remote}\``)
  return changed.length === 0 ? all.slice(0, 1).map(({ way }) => way) : changed
}

const HEADS = 'refs/heads/'
const TAGS = 'refs/tags/'

/** Everything that the push may change; what it leaves as it is may be among it. */
async function targetsOf(push: Push, { top, there, head }: Omit<Known, 'own' | 'deletes'>): Promise<readonly Target[]> {
  const own = await ownRefs(top)
  const settings = await settingsOf(top, push.remote)
  const isMirror = push.mirror === true || settings.mirror
  const below = (...starts: readonly string[]): readonly Target[] =>
    [...own].flatMap(([ref, pushed]) => (starts.some((start) => ref.startsWith(start)) ? [{ ref, pushed }] : []))
  const gone = (): readonly Target[] => [...there.keys()].flatMap((ref) => (own.has(ref) ? [] : [{ ref, pushed: null }]))
  const named: Target[] = []
  for (const spec of withTags(push.refspecs) ?? [push.deletes ? `:${push.branch}` : push.branch])
    named.push(...(await specTargets(spec, { top, own, there, head, deletes: push.deletes })))
  return [
    ...(isMirror ? [...below('refs/'), ...gone()] : []),
    ...(push.prunes === true ? gone().filter(({ ref }) => ref.startsWith(HEADS)) : []),
    ...(push.all === true || settings.matching ? below(HEADS) : []),
    ...(push.tags === true ? below(TAGS) : []),
    ...[...(push.refspecs === undefined && !push.deletes ? await configured(top, push.branch, { own, settings }) : []), ...named].map(
      (target) => ({ ...target, named: true as const }),
    ),
  ]
}

/** `tag v1` stands for the tag of that name. */
function withTags(specs: readonly string[] | undefined): readonly string[] | undefined {
  return specs?.flatMap((spec, at) =>
    spec === 'tag' && at + 1 < specs.length ? [] : specs[at - 1] === 'tag' ? [`${TAGS}${spec}`] : [spec],
  )
}

interface Known {
  readonly top: string
  readonly own: ReadonlyMap<string, string>
  readonly there: ReadonlyMap<string, string>
  /** The branch that is checked out; null: none is. */
  readonly head: string | null
  readonly deletes: boolean
}

/** `+source:destination`, a name of both, `:destination`. */
async function specTargets(spec: string, { deletes, ...known }: Known): Promise<readonly Target[]> {
  const { there } = known
  const text = spec.replace(/^\+/, '')
  if (text === ':' || text.includes('*') || text.startsWith('^')) throw new Error(`it is not known what \`${spec}\` would push`)
  const [named = '', source = deletes && !text.includes(':') ? '' : named] = text.split(/:(?=[^:]*$)/).toReversed()
  if (source === '') return [{ ref: whole(named, there) ?? `${HEADS}${named}`, pushed: null }]
  const { local, pushed } = await sourceOf(source, known)
  // A branch or a tag that the call makes before it pushes.
  if (pushed === null) return madeLater(text.includes(':') ? (whole(named, there) ?? `${HEADS}${named}`) : source)
  if (!text.includes(':')) return local === null ? [] : [{ ref: local, pushed }]
  const kind = local?.startsWith(TAGS) === true ? TAGS : HEADS
  return [{ ref: whole(named, there) ?? `${kind}${named}`, pushed }]
}

function madeLater(name: string): readonly Target[] {
  const refs = name.startsWith('refs/') ? [name] : [`${HEADS}${name}`, `${TAGS}${name}`]
  return refs.map((ref) => ({ ref, pushed: null, late: true }))
}

/** The reference of one's own that a name stands for, where it stands for one, and what it has. */
async function sourceOf(
  name: string,
  { top, own, head }: Pick<Known, 'top' | 'own' | 'head'>,
): Promise<{ readonly local: string | null; readonly pushed: string | null }> {
  const local = name === 'HEAD' ? head : whole(name, own)
  const known = local === null ? undefined : own.get(local)
  return { local, pushed: known ?? (await answerTo(top, 'rev-parse', '--verify', '-q', '--end-of-options', local ?? name)) }
}

/** Null: git has none. */
async function answerTo(top: string, ...words: readonly string[]): Promise<string | null> {
  const [answer = ''] = await attempt(() => git(top, ...words))
  return answer.trim() === '' ? null : answer.trim()
}

/** The name as a branch, or as a tag, whichever is there; null: neither is. */
function whole(name: string, refs: ReadonlyMap<string, string>): string | null {
  if (name.startsWith('refs/')) return name
  if (/^(?:heads|tags)\//.test(name)) return `refs/${name}`
  return [`${HEADS}${name}`, `${TAGS}${name}`].find((ref) => refs.has(ref)) ?? null
}

interface PushSettings {
  readonly mirror: boolean
  readonly matching: boolean
  /** Of `remote.<name>.push`. */
  readonly specs: readonly string[]
}

/** Settings that choose what is pushed where the command does not. */
async function settingsOf(top: string, remote: string): Promise<PushSettings> {
  const asked = ['config', '--null', '--get-regexp', '^(push\\.default|remote\\..*\\.(mirror|push))$']
  const answers = (await attempt(() => git(top, ...asked))).flatMap(namesIn).map((line) => settingIn(line))
  const all = (name: string): readonly (string | null)[] => answers.flatMap(([key, value]) => (key === name ? [value] : []))
  return {
    mirror: isOn(all(`remote.${remote}.mirror`).at(-1)),
    matching: all('push.default').at(-1) === 'matching',
    specs: all(`remote.${remote}.push`).flatMap((value) => value ?? []),
  }
}

/** The name, and what it is set to; null: the setting stands there alone. */
function settingIn(line: string): readonly [key: string, value: string | null] {
  const end = line.indexOf('\n')
  return end === -1 ? [line, null] : [line.slice(0, end), line.slice(end + 1)]
}

/** As git reads a setting that is on or off; what it would refuse counts as on. */
function isOn(value: string | null | undefined): boolean {
  return value !== undefined && (value === null || !/^(?:false|no|off|[-+]?0+[kmg]?)?$/i.test(value))
}

/** Where the settings push the branch: under another name, or with others. */
async function configured(
  top: string,
  branch: string,
  { own, settings }: { readonly own: ReadonlyMap<string, string>; readonly settings: PushSettings },
): Promise<readonly Target[]> {
  const pushed = own.get(`${HEADS}${branch}`)
  if (settings.specs.length === 0) {
    const asked = ['for-each-ref', '--format=%(push:remoteref)', `${HEADS}${branch}`]
    const answers = [
      ...(await attempt(() => git(top, ...asked))),
      ...(await attempt(() => git(top, 'config', '--get', `branch.${branch}.merge`))),
    ]
    const refs = answers.map((answer) => answer.trim()).filter((ref) => ref !== '')
    return pushed === undefined ? [] : refs.map((ref) => ({ ref, pushed }))
  }
  return settings.specs.flatMap((spec) => byPattern(spec.replace(/^\+/, ''), own))
}

/** `refs/heads/*:refs/heads/mine/*`. */
function byPattern(spec: string, own: ReadonlyMap<string, string>): readonly Target[] {
  const [from = '', to = from] = spec.split(':')
  const full = (name: string): string => (name.startsWith('refs/') ? name : `${HEADS}${name}`)
  const [start = '', end] = full(from).split('*')
  return [...own].flatMap(([ref, pushed]) => {
    if (end === undefined) return ref === start ? [{ ref: full(to), pushed }] : []
    const isIn = ref.startsWith(start) && ref.endsWith(end) && ref.length >= start.length + end.length
    return isIn ? [{ ref: full(to).replace('*', () => ref.slice(start.length, ref.length - end.length)), pushed }] : []
  })
}

async function ownRefs(top: string): Promise<ReadonlyMap<string, string>> {
  const lines = linesIn(await git(top, 'for-each-ref', '--format=%(objectname) %(refname)'))
  const all = lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const)
  return new Map(all.filter(([ref]) => !ref.startsWith('refs/countersign/')))
}

/** Where a push to the remote goes; a remote without a name is its own address. @throws where it goes to several. */
async function pushUrl(top: string, remote: string): Promise<string> {
  const [text = remote] = await attempt(() => git(top, 'remote', 'get-url', '--push', '--all', '--', remote))
  const [url = remote, ...more] = linesIn(text)
  if (more.length > 0) throw new Error(`\`${remote}\` leads to several repositories`)
  return url
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** References of the remote, or the one that is asked for. */
async function refsAt(top: string, url: string, ref?: string): Promise<ReadonlyMap<string, string>> {
  const lines = linesIn(await git(top, 'ls-remote', '--refs', '--', url, ...(ref === undefined ? [] : [ref])))
  return new Map(
    lines.flatMap((line) => (/^[0-9a-f]{40,64}\t/.test(line) ? [[line.slice(line.indexOf('\t') + 1), line.split('\t')[0] ?? '']] : [])),
  )
}

/** The words for git that push the reference back; a reason where that is not possible, null where nothing is to be done. */
export async function pushBack(push: GitPush): Promise<readonly string[] | { readonly problem: string } | null> {
  const { top, remote, address, branch, before, ref = `${HEADS}${branch}` } = push
  const url = await pushUrl(top, remote)
  if (address !== undefined && digestOf(url) !== address) return { problem: `the remote \`${remote}\` leads to another repository now` }
  const now = (await refsAt(top, url, ref)).get(ref) ?? null
  if (now === before) return null
  const isOwn = await isMadeBy(push, { top, url, ref, remote }, now)
  if (!isOwn) return { problem: `\`${branch}\` at \`${remote}\` was changed by somebody else since` }
  const lease = `--force-with-lease=${ref}:${now ?? ''}`
  const words = ['push', lease, remote, `${before ?? ''}:${ref}`]
  // Git pushes no single reference to a remote that mirrors all, unless it is told so by words that the gate takes for another repository.
  if ((await settingsOf(top, remote)).mirror)
    return {
      problem: `\`${remote}\` mirrors everything; a person pushes it back: \`git -c remote.${remote}.mirror=false ${words.join(' ')}\``,
    }
  if (before === null) return words
  if ((await attempt(() => git(top, 'cat-file', '-e', before))).length === 0)
    return { problem: `the commit ${before} is not in this repository; fetch it first` }
  return words
}

/**
 * True where this repository pushed it there, right after what was there before: a call may make the commit that it pushes. Git notes each push of a
 * branch; of a tag there is no such note, so it has to be the same here.
 */
async function isPushedFromHere(
  { top, remote, ref }: { readonly top: string; readonly remote: string; readonly ref: string },
  now: string,
  before: string | null,
): Promise<boolean> {
  if (!ref.startsWith(HEADS)) return (await ownRefs(top)).get(ref) === now
  const tracking = `refs/remotes/${remote}/${ref.slice(HEADS.length)}`
  const notes = (await attempt(() => git(top, 'log', '-g', '--format=%H %gs', tracking, '--'))).flatMap(linesIn)
  const at = notes.indexOf(`${now} update by push`)
  if (at === -1) return false
  const earlier = await answerTo(top, 'rev-parse', '--verify', '-q', `${tracking}@{${at + 1}}`)
  return (earlier === null || /^0+$/.test(earlier) ? null : earlier) === before
}

/** True where what is there now is what the call pushed. */
async function isMadeBy(
  { before, pushed, made = false, late = false }: GitPush,
  at: { readonly top: string; readonly url: string; readonly ref: string; readonly remote: string },
  now: string | null,
): Promise<boolean> {
  if (made) return now !== null && (await isNextOf(at, now, before))
  return (now === pushed && !late) || (now !== null && (await isPushedFromHere(at, now, before)))
}

/** True where the commit is the one right after: what the program made, unless somebody made one in its place. */
async function isNextOf(
  { top, url, ref }: { readonly top: string; readonly url: string; readonly ref: string },
  commit: string,
  before: string | null,
): Promise<boolean> {
  const quiet = [
    '-c',
    'gc.auto=0',
    '-c',
    'maintenance.auto=false',
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
  ]
  await git(top, ...quiet, '--', url, ref)
  const [line = ''] = linesIn(await git(top, 'rev-list', '--parents', '--max-count=1', commit))
  const parents = line.split(' ').slice(1)
  return parents.join(' ') === (before ?? '')
}
