import type { JsonObject } from '../../../core/json.ts'
import { type Effect, type EffectOptions, effect, hasClass, LOW_OPAQUE, type Span, type Target, target, type Verb } from '../../effect.ts'
import type { CommandContext, Input, Language, Word } from '../../host.ts'
import { changePath, deletePath, isAddress, reachData, reachUrl, readPath, writePath } from '../../resources/acts.ts'
import { secretName } from '../../resources/secret/names.ts'
import { belongs } from '../../resources/secret/owners.ts'
import { LIMITS } from '../limits.ts'
import { carriedFrom, payloadOf } from './payload.ts'
import { reportBody } from './queries.ts'
import { has, known, pieces } from './reading.ts'
import type { ExecutionState } from './state.ts'
import { CLEAN, FROM, flag, joinTaint, options, type Taint, taintOf, UNKNOWN, type Value } from './value.ts'

/** What calls do, said to the context: values become words, what is unknown becomes opaque with a reason. */

/** Stands for an unknown part of a command line: an unset variable, which the shell analysis takes for what it is. */
const PLACEHOLDER = '$UNKNOWN_VALUE'

/** The variable that alone is not known of a command line, by its name. */
function placeholder(value: Value): string {
  const { from } = taintOf(value)
  const [only] = from
  const single = pieces(value).filter((piece) => piece === null).length === 1 && from.length === 1
  return single && only?.verb === 'read' && only.target.kind === 'variable' && /^[A-Za-z_]\w{0,63}$/.test(only.target.value)
    ? `\${${only.target.value}}`
    : PLACEHOLDER
}

/** What says who is asking is a header; contents of a credential, or the whole environment, are none. */
function grave({ from }: Taint): 'credential' | 'environment' | null {
  if (from.some(({ verb, target: what }) => verb === 'read' && hasClass(what, 'credential'))) return 'credential'
  return from.some(({ verb, target: what }) => verb === 'read' && what.kind === 'variable' && what.value === '*') ? 'environment' : null
}

const SHELLS = /^(?:\/(?:usr\/(?:local\/)?)?bin\/)?(?:ba|da|z|k|a|c|tc|fi)?sh(?:\s+-i)?$|^(?:cmd|powershell|pwsh)(?:\.exe)?$/

/** A shell whose streams are a numbered descriptor: `/bin/sh -i <&3 >&3`. */
function onDescriptor(text: string): boolean {
  const redirection = /<&\s?\d/.exec(text)
  return redirection !== null && /\bsh\b/.test(text.slice(Math.max(0, redirection.index - 40), redirection.index))
}

export interface Sending {
  readonly verb: 'fetch' | 'send'
  readonly action?: string
  readonly method?: string
  /** What goes along. */
  readonly payload?: Value | undefined
  readonly insecure?: boolean
  /** The client goes on to wherever the answer sends it. */
  readonly follows?: boolean
  /** What says who is asking, headers most of all. */
  readonly along?: Taint
}

function attributesOf({ method, insecure, follows }: Sending, carried: JsonObject, foreign: string | undefined): JsonObject {
  return {
    ...(method === undefined ? {} : { method }),
    ...carried,
    ...(insecure === true ? { insecure: true } : {}),
    ...(follows === true ? { redirects: 'followed' } : {}),
    ...(foreign === undefined ? {} : { foreign_secret: foreign }),
  }
}

/** What an interpreter is fed, as a file. */
const INPUT: ReadonlySet<string> = new Set(['0', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])

/** What names a file there is chosen by somebody else than who wrote the program. */
const ELSEWHERE = FROM.input | FROM.network | FROM.socket | FROM.file

export class Acts {
  /** Where what is done is done; another one once the program has gone elsewhere. */
  context: CommandContext
  private readonly span: Span
  private readonly state: ExecutionState

  constructor(context: CommandContext, span: Span, state: ExecutionState) {
    this.context = context
    this.span = span
    this.state = state
  }

  emit(verb: Verb, what: Target, extra: EffectOptions = {}): void {
    this.context.emit(verb, what, { span: this.span, certainty: this.state.certainty, ...extra })
  }

  /** Says something once, however often it is met. */
  once(verb: Verb, what: Target, extra: EffectOptions): void {
    const key = `${verb} ${extra.action ?? ''} ${what.kind} ${what.value}`
    if (this.state.said.has(key)) return
    this.state.said.add(key)
    this.emit(verb, what, extra)
  }

