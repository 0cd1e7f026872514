import type { Word } from '../../host.ts'
import { installedPlace } from '../../resources/environment/installed.ts'
import { pathTarget } from '../../resources/path/index.ts'
import { withoutTrailing } from '../../resources/text/trim.ts'
import type { View } from '../../view.ts'
import { decodes, knownOutput } from '../flow/decode.ts'
import { namesIn } from '../flow/held.ts'
import { type ExecutionContext, known, NO_OUTPUT, type Output, UNKNOWN_OUTPUT } from '../state/state.ts'
import { fileKey, matchesOf } from './target.ts'

/** What a command prints, where it follows from its words, its input or the View. */
export function outputOf(name: string, args: readonly Word[], site: ExecutionContext): Output {
  const listing = name === 'ls' ? listed(args, site) : null
  if (listing !== null) return listing
  const texts = args.map((arg) => (arg.glob ? null : arg.text))
  const output = texts.includes(null) ? null : computed(name, args, site)
  if (output !== null) return output
  if (generates(name, texts)) return NO_OUTPUT
  const place = site.scope.remote ? null : placeOf(name, args)
  if (place !== null) return place
  if (decodes(name, texts)) return { text: null, prefix: '', decoded: true }
  if (name === 'echo' || name === 'printf') return beginning(name, args)
  return UNKNOWN_OUTPUT
}

/** More names than this are not followed one by one. */
const MAX_NAMES = 64

/**
 * What `ls` prints of one directory or of one pattern, as the View has it; null where that is not sure: with options, without any name, or
 * behind anything that may have made or taken away files.
 */
function listed(args: readonly Word[], site: ExecutionContext): Output | null {
  const { analysis, scope } = site
  const [only, ...others] = args.filter(({ text }) => text !== '-1' && text !== '--')
  if (scope.remote || scope.cwd === null || others.length > 0 || only === undefined || only.text === null || only.text.startsWith('-'))
    return null
  if (analysis.files.written.size > 0 || analysis.effects.some(({ verb }) => verb !== 'read' && verb !== 'fetch')) return null
  const { real } = pathTarget(only.text, scope.cwd, analysis.view)
  const names = only.glob ? matchesOf(only.text, site) : real === null ? null : analysis.view.list(real, MAX_NAMES + 1)
  const shown = (names ?? []).filter((name) => only.glob || !name.startsWith('.')).toSorted()
  return shown.length === 0 || shown.length > MAX_NAMES ? null : told(known(`${shown.join('\n')}\n`))
}

/** What follows from words that are all known, from the input, or from the View. */
function computed(name: string, args: readonly Word[], site: ExecutionContext): Output | null {
  const words = args.map(({ text }) => text ?? '')
  const stdin = site.input.kind === 'text' ? site.input.text : null
  site.analysis.spend(2 * (stdin?.length ?? 0), null)
  const output =
    knownOutput(name, words, stdin) ?? decodedFile(name, args, site) ?? told(viewed(name, words, site) ?? printed(name, args, site))
  if (output === null) return null
  const decoded = output.decoded || args.some((arg) => arg.decoded === true) || (site.input.kind === 'text' && site.input.decoded === true)
  return decoded === output.decoded ? output : { ...output, decoded }
}

/** A decoder that is told a file, such as `<(…)`, reads it as it would read its input. */
function decodedFile(name: string, args: readonly Word[], site: ExecutionContext): Output | null {
  const words = args.map((arg) => arg.text ?? '')
  const file = args.at(-1)
  if (file === undefined || site.analysis.files.written.size === 0 || !decodes(name, words)) return null
  const text = site.analysis.files.written.get(fileKey(file, site) ?? '')?.text ?? null
  return text === null ? null : knownOutput(name, words.slice(0, -1), text)
}

type Lines = readonly string[]

/** Programs that print the lines of a file, or as many as they are told from one of its ends. */
const PRINTS: ReadonlyMap<string, (lines: Lines, count: number) => Lines> = new Map<string, (lines: Lines, count: number) => Lines>([
  ['cat', (lines) => lines],
  ['head', (lines, count) => lines.slice(0, count)],
  ['tail', (lines, count) => lines.slice(-count)],
])

/** `$(cat list)`, `$(head -1 list)`, `$(< list)`: the names that stand in one file. */
function printed(name: string, args: readonly Word[], site: ExecutionContext): Output | null {
  const prints = site.captured ? PRINTS.get(name) : undefined
  if (prints === undefined) return null
  const count = name === 'cat' ? 0 : countIn(args)
  const operands = count === 0 ? args : args.filter(({ text }) => !/^-|^\d+$/.test(text ?? ''))
  const file = args.length === 0 && site.input.kind === 'file' ? site.input.word : operands[0]
  const names = count === null || operands.length > 1 || file === undefined ? null : namesIn(file, site)
  return names === null ? null : known(`${prints(names, count ?? 0).join('\n')}\n`)
}

/** `-1`, `-n 1`, `-n1`; ten without any; null for everything else. */
function countIn(args: readonly Word[]): number | null {
  const options = args.map(({ text }) => text ?? '').filter((text, at, all) => text.startsWith('-') || all[at - 1] === '-n')
  if (options.length === 0) return 10
  const count = /^-n?([1-9]\d{0,2})$/.exec(options.join(''))?.[1]
  return count === undefined ? null : Number(count)
}

