import { type Effect, hasClass } from '../../effect.ts'
import type { Execution, Marks } from '../detect/execution.ts'

/** Secret files that come into being: a copy of an example, a key that is generated. Nothing that anybody had is lost or shown. */

/** Programs that make keys; what they are told to do, where they do other things too. */
const MAKERS: ReadonlyMap<string, RegExp | null> = new Map([
  ['openssl', /^(?:genrsa|genpkey|gendsa|genec|ecparam|req|rand|dhparam|x509|ca)$/],
  ['ssh-keygen', null],
  ['age-keygen', null],
  ['mkcert', null],
  ['certtool', /^(?:-p|--generate-privkey)$/],
  ['step', /^(?:create|keypair)$/],
  ['touch', null],
])

/** Copying an example is how a project is set up: `cp .env.example .env`. */
const COPYING: ReadonlySet<string> = new Set(['cp', 'install', 'copy', 'ditto', 'rsync', 'gcp'])
const EXAMPLES: ReadonlySet<string> = new Set('example sample template tmpl dist default defaults'.split(' '))

const isExample = (path: string) =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase()
    .split(/[._-]/)
    .some((word) => EXAMPLES.has(word))

/** In code, a copy is a read and the write behind it. */
function isCopied(item: Effect, before: Effect | undefined): boolean {
  return item.action === 'fs:copy' && before?.action === 'fs:copy' && before.verb === 'read' && isExample(before.target.value)
}

/** In the workspace or a temporary directory, where nothing was. */
function isNew({ real, scope }: Effect['target'], view: Execution['site']['analysis']['view']): boolean {
  return real !== null && (scope === 'workspace' || scope === 'temporary') && view.realpath(real).type === 'missing'
}

/** Marks what the command that began at `start` writes where nothing was: attribute `fresh`. */
export function reportFresh({ site: { analysis }, invocation: { name, args }, start }: Execution): Marks {
  const says = MAKERS.get(name)
  const makes = says === null || (says !== undefined && args.some(({ text }) => text !== null && says.test(text)))
  const { effects, view } = analysis
  const own = effects.slice(start)
  const examples = own.filter(({ verb }) => verb === 'read')
  const copies = COPYING.has(name) && examples.length === 1 && isExample(examples[0]?.target.value ?? '')
  const marks = new Map<number, { readonly fresh: true }>()
  for (let at = start; at < effects.length; at++) {
    const item = effects[at]
    if (item === undefined || item.verb !== 'write' || !hasClass(item.target, 'credential')) continue
    if (!(makes || copies || isCopied(item, effects[at - 1]))) continue
    if (isNew(item.target, view)) marks.set(at, { fresh: true })
  }
  return marks
}