  /** The first of many; that there are more is said. */
  first<T>(items: readonly T[], most: number): readonly T[] {
    if (items.length <= most) return items
    this.opaque('the code names more at once than is followed')
    return items.slice(0, most)
  }

  opaque(reason: string): void {
    if (this.state.said.has(reason)) return
    this.state.said.add(reason)
    this.context.opaque(reason, this.span)
  }

  /** From now on relative paths are those of another directory, which may be one that is not known: `os.chdir`. */
  enter(value: Value): void {
    const [only, ...others] = options(value)
    const directory = this.word(only === undefined || others.length > 0 ? UNKNOWN : only)
    this.context.within({ attributes: {}, remote: false, directory }, (inner) => {
      this.context = inner
    })
  }

  /** What `body` does is done in another directory; absent: in the same one. */
  inside(directory: Value | undefined, body: () => void): void {
    const before = this.context
    if (directory !== undefined && directory.kind !== 'constant') this.enter(directory)
    body()
    this.context = before
  }

  word(value: Value): Word {
    const parts = pieces(value)
    const first = parts[0]
    const whole = parts.length === 1 && typeof first === 'string' ? first : null
    const { bits, from } = taintOf(value)
    return {
      text: whole,
      prefix: first ?? '',
      glob: value.kind === 'text' && value.glob,
      dynamic: whole === null && (bits & (FROM.network | FROM.socket | FROM.input)) !== 0,
      span: this.span,
      ...(whole === null && parts.length > 1 ? { pieces: parts } : {}),
      ...(from.length > 0 ? { from } : {}),
      ...((bits & FROM.decoded) !== 0 ? { decoded: true } : {}),
    }
  }

  private extra(value: Value, given: EffectOptions): EffectOptions {
    const certainty = value.kind === 'any' ? 'possible' : this.state.certainty
    return { span: this.span, certainty, ...given }
  }

  /** Reads paths and addresses, as most readers of data take both; gives what the content comes from. */
  read(value: Value, given: EffectOptions = {}): Taint {
    const from: Effect[] = []
    for (const option of options(value)) {
      const word = this.word(option)
      const away = isAddress(word)
      if (away) reachData(this.context, word, { verb: 'fetch', ...this.extra(value, given) })
      else readPath(this.context, word, this.extra(value, given))
      from.push(away ? effect('fetch', this.context.url(word)) : effect('read', this.context.path(word)))
    }
    return flag(from.some(({ verb }) => verb === 'fetch') ? FROM.network : FROM.file, from.slice(0, 8))
  }

  /** Writes paths; what is written to an address is sent there. */
  write(value: Value, given: EffectOptions = {}): void {
    for (const option of options(value)) {
      const word = this.word(option)
      if (isAddress(word)) reachData(this.context, word, { verb: 'send', ...this.extra(value, given), reversible: false })
      else writePath(this.context, word, this.extra(value, given))
    }
  }

  delete(value: Value, given: EffectOptions = {}): void {
    for (const option of options(value)) {
      const told = this.extra(value, given)
      const elsewhere = pieces(option).every((piece) => piece === null) && (taintOf(option).bits & ELSEWHERE) !== 0
      deletePath(this.context, this.word(option), elsewhere ? { ...told, attributes: { ...told.attributes, given: true } } : told)
    }
  }

  change(value: Value, given: EffectOptions = {}): void {
    for (const option of options(value)) changePath(this.context, this.word(option), this.extra(value, given))
  }

  /** Runs command lines in a shell. */
  shell(value: Value, wrapper: string): void {
    for (const option of options(value)) this.shellOne(option, wrapper)
  }

  /** False where a program hands on more code than is analysed. */
  private within(source: string): boolean {
    this.state.handed += source.length
    if (this.state.handed <= LIMITS.handed) return true
    this.opaque('the code runs more code than is analysed')
    return false
  }

  private shellOne(value: Value, wrapper: string): void {
    const parts = pieces(value)
    if (!this.within(parts.join(''))) return
    const { bits } = taintOf(value)
    this.talk(value, bits)
    const first = parts[0] ?? ''
    const foreign = (bits & (FROM.network | FROM.socket | FROM.input)) !== 0
    const whole = parts.every((p) => p !== null)
    if ((bits & FROM.decoded) !== 0) this.hidden(value, wrapper, 'shell')
    if (whole) {
      this.context.shell(parts.join(''), this.span, wrapper)
      this.follow(parts.join(''))
    } else if (first.trim() === '' || foreign) {
      this.dynamic(value, wrapper, 'shell')
    } else {
      const line = parts.map((p) => p ?? placeholder(value)).join('')
      this.emit('opaque', target('code', line.slice(0, 200)), {
        ...LOW_OPAQUE,
        reason: `part of the command that \`${wrapper}\` runs is not known`,
      })
      this.context.shell(line, this.span, wrapper)
      this.follow(line)
    }
  }

