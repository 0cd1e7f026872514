/** Collects what a tool call comes to: the one place where uses of arguments become effects. */
import { childPointer, isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { type Effect, type EffectOptions, effect, opaque, type Span, type Target, type TargetKind, target, type Verb } from '../effect.ts'
import type { CommandFact, ScriptFact, WrittenFact } from '../facts.ts'
import { isShare, pathTarget } from '../resources/path/index.ts'
import { inspectHost, inspectPath } from '../resources/path/injection.ts'
import { patchEffects } from '../resources/text/patch.ts'
import { shellWord, shellWords } from '../resources/text/quote.ts'
import { describeUrl, hostTarget, urlAttributes, urlTarget } from '../resources/url/index.ts'
import type { View } from '../view.ts'
import { isNotebook, notebook } from './notebook.ts'
import type { Analysed, Analysers, Argument, CommandLine, ToolContext, Use } from './spec.ts'

export interface CollectorOptions {
  readonly args: JsonObject
  readonly view: View
  readonly cwd: string | null
  readonly analysers: Analysers
  /** Longest text that is analysed as code, in UTF-16 units; longer text becomes opaque. */
  readonly maxCommandBytes: number
}

const PATH_VERBS: Readonly<Partial<Record<Use, { readonly verb: Verb; readonly action?: string }>>> = {
  read: { verb: 'read' },
  list: { verb: 'read', action: 'fs:list' },
  write: { verb: 'write' },
  delete: { verb: 'delete' },
  move: { verb: 'delete', action: 'fs:move' },
  execute: { verb: 'execute' },
  change: { verb: 'change' },
}

export class Collector implements ToolContext {
  readonly effects: Effect[] = []
  readonly commands: CommandFact[] = []
  readonly scripts: ScriptFact[] = []
  /** Files that analysed code would write. */
  readonly written: WrittenFact[] = []
  partial = false
  readonly view: View
  cwd: string | null
  readonly #options: CollectorOptions

  constructor(options: CollectorOptions) {
    this.#options = options
    this.view = options.view
    this.cwd = options.cwd
  }

  get args(): JsonObject {
    return this.#options.args
  }

  value(name: string): Json | undefined {
    return own(this.#options.args, name)
  }

  text(...names: readonly string[]): string | null {
    for (const name of names) {
      const value = this.value(name)
      if (typeof value === 'string' && value !== '') return value
    }
    return null
  }

  all(pattern: string): readonly Argument[] {
    if (!pattern.includes('.') && pattern !== '*') return this.#one(pattern)
    let found: { value: Json; pointer: string }[] = [{ value: this.#options.args, pointer: '' }]
    for (const name of pattern.split('.')) found = found.flatMap(({ value, pointer }) => step(value, pointer, name))
    return found.flatMap(({ value, pointer }) => (typeof value === 'string' ? [{ text: value, pointer }] : []))
  }

  #one(name: string): readonly Argument[] {
    const value = this.value(name)
    return typeof value === 'string' ? [{ text: value, pointer: childPointer('', name) }] : []
  }

  emit(verb: Verb, on: Target, options: EffectOptions = {}): void {
    if (verb === 'opaque') this.partial = true
    this.effects.push(effect(verb, on, options))
  }

  thing(kind: TargetKind, value: string): Target {
    return value === '' ? target('unknown', '') : target(kind, value)
  }

  opaque(reason: string, span: Span | null = null): void {
    this.partial = true
    this.effects.push(opaque(reason, span))
  }

  use(use: Use, argument: Argument, options: EffectOptions = {}): void {
    if (argument.text === '' || use === 'ignore') return
    const onPath = PATH_VERBS[use]
    if (onPath !== undefined)
      this.#path(onPath.verb, argument, onPath.action === undefined ? options : { action: onPath.action, ...options })
    else if (use === 'cwd') this.cwd = pathTarget(argument.text, this.cwd, this.view).real
    else if (use === 'fetch' || use === 'send') this.#url(use, argument, options)
    else if (use === 'contact') this.#host(argument, options)
    else this.#code(use, argument, options)
  }

  #path(verb: Verb, argument: Argument, options: EffectOptions): void {
    const { text } = argument
    if (/^file:/i.test(text)) {
      const local = ownFile(text, this)
      if (local === null) this.#url(verb === 'read' ? 'fetch' : 'send', argument, options)
      else this.emit(verb, local, { span: whole(argument), ...options })
      return
    }
    const span = whole(argument)
    const on = pathTarget(text, this.cwd, this.view)
    const { injection, reached } = inspectPath(text, this.cwd, this.view)
    const links = on.real !== null && on.scope !== 'device' && verb !== 'execute' ? this.view.realpath(on.real).links : 1
    const attributes = {
      ...options.attributes,
      ...(injection === null ? {} : { injection }),
      ...(links > 1 && (on.scope === 'workspace' || on.scope === 'temporary') ? { hard_links: links } : {}),
    }
    this.emit(verb, on, { span, ...options, attributes })
    if (reached !== null)
      this.emit(verb, reached, { span, ...options, certainty: 'possible', reason: 'another reading of the path', attributes })
    if (isShare(text)) this.emit('fetch', hostTarget(text.split('\\')[2] ?? ''), { span, action: 'net:share', certainty: 'possible' })
  }

  #url(verb: 'fetch' | 'send', argument: Argument, options: EffectOptions): void {
    const facts = describeUrl(argument.text)
    const own = facts.scheme === 'file' && verb === 'fetch' ? ownFile(argument.text, this) : null
    if (own !== null) {
      this.emit('read', own, { span: whole(argument), ...options })
      return
    }
    const service = facts.kind !== null && DROPS.has(facts.kind) ? { service: facts.kind } : {}
    const attributes = { ...urlAttributes(facts), ...service, ...options.attributes }
    this.emit(verb, urlTarget(argument.text), { span: whole(argument), ...options, attributes })
    const local = localPath(argument.text, facts.scheme)
    if (local !== null) this.emit('read', pathTarget(local, this.cwd, this.view), { span: whole(argument), certainty: 'likely' })
  }

  #host(argument: Argument, options: EffectOptions): void {
    const injection = inspectHost(argument.text)
    const attributes = { ...options.attributes, ...(injection === null ? {} : { injection }) }
    this.emit('fetch', hostTarget(argument.text), { span: whole(argument), action: 'net:contact', ...options, attributes })
  }

  #code(use: Use, argument: Argument, options: EffectOptions): void {
    const { text, pointer } = argument
    if (text.length > this.#options.maxCommandBytes) {
      this.opaque(`the ${use} text is longer than ${this.#options.maxCommandBytes} characters and was not analysed`, whole(argument))
      return
    }
    const { analysers } = this.#options
    if (use === 'patch') {
      for (const found of patchEffects(argument, { cwd: this.cwd, view: this.view })) this.effects.push(found)
      return
    }
    if (use === 'sql') {
      const database = target('database', this.text('database', 'db', 'dbname', 'connection_string', 'dsn') ?? 'database')
      for (const found of analysers.sql(text, { span: whole(argument), database })) this.#add(found, options)
      return
    }
    if (use === 'python' && isNotebook(text)) {
      const { shell, python } = notebook(text)
      for (const part of shell) this.#code('shell', { text: part, pointer }, options)
      if (python !== '') this.#code('python', { text: python, pointer }, options)
      return
    }
    const script = use === 'shell' ? text : `${INTERPRETERS[use] ?? 'sh -c'} ${shellWord(text)}`
    const analysed = analysers.shell(script, { pointer, cwd: this.cwd })
    this.add(use === 'shell' ? analysed : moved(analysed, whole(argument)), options)
  }

  /** Reads the program that a tool runs; its words are in the call only one by one, so nothing of it is a place there. */
  run(line: CommandLine | null, options: EffectOptions): void {
    if (line === null) {
      this.opaque('what the tool is told to do is not known')
      return
    }
    const script = line.lines.map(shellWords).join(' && ')
    const analysed = this.#options.analysers.shell(script, { pointer: '', cwd: this.cwd })
    const at = line.directory === undefined ? {} : { directory: line.directory }
    const effects = analysed.effects.map((found) => ({ ...found, ...at, span: null }))
    this.add({ ...moved(analysed, { pointer: '', start: 0, end: 0 }), effects }, options)
  }

  /** Takes over what an analyser found; `options` lower its certainty or add attributes. */
  add(analysed: Analysed, options: EffectOptions = {}): void {
    for (const found of analysed.effects) this.#add(found, options)
    this.commands.push(...analysed.commands)
    this.scripts.push(...analysed.scripts)
    this.written.push(...(analysed.written ?? []))
    if (analysed.coverage === 'partial') this.partial = true
  }

  #add(found: Effect, options: EffectOptions): void {
    const attributes = options.attributes === undefined ? found.attributes : { ...options.attributes, ...found.attributes }
    const certainty = found.certainty === 'certain' ? (options.certainty ?? 'certain') : found.certainty
    if (found.verb === 'opaque') this.partial = true
    const same = attributes === found.attributes && certainty === found.certainty
    this.effects.push(same ? found : { ...found, attributes, certainty })
  }
}

