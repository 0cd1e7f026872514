/** What bash starts of a program, and what the reader of the shell says of it: commands are stubs that write down their names. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { facts } from '../../src/facts/bash/harness.ts'

export const STUBS: readonly string[] = ['c1', 'c2', 'c3']

/** Forms around a command, `#` for it; each may stand in each. */
export const SHELL_FORMS: readonly string[] = [
  '#',
  'true; #',
  '! #',
  '# > /dev/null',
  'x=1 #',
  '> /dev/null #',
  '{ #; }',
  '( # )',
  'time #',
  'true && #',
  'false || #',
  'c2 | #',
  'echo "$(#)"',
  'echo `#`',
  'x="a$(#)b"',
  'x=([3]=$(#))',
  'x[$(( $(#) 0 ))]=1',
  ': ${y:-$(#)}',
  ': ${y:=a$(#)}',
  ': "${HOME#$(#)}"',
  ': "${HOME/$(#)/b}"',
  ': "${HOME:$(#)0}"',
  ': $(( 1 + $(#) 0 ))',
  '(( 1 + $(#) 1 ))',
  '[[ -n $(#) ]]',
  '[[ a == $(#) || -z "$(#)" ]]',
  '[ -n "$(#)" ]',
  'if #; then :; fi',
  'if false; then :; elif #; then :; fi',
  'if false; then :; else #; fi',
  'while #; do break; done',
  'until #; do break; done',
  'for i in a; do #; done',
  'for i in $(#); do :; done',
  'for ((i = $(#) 0; i < 1; i++)); do #; done',
  'select i in a; do #; break; done <<< 1',
  'case $(#) in *) ;; esac',
  'case x in $(#)) ;; x) #;; esac',
  'case x in x) true ;& y) #;; esac',
  'f() { #; }; f',
  'function g { #; }; g',
  'f() ( # ); f',
  ': <(#)',
  ': > >(#)',
  ': <<< "$(#)"',
  ': <<E\n$(#)\nE\n',
  ": <<-'E'\n$(c3)\nE\n#",
  ': $(: <<E\n`#`\nE\n)',
  'eval "#"',
  "trap '#' EXIT",
  'coproc { #; }; wait',
  '# & wait',
  'command #',
  'exec 3> >(#)',
  'x=c1; $x $(#)',
  'set -- "$(#)"; : "$@"',
  ': {a,$(#)}',
  ": $'a\\'' $(#) 'b'",
  ': "a" @@ remark "\n#',
  ': \\\n$(#)',
  ': a@@b $(#)',
  'shopt -s extglob\n: @(a|$(#))',
  'declare x="$(#)"',
  'export x=`#`',
  'printf -v x %s "$(#)"',
  'read x < <(#)',
  'mapfile -t x < <(#)',
  'return 0 2>/dev/null; #',
]

/** Commands are stubs in a directory that is all of PATH. */
export class Bash {
  private readonly directory = mkdtempSync(join(tmpdir(), 'countersign-bash-'))

  constructor() {
    for (const name of STUBS) {
      writeFileSync(join(this.directory, name), '#!/bin/sh\necho "${0##*/}" >> "${0%/*}/started"\n')
      chmodSync(join(this.directory, name), 0o700)
    }
  }

  started(program: string): ReadonlySet<string> {
    writeFileSync(join(this.directory, 'started'), '')
    spawnSync('/bin/bash', ['--norc', '--noprofile', '-c', program], {
      cwd: this.directory,
      env: { PATH: this.directory, HOME: this.directory },
      timeout: 5_000,
    })
    return new Set(
      readFileSync(join(this.directory, 'started'), 'utf8')
        .split('\n')
        .filter((name) => name !== ''),
    )
  }

  /** Stubs that bash starts and the reader does not name; none where it says that it could not read the program. */
  missed(program: string): readonly string[] {
    const { commands, effects } = facts(program)
    if (
      effects.some(
        ({ verb, reason }) => verb === 'opaque' && /syntax|nested|could not be read|^`eval` runs code that is not known/.test(reason ?? ''),
      )
    )
      return []
    const told = new Set(commands.map((fact) => fact.program))
    return [...this.started(program)].filter((name) => !told.has(name))
  }

  /** Whether bash can read it; nothing is run. */
  reads(program: string): boolean {
    return spawnSync('/bin/bash', ['-n', '-c', program]).status === 0
  }

  close(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** Each form in each other one: programs that bash accepts; the innermost commands are stubs. */
export function shellPrograms(): readonly string[] {
  const fill = (form: string, value: string): string => form.replaceAll('#', () => value).replaceAll('@@', '#')
  return SHELL_FORMS.flatMap((outer) => SHELL_FORMS.map((inner) => fill(outer, fill(inner, 'c1'))))
}