  /** Runs a program with its arguments; an open list may go on. */
  command(values: readonly Value[], wrapper: string, { open = false, input }: { open?: boolean; input?: Value | undefined } = {}): void {
    const [first, ...others] = values
    const wordsOf = (way: number): readonly Word[] => others.map((v) => this.word(options(v)[way] ?? options(v)[0] ?? UNKNOWN))
    if (first === undefined) {
      this.opaque(`the program that \`${wrapper}\` runs is not known`)
      return
    }
    for (const program of options(first)) this.talk(program, taintOf(program).bits)
    const head = this.word(options(first)[0] ?? UNKNOWN)
    if (head.text === null && has(first, FROM.network | FROM.socket | FROM.input | FROM.decoded)) this.dynamic(first, wrapper, 'shell')
    const rest: readonly Word[] = open ? [this.word({ kind: 'part', pieces: [null], taint: CLEAN })] : []
    const fed: readonly [Input] | readonly [] =
      input === undefined ? [] : [{ kind: 'text', text: known(input), span: this.span, decoded: has(input, FROM.decoded) }]
    const ways = Math.max(1, ...others.map((value) => options(value).length))
    for (let way = 0; way < ways; way++) {
      const words = wordsOf(way)
      for (const program of options(first)) this.context.command([this.word(program), ...words, ...rest], wrapper, ...fed)
      this.follow([head, ...words].map((w) => w.text ?? '').join(' '))
    }
  }

  /** A shell that starts, or runs what a connection says, after a connection was opened, is a remote shell. */
  private talk(value: Value, bits: number): void {
    if ((bits & FROM.socket) !== 0) this.remoteShell()
    const name = known(value)
    if (name !== null && this.state.connection !== null && onDescriptor(name)) this.remoteShell()
    if (name === null || !SHELLS.test(name.trim())) return
    this.state.shell = true
    if (this.state.connection !== null && this.state.streams) this.remoteShell()
  }

  /** The streams of a process or of this one are on a connection. */
  joinStreams(): void {
    this.state.streams = true
    if (this.state.connection !== null && this.state.shell) this.remoteShell()
  }

  remoteShell(): void {
    const { connection } = this.state
    const where = connection?.target ?? target('host', '')
    this.once('execute', where, {
      action: where.value === '' ? 'net:bind-shell' : 'net:reverse-shell',
      reversible: false,
      reason: 'a shell is handed to what is at the other end of a connection',
    })
  }

  /** What a command line runs that the code wrote itself. */
  private follow(line: string): void {
    for (const [path, source] of this.state.downloaded) {
      if (!line.includes(path)) continue
      this.once('execute', source.target, { action: 'code:downloaded', reversible: false, reason: `\`${path}\` was downloaded and is run` })
    }
    for (const [path, content] of this.state.written) {
      if (!line.includes(path) || this.state.said.has(`follow ${path}`)) continue
      this.state.said.add(`follow ${path}`)
      const language = path.endsWith('.py') ? 'python' : path.endsWith('.js') ? 'node' : 'shell'
      this.code(content, language, path)
    }
  }

  /** Runs source text. */
  code(value: Value, language: Language, wrapper: string): void {
    for (const option of options(value)) this.codeOne(option, { language, wrapper })
  }

  private codeOne(value: Value, { language, wrapper }: { language: Language; wrapper: string }): void {
    const source = known(value)
    const { bits, from } = taintOf(value)
    if ((bits & FROM.decoded) !== 0) this.hidden(value, wrapper, language)
    if (source !== null) {
      if (!this.within(source)) return
      if (language === 'shell') this.context.shell(source, this.span, wrapper)
      else this.context.code(language, source, this.span)
      return
    }
    if ((bits & FROM.input) !== 0) {
      this.context.stdin(language)
      return
    }
    const file = from.find((e) => e.verb === 'read' && e.target.kind === 'path')
    if (file !== undefined && INPUT.has(file.target.value)) {
      this.context.stdin(language)
      return
    }
    const plain = (bits & (FROM.network | FROM.socket | FROM.decoded)) === 0
    if (file !== undefined && plain)
      this.context.script(
        language,
        { text: file.target.value, prefix: file.target.value, glob: false, dynamic: false, span: this.span },
        [],
      )
    else this.dynamic(value, wrapper, language)
  }

