import { type Span, target } from '../../effect.ts'
import { lookup } from '../../programs/index.ts'
import { programNamed } from '../../programs/programs.ts'
import { type ExecutionContext, emitAt } from '../state/state.ts'

/** Code that is put down now and runs later, if ever: what an alias stands for, and functions in the place of programs. */

/** True for programs of the tables, and for builtins that other words would stand in the way of. */
export const isProgram = (name: string): boolean =>
  programNamed(name) !== undefined || lookup(name)?.wraps === true || /^(?:cd|pushd|source|exit|eval)$/.test(name)

/** Walks what stands in the place of a program from now on. A word alone is another name for one; another alias is a mention, no use. */
export function runLater(name: string, text: string, { site, span }: { readonly site: ExecutionContext; readonly span: Span }): void {
  if (!isProgram(name) || /^[\w.-]*\s*$/.test(text)) return
  const scope = site.scope.clone()
  scope.depth++
  scope.aliases = new Map()
  scope.positional = null
  site.walker.text(text, { ...site, scope, captured: false, input: { kind: 'none' }, frame: { pointer: span.pointer, fixed: span } })
}

/**
 * Walks the functions of the call's own text that stand in the place of a program and that nothing called: whoever types its name
 * next runs them. What they are given is not known, so only what they do in any case is kept. Others are a mention, no use.
 */
export function runUncalled(site: ExecutionContext): void {
  const { analysis, scope } = site
  const { partial } = analysis
  for (const [name, { node, frame }] of scope.functions) {
    if (frame.fixed !== null || analysis.called.has(node) || !isProgram(name)) continue
    const start = analysis.effects.length
    const commands = analysis.commands.length
    const inner = scope.clone()
    inner.certainty = 'possible'
    inner.positional = null
    inner.depth++
    site.walker.node(node.body, { ...site, scope: inner, captured: false, frame })
    const made = analysis.effects
      .splice(start)
      .filter(
        ({ verb, action, target }) => verb !== 'opaque' && action !== 'code:dynamic' && target.value !== '' && !target.value.includes('$'),
      )
    analysis.effects.push(...made)
    analysis.commands.length = commands
  }
  analysis.partial = partial
}

/** Programs that are given secrets, or whose output people trust: a function of that name stands between. */
const TRUSTED: ReadonlySet<string> = new Set(
  (
    'sudo su doas ssh scp sftp gpg pass login passwd kubectl docker podman aws gcloud az git npm pip curl wget ps netstat ' +
    'ss lsof who last command_not_found_handle ssh-add ssh-agent ssh-keygen openssl gh glab vault op bw helm terraform ' +
    'rsync'
  ).split(' '),
)

/** A function of that name stands in the way of the program. */
export function reportShadow(name: string, span: Span, site: ExecutionContext): void {
  if (TRUSTED.has(name)) emitAt(site, target('program', name), { verb: 'change', action: 'shell:shadow', span })
}

/** The name of the program stands for something else, which is known or starts it after all. */
export function reportRename(name: string, span: Span, site: ExecutionContext): void {
  if (TRUSTED.has(name)) emitAt(site, target('program', name), { verb: 'change', action: 'shell:rename', span })
}

/** An alias that does more than start the program with other options stands in its way. */
export function reportAlias(name: string, text: string, at: { readonly site: ExecutionContext; readonly span: Span }): void {
  const tell = /[;&|`\n]|\$\(/.test(text) ? reportShadow : reportRename
  tell(name, at.span, at.site)
}