const COMPLETIONS = /^(?:completions?|--completion|shell-completion|completion-script)$/
const INITIALISERS: ReadonlyMap<string, RegExp> = new Map([
  ['ssh-agent', /^(?:-[sck])?$/],
  ['dircolors', /^-[bc]/],
  ['lesspipe', /^$/],
  ['brew', /^shellenv/],
  ['direnv', /^(?:hook|export) /],
  ['starship', /^init /],
  ['zoxide', /^init /],
  ['atuin', /^init /],
  ['conda', /^shell\.\w+ hook$/],
  ['mamba', /^shell\.\w+ hook$/],
  ['micromamba', /^shell hook /],
  ['fnm', /^env/],
  ['opam', /^env/],
  ['mise', /^activate /],
  ['minikube', /^(?:-p \S+ )?docker-env/],
  ['docker-machine', /^env/],
  ['thefuck', /^--alias/],
  ['gpg-agent', /^--daemon/],
  ['luarocks', /^path/],
])

/**
 * Installed tools that print shell code to set up a shell (`eval "$(ssh-agent -s)"`, `source <(kubectl completion bash)`).
 * It is code of the tool itself, as trusted as running it; nothing of it is an effect.
 */
function generates(name: string, args: readonly (string | null)[]): boolean {
  if (COMPLETIONS.test(args[0] ?? '') && /^(?:ba|z|fi)?sh$/.test(args.at(-1) ?? '')) return true
  const environments = name.endsWith('env') && /^(?:py|rb|nod|go|j|ph)env$/.test(name)
  const initialiser = INITIALISERS.get(name)
  if (initialiser === undefined && !environments && name !== 'pyenv-virtualenv-init') return false
  const line = args.map((arg) => arg ?? '').join(' ')
  if (initialiser === undefined) return line.startsWith('init') || line.startsWith('virtualenv-init')
  return initialiser.test(line)
}

/** The known beginning of `echo known$unknown`. */
function beginning(name: string, args: readonly Word[]): Output {
  let prefix = ''
  if (name === 'printf') return UNKNOWN_OUTPUT
  for (const [index, arg] of args.entries()) {
    prefix += (index > 0 ? ' ' : '') + arg.prefix
    if (arg.text === null || arg.glob) break
  }
  return prefix.startsWith('-') ? UNKNOWN_OUTPUT : { text: null, prefix, decoded: false }
}

/** Marks what was read off this machine. */
function told(output: Output | null): Output | null {
  return output === null ? null : { ...output, local: true }
}

function viewed(name: string, args: readonly string[], { scope, analysis }: ExecutionContext): Output | null {
  const { view } = analysis
  if (scope.remote) return null
  switch (name) {
    case 'pwd':
      return line(scope.cwd)
    case 'whoami':
      return line(view.user)
    case 'mktemp':
      return temporary(args, view.temporary[0] ?? null)
    case 'realpath':
    case 'readlink':
      return resolved(args, scope.cwd)
    case 'git':
      return gitOutput(args.join(' '), scope.cwd, view)
    default:
      return null
  }
}

function line(text: string | null): Output | null {
  return text === null ? null : known(`${text}\n`)
}

/** Where the repository and its metadata lie, and its branch. */
function gitOutput(words: string, cwd: string | null, view: View): Output | null {
  const inside = METADATA.exec(words)
  const asked = inside !== null || words === 'rev-parse --show-toplevel' || words === 'branch --show-current'
  const repository = asked ? view.git(cwd ?? '/') : null
  // Wherever the repository lies, its metadata are called that; in a worktree of another one they lie there.
  if (inside !== null)
    return line(`${repository === null ? '' : `${repository.top}/`}.git${inside[1] === undefined ? '' : `/${inside[1]}`}`)
  if (repository === null || cwd === null) return null
  return line(words.startsWith('rev-parse') ? repository.top : repository.branch)
}

/** Where git keeps what belongs to the repository. */
const METADATA =
  /^rev-parse (?:--path-format=(?:absolute|relative) )?(?:--(?:absolute-)?git-dir|--git-common-dir|--git-path ([\w./-]{1,80}))$/

/** What lies at a place that the command prints: where it begins is known. */
function placeOf(name: string, args: readonly Word[]): Output | null {
  const prefix = installedPlace(name, args.map(({ text }) => text ?? '').join(' ')) ?? derivedPlace(name, args)
  return prefix === null ? null : { text: null, prefix, decoded: false, local: true }
}

/** `dirname` and `readlink` of what lies in such a place. */
function derivedPlace(name: string, args: readonly Word[]): string | null {
  const [only, ...others] = DERIVES.has(name) ? args.filter(({ text, prefix }) => !(text ?? prefix).startsWith('-')) : []
  if (only === undefined || others.length > 0 || only.text !== null || !OF_MACHINE.test(only.prefix)) return null
  return name === 'dirname' ? withoutTrailing(only.prefix, '/') : only.prefix
}

const DERIVES: ReadonlySet<string> = new Set(['dirname', 'readlink', 'realpath'])
const OF_MACHINE = /^\/(?:usr|opt|bin|sbin|Library)\//

function temporary(args: readonly string[], directory: string | null): Output | null {
  if (directory === null || args.some((arg) => !/^-[dqu]+$|^--directory$/.test(arg))) return null
  return { text: null, prefix: `${directory}/tmp.`, decoded: false }
}

/** `realpath .` and `readlink -f .` of the directory itself; links elsewhere are left to the path facts. */
function resolved(args: readonly string[], cwd: string | null): Output | null {
  const operands = args.filter((arg) => !arg.startsWith('-'))
  return cwd !== null && operands.length === 1 && operands[0] === '.' ? known(`${cwd}\n`) : null
}
