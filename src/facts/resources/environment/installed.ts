/** Commands that print where programs, libraries or packages of the machine are installed: one place stands for whichever it is. Pure data. */

/** What a search for a program gives. */
export const PROGRAMS = '/usr/bin/'

/** Where packages of Python lie. */
export const PYTHON_PACKAGES = '/usr/lib/python3/'

const PRINTS: readonly (readonly [name: RegExp, line: RegExp, place: string])[] = [
  [/^(?:which|whence)$/, /^/, PROGRAMS],
  [/^command$/, /^-v /, PROGRAMS],
  [/^brew$/, /^--(?:prefix|cellar|repository)/, '/opt/homebrew/'],
  [/^p?npm$/, /^(?:root|prefix|bin) (?:-g|--global)|^config get prefix/, '/usr/lib/node_modules/'],
  [/^yarn$/, /^global (?:bin|dir)/, '/usr/lib/node_modules/'],
  [/^gem$/, /^env(?:ironment)? (?:gem|install)?(?:dir|path)/, '/usr/lib/ruby/gems/'],
  [/^rustc$/, /^--print[ =]sysroot/, '/usr/lib/rustlib/'],
  [/^(?:pg_|llvm-|python3?-)config$/, /^--(?:bin|lib|pkglib|share|prefix|exec-prefix)/, '/usr/lib/'],
  [/^xcode-select$/, /^(?:-p|--print-path)/, '/Library/Developer/'],
  [/^python[\d.]*$/, /^-m site --user-site|^-c [\s\S]{0,400}(?:getsitepackages|getusersitepackages|get_paths?\()/, PYTHON_PACKAGES],
]

/** Where what a command prints lies, by its name and the rest of its line; null where it prints no such place. */
export function installedPlace(name: string, line: string): string | null {
  return PRINTS.find(([program, asks]) => program.test(name) && asks.test(line))?.[2] ?? null
}