const INTERPRETERS: Readonly<Partial<Record<Use, string>>> = {
  python: 'python3 -c',
  javascript: 'node -e',
  applescript: 'osascript -e',
  powershell: 'pwsh -Command',
}

/** Kinds of public service that local data is dropped at. */
const DROPS: ReadonlySet<string> = new Set(['paste', 'file-sharing', 'webhook-catcher', 'message-webhook', 'tunnel'])

export function whole({ text, pointer }: Argument): Span {
  return { pointer, start: 0, end: text.length }
}

function step(value: Json, pointer: string, name: string): { value: Json; pointer: string }[] {
  if (name === '*') {
    return Array.isArray(value) ? value.map((item: Json, i) => ({ value: item, pointer: childPointer(pointer, i) })) : []
  }
  if (!isJsonObject(value)) return []
  const child = own(value, name)
  return child === undefined ? [] : [{ value: child, pointer: childPointer(pointer, name) }]
}

/** The path of a `file:` URL or of a socket behind one. */
function localPath(text: string, scheme: string | null): string | null {
  if (scheme !== 'file' && scheme !== 'unix' && scheme !== 'http+unix') return null
  const rest = text.slice(text.indexOf(':') + 1)
  const path = rest.startsWith('//') ? rest.slice(2) : rest
  try {
    const decoded = decodeURIComponent(path).replaceAll('\\', '/')
    const slash = decoded.indexOf('/')
    return slash < 0 ? null : `/${decoded.slice(slash).split('/').filter(Boolean).join('/')}`
  } catch {
    return path
  }
}

/** The file of the work that a `file:` URL without a host names, which editors write for any path; null for all others. */
function ownFile(text: string, { cwd, view }: { readonly cwd: string | null; readonly view: View }): Target | null {
  if (!/^file:(?:\/{1}|\/{3}|\/\/localhost\/)[^/\\]/i.test(text) || /[\\]|%(?:25|2e|2f|5c|00)/i.test(text)) return null
  const path = localPath(text, 'file')
  const found = path === null ? null : pathTarget(path, cwd, view)
  return found !== null && found.classes.length === 0 && (found.scope === 'workspace' || found.scope === 'temporary') ? found : null
}

/** Offsets inside a wrapper that the call never had are no places in the call. */
function moved(analysed: Analysed, span: Span): Analysed {
  return {
    ...analysed,
    effects: analysed.effects.map((found) => ({ ...found, span })),
    commands: analysed.commands.map((command) => ({ ...command, span })),
  }
}
