import { LOW_OPAQUE } from '../../effect.ts'
import type { Run } from '../interpret/run.ts'
import { text } from '../interpret/value.ts'

/**
 * Modules of the program's own: `import helper` runs `helper.py` beside the script. Each is found as Python finds it, read
 * through the View, and analysed once. Installed packages are not followed.
 */

/** How many names of one program are looked for. */
const MOST = 48

/** Modules that come with Python: nobody's directory is searched for them. */
export const STANDARD: ReadonlySet<string> = new Set(
  (
    'abc argparse array ast asyncio base64 binascii bisect builtins bz2 calendar codecs collections concurrent configparser ' +
    'contextlib copy csv ctypes dataclasses datetime decimal difflib dis email enum errno faulthandler fcntl fileinput ' +
    'fnmatch fractions ftplib functools gc getopt getpass glob gzip hashlib heapq hmac html http imaplib importlib inspect ' +
    'io ipaddress itertools json keyword linecache locale logging lzma marshal math mimetypes mmap multiprocessing numbers ' +
    'operator os pathlib pdb pickle pkgutil platform pprint pty pwd queue random re resource secrets select shelve shlex ' +
    'shutil signal site smtplib socket socketserver sqlite3 ssl stat statistics string struct subprocess sys sysconfig ' +
    'tarfile tempfile textwrap threading time timeit tkinter token tokenize traceback types typing unicodedata unittest ' +
    'urllib uuid venv warnings weakref xml zipfile zlib zoneinfo __future__'
  ).split(' '),
)

/** Analyses what importing this dotted name runs: every package on the way, then the module. */
export function imports(module: string, run: Run): void {
  const { said } = run.state
  const key = `import ${module}`
  if (said.has(key)) return
  if (said.size > MOST) {
    run.acts.once('opaque', run.context.thing('code', 'modules'), {
      ...LOW_OPAQUE,
      reason: 'the program loads more modules than are looked for',
    })
    return
  }
  said.add(key)
  const dots = /^\.*/.exec(module)?.[0].length ?? 0
  const names = module
    .slice(dots)
    .split('.')
    .filter((name) => name !== '')
  const directories = run.context.beside()
  // What this very call puts under the name of a standard module is there to be found before it.
  const standard = dots === 0 && STANDARD.has(names[0] ?? '')
  if (standard && !directories.some((base) => isWritten(`${base}/${names[0]}.py`, run))) return
  // One dot is the package of the file itself, each further one the package around it.
  const bases = dots === 0 ? directories : directories.slice(0, 1).map((directory) => above(directory, dots - 1))
  for (const base of bases) if (found(base, names, run)) return
}

function found(base: string, names: readonly string[], run: Run): boolean {
  let any = false
  for (let length = 1; length <= names.length; length++) {
    const place = [base, ...names.slice(0, length)].join('/')
    const path = [`${place}.py`, `${place}/__init__.py`].find((each) => typeOf(each, run) === 'file' || isWritten(each, run))
    if (path !== undefined) run.context.module('python', run.acts.word(text(path)))
    // A directory that this very call makes is not there yet.
    else if (typeOf(place, run) !== 'directory') {
      if (any || length > MAX_UNSEEN) return any
      continue
    }
    any = true
  }
  return any
}

/** How many packages on the way to a module may have no file. */
const MAX_UNSEEN = 4

function isWritten(path: string, { context, acts }: Run): boolean {
  return context.written !== undefined && context.written(acts.word(text(path))) !== null
}

function typeOf(path: string, { context }: Run): string {
  return context.view.realpath(path).type
}

function above(directory: string, levels: number): string {
  const names = directory.split('/')
  return names.slice(0, Math.max(1, names.length - levels)).join('/')
}
