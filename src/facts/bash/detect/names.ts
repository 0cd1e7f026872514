import { type Effect, hasClass } from '../../effect.ts'
import { type Execution, type Marks, NO_MARKS } from './execution.ts'

/** Settings of the project, or of the environment, of which only the names are printed, or how many there are: `cut -d= -f1 .env`, `grep -q '^PORT=' .env`. */

const SETTINGS = /(?:^|\/)(?:\.env(?:\.[\w-]+)*|[\w-]+\.env)$/

const isSettings = ({ verb, target, action }: Effect) => verb === 'read' && (hasClass(target, 'credential') || action === 'env:list')

/** Marks the reads of settings of which no value is shown. Those of a pipe are not: what stands before it may show them elsewhere, too. */
export function reportNamesOnly({ site, invocation: { name, args }, start }: Execution): Marks {
  const { effects } = site.analysis
  const marks = new Map<number, { readonly names_only: true }>()
  for (let at = start; at < effects.length; at++) {
    const item = effects[at]
    if (item === undefined || !isSettings(item)) continue
    const { target } = item
    const texts = args.map(({ text }) => text)
    const settings = target.kind !== 'path' || (target.scope === 'workspace' && SETTINGS.test(target.value))
    if (!settings && !(target.kind === 'path' && name === 'openssl' && certificate(texts, target.value))) continue
    if (settings && !NAMES_ONLY.get(name)?.(texts)) return NO_MARKS
    marks.set(at, { names_only: true })
  }
  return marks
}

type Texts = readonly (string | null)[]

const options = (texts: Texts) => texts.filter((text) => text === null || (text.startsWith('-') && text !== '-'))
const operands = (texts: Texts) => texts.filter((text) => text?.startsWith('-') !== true)

/** All options are known, and none of them shows more. */
const only = (texts: Texts, known: RegExp) => options(texts).every((text) => text !== null && known.test(text))

function cut(texts: Texts): boolean {
  const line = texts.slice(0, 8).join(' ')
  if (!only(texts, /^-(?:s|d=?|f1?)$/)) return false
  return /^(?:-s )?-d ?= -f ?1(?: -s)?(?: [^-]|$)/.test(line) || /^-f ?1 -d ?=(?: [^-]|$)/.test(line)
}
/** `sed 's/=.*/
;/'`: nothing is left of what stands behind the sign. */
function sed(texts: Texts): boolean {
  const [script] = operands(texts)
  return only(texts, /^-[Eru]$/) && typeof script === 'string' && /^s([/|#,])=\.\*\$?\1[^&\\/|#,;\n]{0,32}\1g?$/.test(script)
}

function awk(texts: Texts): boolean {
  const [first, second, third] = texts
  const program = first === '-F=' ? second : first === '-F' && second === '=' ? third : null
  return /^\s?\{\s?print \$1;?\s?\}\s?$/.test(program ?? '')
}

/** Whether there are such lines, or how many; or the names alone. A value in the pattern would be a question for the value. */
function grep(texts: Texts): boolean {
  const [pattern] = operands(texts)
  if (
    typeof pattern !== 'string' ||
    !only(texts, /^-[EFGPinswxhHvqclLo]{1,6}$|^--(?:quiet|silent|count|files-with-matches|only-matching)$/)
  )
    return false
  const counts = options(texts).some((text) => text !== null && /^-[a-zA-Z]*[qclL]|^--(?:quiet|silent|count|files)/.test(text))
  if (counts) return /^[^=]{0,64}=?$/.test(pattern)
  const parts = options(texts).some((text) => text !== null && /^-[a-zA-Z]*o|^--only/.test(text))
  return parts && /^\^(?:\[\^=#?\]|(?:\[[A-Z]\])?\[[A-Za-z0-9_-]{1,16}\])[*+]=?$/.test(pattern)
}

/** `openssl x509 -in server.pem -noout -dates`: of a file that may hold a key as well, the certificate alone is shown. */
function certificate([command, ...texts]: Texts, path: string): boolean {
  const keys = options(texts).some((text) => text === null || /^-(?:\w*key|pass\w+|out|engine|provider\w*|rand)$/i.test(text))
  return (command === 'x509' || command === 'crl') && /\.(?:pem|crt|cer)$/.test(path) && !keys
}

const NAMES_ONLY: ReadonlyMap<string, (texts: Texts) => boolean> = new Map([
  ...['grep', 'egrep', 'fgrep'].map((name) => [name, grep] as const),
  ...['awk', 'gawk', 'mawk'].map((name) => [name, awk] as const),
  ['wc', (texts: Texts) => only(texts, /^-[lwcm]{1,4}$/)],
  ['cut', cut],
  ['sed', sed],
])
