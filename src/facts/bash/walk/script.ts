import { hasClass, lowOpaque, type Target } from '../../effect.ts'
import type { CodeAt, Invocation, Language, Word } from '../../host.ts'
import { languageOf } from '../../programs/loads.ts'
import { isDescriptorPath } from '../../resources/acts.ts'
import { pathTarget } from '../../resources/path/index.ts'
import { decodeBase64 } from '../../resources/text/decode-bytes.ts'
import { sharpParts } from '../../resources/text/sharp.ts'
import type { FileAnswer } from '../../view.ts'
import { globbed } from '../expand/glob.ts'
import { madeHere } from '../flow/built.ts'
import { ranFetched } from '../flow/fetched.ts'
import { NOWHERE, remoteSource, runDecoded, runUnknown } from '../flow/flow.ts'
import { givenTo, givesUnknown, isOfProject, walkFrom } from '../flow/project.ts'
import { LIMITS } from '../state/budget.ts'
import type { Written } from '../state/files.ts'
import { joinLeft } from '../state/join.ts'
import { type ExecutionContext, emitAt, type Frame, inherits, opaqueAt, type Scope } from '../state/state.ts'
import { fileKey, isPerhapsLinked, keyOf, pathOf } from './target.ts'

/** Script files: content this very call wrote, or content read through the View, whose digest approvals bind to (T02). */

export interface ScriptHost {
  readonly site: ExecutionContext
  readonly invocation: Invocation
  /** Analyses known source text. */
  source(language: Language, text: string, at: Pick<CodeAt, 'span' | 'inFile'>): void
}

export interface ScriptRun {
  /** Null: by its first line, else by its extension. */
  readonly language: Language | null
  readonly path: Word
  readonly args: readonly Word[]
  /** Runs in the calling shell (`source`). */
  readonly sourced?: boolean
}

/** Analyses a script file as an interpreter would run it. False where its content could not be had. */
export function runScript(context: ScriptHost, run: ScriptRun): boolean {
  const { site } = context
  const { path } = run
  const key = fileKey(path, site)
  if (path.text === null || key === null) return runUnnamed(context, run)
  const inline = path.text.startsWith('data:') ? dataOf(path.text) : null
  if (inline !== null) {
    runText(context, run, inline)
    return true
  }
  if (isPerhapsLinked(path, site))
    opaqueAt(site, `whether \`${path.text}\` leads where this call links it to is not known before it runs`, path.span)
  const written = site.analysis.files.written.get(key)
  if (written !== undefined && !runWritten(context, run, written)) return false
  const file = pathOf(path, site)
  const { span } = path
  if (written === undefined && ranFetched(site, { ...file, value: path.text }, { span, by: context.invocation.name })) return false
  if (typeof written?.text === 'string') {
    execute(site, file, { path, action: 'script:run' })
    const own = written.edited === true && isOfProject(file, site) ? key : null
    runKnownText(context, run, { key, text: written.text, own })
    return true
  }
  return runStanding(context, run, { file, key, isDescriptor: isDescriptorPath(path.text) })
}

interface Standing {
  readonly file: Target
  readonly key: string
  readonly isDescriptor: boolean
}

/** A file that this call did not write, as the View has it. */
function runStanding(context: ScriptHost, run: ScriptRun, { file, key, isDescriptor }: Standing): boolean {
  const source = copyOf(key, context.site) ?? leadsTo(file, context.site) ?? file
  return runFile(context, run, { file: isDescriptor ? source : file, source })
}

/** A script whose path is not known: all that it may match, or what nobody knows. */
function runUnnamed(context: ScriptHost, run: ScriptRun): boolean {
  if (runMatching(context, run)) return true
  const { path, language } = run
  const source = { ...NOWHERE, from: path.from ?? [], decoded: path.decoded === true }
  runUnknown(context.site, source, { language: language ?? 'shell', span: path.span, by: context.invocation.name })
  return false
}

interface KnownText {
  readonly key: string
  readonly text: string
  /** The file of the project that it is, edited by this call. */
  readonly own: string | null
}

function runKnownText(context: ScriptHost, run: ScriptRun, { key, text, own }: KnownText): void {
  const { running } = context.site.analysis
  const first = !running.has(key)
  running.add(key)
  walkFrom(context.site, own, { walk: () => runText(context, run, text) })
  if (first) running.delete(key)
}