  private hidden(value: Value, wrapper: string, language: string): void {
    this.once('execute', target('code', (known(value) ?? '').slice(0, 200)), {
      action: 'code:decoded',
      reversible: false,
      reason: `\`${wrapper}\` runs code that was hidden by an encoding`,
      attributes: { language, by: wrapper },
    })
  }

  /** Code or a command that is not known before it runs. */
  dynamic(value: Value, wrapper: string, language: string): void {
    const { bits, from } = taintOf(value)
    const attributes = { language, by: wrapper }
    const remote = from.find((e) => e.verb === 'fetch' || e.verb === 'send')
    if ((bits & FROM.socket) !== 0) this.remoteShell()
    if ((bits & (FROM.network | FROM.socket)) !== 0) {
      const where = remote?.target ?? this.state.connection?.target ?? target('unknown', '')
      this.once('execute', where, {
        action: 'code:remote',
        reversible: false,
        reason: `\`${wrapper}\` runs what comes from the network`,
        attributes,
      })
      return
    }
    const reason = `\`${wrapper}\` runs ${language === 'shell' ? 'a command' : 'code'} that is not known before it runs`
    this.opaque(reason)
    if ((bits & FROM.decoded) === 0)
      this.once('execute', target('code', ''), { action: 'code:dynamic', reversible: false, certainty: 'possible', reason, attributes })
  }

  /** Contacts an address; gives what the answer comes from. */
  reach(value: Value, sending: Sending): Taint {
    const from: Effect[] = []
    const carried = sending.payload === undefined ? null : payloadOf(sending.payload)
    const taken = carried ?? (/^\w+:\/\/[^/]/.test(pieces(value)[0] ?? '') ? payloadOf(value) : null)
    const along = joinTaint(taintOf(value), sending.payload === undefined ? CLEAN : taintOf(sending.payload), sending.along ?? CLEAN)
    const whose = this.whose(value, along)
    const carries = taken === 'environment' && whose.own ? null : (taken ?? (sending.along === undefined ? null : grave(sending.along)))
    const verb = carries !== null ? 'send' : sending.verb
    const attributes = attributesOf(sending, carries === null ? {} : { carries, ...carriedFrom(sending.payload, value) }, whose.foreign)
    for (const option of options(value)) {
      const word = this.word(option)
      reachUrl(this.context, word, { verb, ...this.extra(value, {}), action: sending.action ?? null, attributes })
      from.push(effect(verb, this.context.url(word)))
      reportBody(word, sending.payload, this.context)
    }
    return flag(FROM.network, from.slice(0, 8))
  }

  /** Whether the secrets of the environment that go along are all for the host that is asked, and one that is for another. */
  private whose(address: Value, { from }: Taint): { readonly own: boolean; readonly foreign: string | undefined } {
    const names = from.flatMap(({ verb, target: what }) => (verb === 'read' && what.kind === 'variable' ? [what.value] : []))
    if (names.length === 0) return { own: false, foreign: undefined }
    const hosts = options(address).map((option) => this.context.url(this.word(option)))
    const sides = names.flatMap((name) =>
      hosts.map(({ real, scope }) => ({ name, side: real === null || scope !== 'public' ? 'unknown' : belongs(name, real) })),
    )
    return {
      own: sides.length > 0 && sides.every(({ side }) => side === 'own'),
      foreign: sides.find(({ side }) => side === 'foreign')?.name,
    }
  }

  /** Something is printed: a secret of the environment that is in it is shown, or all of it. */
  shown({ from }: Taint): void {
    for (const { target: what } of from) {
      if (what.kind !== 'variable') continue
      if (what.value === '*' || what.value === '') this.once('read', what, { action: 'env:list' })
      else if (secretName(what.value) !== null) this.once('read', what, { action: 'env:get' })
    }
  }

  /** Reads an environment variable, or all of them for `*`. */
  variable(name: string): Taint {
    const what = target('variable', name)
    // Where a named one goes is followed here, value by value: none goes along with everything that the program sends.
    this.once('read', what, { attributes: name === '*' ? { mass: true } : { key: true } })
    return flag(FROM.environment, [effect('read', what)])
  }
}