/** A pattern below the work, such as `tests/*.sh`: what is there is read, as any script of the workspace. */
const isBelow = (pattern: string): boolean =>
  pattern.length <= 512 && /^[\w@.*?-][\w@.*?/-]*$/.test(pattern) && !pattern.split('/').includes('..')

/** Of more files than these is nothing read. */
const MAX_MATCHED = 16

/** False where the pattern stands for nothing that is there, or for much, or may stand for something that this call makes or that lies elsewhere. */
function runMatching(context: ScriptHost, run: ScriptRun): boolean {
  const { site } = context
  const { path } = run
  const { analysis, scope } = site
  if (!path.glob || path.text === null || path.dynamic || !isBelow(path.text)) return false
  // Scripts that start all of each other would be as many ways as there are orders of them.
  if (scope.cwd === null || scope.remote || analysis.files.written.size + analysis.files.trees.size + analysis.running.size > 0)
    return false
  const found = globbed(path.text, scope.cwd, analysis.view)
  if (found.length === 0 || found.length > MAX_MATCHED) return false
  for (const file of found) runScript(context, { ...run, path: { ...path, text: file, prefix: file, glob: false } })
  return true
}

/** The text of a `data:` address; null where it is none. */
function dataOf(address: string): string | null {
  const [, parameters = '', text = ''] = /^data:([^,]*),(.*)$/s.exec(address) ?? []
  if (text === '') return null
  if (/;base64$/i.test(parameters)) return decodeBase64(text)
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The file that was there before this call, of which the one at the path is a copy or to which it is a link; null where it is none. */
export function standsFor(path: Word, site: ExecutionContext): Target | null {
  const key = site.analysis.files.written.size === 0 ? null : fileKey(path, site)
  return key === null ? null : (copyOf(key, site) ?? leadsTo(pathOf(path, site), site))
}

/** What this call put into a file, copies and links of its own included: null text where that is not known, null where it did not. */
export function putThere(path: Word, site: ExecutionContext): { readonly text: string | null } | null {
  const { analysis, scope } = site
  const key = analysis.files.written.size + analysis.files.links.size === 0 ? null : fileKey(path, site)
  if (key === null) return null
  const own = analysis.files.written.get(key)
  if (own !== undefined && own.same === undefined) return own
  const source = copyOf(key, site) ?? leadsTo(pathOf(path, site), site)
  if (source === null) return own ?? null
  const before = analysis.files.written.get(keyOf(source))
  if (before !== undefined) return before
  const answer = source.real === null || scope.remote ? null : analysis.view.read(source.real, LIMITS.file)
  return { text: answer === null || answer.truncated ? null : answer.text }
}

/** Absolute directories of the scripts that run, the innermost first, and the one in effect. */
export function besideScripts({ analysis, scope }: ExecutionContext, cwd: string | null): readonly string[] {
  if (scope.remote) return []
  const scripts = [...analysis.running].reverse().map((path) => path.slice(0, Math.max(1, path.lastIndexOf('/'))))
  return [...new Set([...scripts, ...(cwd === null ? [] : [cwd])])].filter((path) => path.startsWith('/')).slice(0, 8)
}

/** The text of a file that this call or an earlier one put there, its beginning where it is long. */
export function broughtText(path: Word, site: ExecutionContext): string | null {
  const put = putThere(path, site)
  if (put !== null) return put.text
  const { real } = pathOf(path, site)
  const { earlier, view } = site.analysis
  // Most words name no file: the session's memory, which answers a limited number of questions, is not asked about these.
  if (real === null || site.scope.remote || view.realpath(real).type !== 'file') return null
  return earlier.file(real) === undefined && earlier.above(real) === null ? null : (view.read(real, LIMITS.file)?.text ?? null)
}

/** Where a link leads that this call made. */
function leadsTo(file: Target, { analysis }: ExecutionContext): Target | null {
  return file.real === null || analysis.files.links.size === 0 ? null : (analysis.files.links.get(file.real) ?? null)
}

/** How many directories above a file are looked at for one that was copied. */
const MAX_PARENTS = 12

function copyOf(key: string, { analysis }: ExecutionContext): Target | null {
  const { view } = analysis
  const { written: files } = analysis.files
  const own = files.get(key)
  if (own !== undefined) return own.same ?? null
  if (files.size === 0) return null
  let at = key.lastIndexOf('/')
  for (let count = 0; at > 0 && count < MAX_PARENTS; at = key.lastIndexOf('/', at - 1), count++) {
    const same = files.get(key.slice(0, at))?.same
    if (same?.real !== undefined && same.real !== null) return pathTarget(same.real + key.slice(at), null, view)
  }
  return null
}

/** Content that this script put there. False where it stays unknown, which is then said. */
function runWritten(context: ScriptHost, run: ScriptRun, written: Written): boolean {
  const { site } = context
  const staged = !isDescriptorPath(run.path.text)
  const running = { language: run.language ?? 'shell', span: run.path.span, by: context.invocation.name, staged } as const
  const remote = remoteSource(written.from, site.analysis) !== null
  if (written.text === null || remote) {
    if (remote || written.decoded || (!staged && written.same === undefined)) {
      runUnknown(site, { from: written.from, producers: [], decoded: written.decoded }, running)
      return false
    }
    if (written.fresh === true)
      site.analysis.add(
        lowOpaque(`\`${run.path.text}\` is compiled from what this call wrote, which is read by its words only`, run.path.span),
      )
    if (written.built === true || written.same !== undefined) return true
    // What it was is read; of what was put in it is known that it does nothing. In a shell every word may be a command.
    if (written.edited === true && run.language !== null && run.language !== 'shell') return true
    opaqueAt(site, `\`${run.path.text}\` is written by this call, and what is in it is not known`, run.path.span)
    execute(site, pathOf(run.path, site), { path: run.path, action: 'script:unseen' })
    return false
  }
  if (written.decoded) runDecoded(site, written.text, running)
  return true
}

/** The file at the path, whose content is that of `source`. */
function runFile(context: ScriptHost, run: ScriptRun, { file, source }: { readonly file: Target; readonly source: Target }): boolean {
  const { site } = context
  const { analysis } = site
  const absolute = source.real ?? (run.path.text?.startsWith('/') ? run.path.text : null)
  const answer = absolute === null || site.scope.remote ? null : analysis.view.read(absolute, LIMITS.file)
  if (answer === null || isProgram(answer.text, run)) {
    if (source !== file && answer === null)
      opaqueAt(site, `\`${run.path.text}\` is a copy of \`${source.value}\`, which cannot be read`, run.path.span)
    const own = madeHere(keyOf(file), analysis)
    execute(site, file, { path: run.path, action: 'script:unseen', own })
    analysis.partial = true
    return false
  }
  const key = keyOf(source)
  named(site, key, answer.digest)
  execute(site, file, { path: run.path, action: 'script:run', digest: answer.digest })
  if (analysis.running.has(key)) return true
  if (source === file && isOfProject(file, site) && !givesUnknown(givenTo(run.args, site), site)) walkOwn(context, run, { key, answer })
  else
    walkFrom(site, null, {
      walk: () => {
        if (answer.truncated) opaqueAt(site, `\`${run.path.text}\` is longer than what can be analysed`, run.path.span)
        walkText(context, run, { key, text: answer.text })
      },
    })
  return true
}

function walkText(context: ScriptHost, run: ScriptRun, { key, text }: { readonly key: string; readonly text: string }): void {
  const { running } = context.site.analysis
  running.add(key)
  runText(context, run, text.replaceAll('\0', ''))
  running.delete(key)
}

/** A file of the project. Of a long program, and of one that is more than can be walked, the parts that may do harm are looked at. */
function walkOwn(context: ScriptHost, run: ScriptRun, { key, answer }: { readonly key: string; readonly answer: FileAnswer }): void {
  const { site } = context
  const loaded = site.scope.attributes?.loaded !== undefined
  const { text } = loaded && answer.truncated ? (site.analysis.view.read(key, LONGEST_LOADED) ?? answer) : answer
  const language = run.language ?? shebang(text) ?? languageOf(run.path.text ?? '')
  const long = language !== 'shell' && text.length > (loaded ? LONGEST_LOADED_WHOLE : LONGEST_WHOLE)
  const parts = (): void => walkText(context, run, { key, text: sharpParts(language, text) })
  walkFrom(site, key, {
    walk: () => {
      if (answer.truncated && !loaded) opaqueAt(site, `\`${run.path.text}\` is longer than what can be analysed`, run.path.span)
      if (long) parts()
      else walkText(context, run, { key, text })
    },
    parts,
  })
}

/** Characters of a program of the project that is followed as a whole: of a longer one, the parts are. */
const LONGEST_WHOLE = 16_384
const LONGEST_LOADED_WHOLE = 6_144
/** Bytes read of a file that a program of the project loads, whose parts alone are looked at. */
const LONGEST_LOADED = 4 * LIMITS.file

const BINARY = /[\x01-\x08\x0e-\x1a\x1c-\x1f\ufffd]/

/** A compiled program or an archive of one; a zero byte alone makes none of what a shell reads, nor of plain text that an interpreter is given. */
function isProgram(text: string, { language, path }: ScriptRun): boolean {
  if (!text.includes('\0')) return false
  const reads = language ?? shebang(text) ?? (/\.(?:ba|z|k)?sh$/.test(path.text ?? '') ? 'shell' : null)
  return reads === null || (reads !== 'shell' && BINARY.test(text))
}

function named({ analysis }: ExecutionContext, path: string, digest: string): void {
  if (!analysis.scripts.some((script) => script.path === path)) analysis.scripts.push({ path, digest })
}

/** A project file whose recipes run. */
export function ranProject(site: ExecutionContext, path: Word, digest: string): void {
  const file = pathOf(path, site)
  named(site, keyOf(file), digest)
  execute(site, file, { path, action: 'script:project', digest })
}

function execute(
  site: ExecutionContext,
  file: Target,
  at: { readonly path: Word; readonly action: string; readonly digest?: string; readonly own?: boolean },
): void {
  // An interpreter prints the lines of what it cannot read.
  if (hasClass(file, 'credential')) emitAt(site, file, { verb: 'read', span: at.path.span })
  emitAt(
    site,
    { ...file, kind: 'script' },
    {
      verb: 'execute',
      action: at.action,
      span: at.path.span,
      certainty: at.action === 'script:unseen' ? 'likely' : 'certain',
      ...(at.digest === undefined ? {} : { attributes: { digest: at.digest } }),
      ...(at.own === true ? { attributes: { compiled: true } } : {}),
    },
  )
}

/** Runs the text of a script, in this shell where it is sourced. */
export function runText(context: ScriptHost, run: ScriptRun, text: string): void {
  const { site } = context
  const language = run.language ?? shebang(text) ?? languageOf(run.path.text ?? '')
  if (language !== 'shell') {
    context.source(language, text, { span: run.path.span, inFile: true })
    return
  }
  if (site.scope.wrappers.length >= LIMITS.wrappers) {
    opaqueAt(site, 'the chain of scripts is too deep to be analysed', run.path.span)
    return
  }
  const scope = run.sourced === true ? site.scope : site.scope.started((name) => inherits(name, site))
  const before = { positional: scope.positional, wrappers: scope.wrappers, returns: scope.returns }
  const left: Scope[] = []
  scope.returns = left
  if (run.sourced !== true || run.args.length > 0) scope.positional = [run.path, ...run.args]
  scope.wrappers = [...scope.wrappers, run.path.text ?? '']
  scope.depth++
  const frame: Frame = { pointer: run.path.span.pointer, fixed: run.path.span }
  site.walker.text(text, { ...site, scope, frame, captured: false })
  joinLeft({ ...site, scope }, left)
  scope.depth--
  scope.positional = before.positional
  scope.wrappers = before.wrappers
  scope.returns = before.returns
}

const INTERPRETERS: readonly (readonly [RegExp, Language])[] = [
  [/^(?:ba|z|da|k|mk|a)?sh$/, 'shell'],
  [/^python[\d.]*$/, 'python'],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, 'node'],
  [/^perl[\d.]*$/, 'perl'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^php[\d.]*$/, 'php'],
  [/^[gmn]?awk$/, 'awk'],
  [/^g?sed$/, 'sed'],
  [/^lua[\d.]*$/, 'lua'],
  [/^pwsh$/, 'powershell'],
]

/** The language named by `#!`; null without one. */
export function shebang(text: string): Language | null {
  if (!text.startsWith('#!')) return null
  const words = text.slice(2, 200).split('\n', 1)[0]?.trim().split(/\s+/) ?? []
  const names = words.filter((word) => !word.startsWith('-')).map((word) => word.slice(word.lastIndexOf('/') + 1))
  const name = names[0] === 'env' ? names[1] : names[0]
  return INTERPRETERS.find(([pattern]) => name !== undefined && pattern.test(name))?.[1] ?? null
}
