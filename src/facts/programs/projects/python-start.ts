import { knownWord } from '../../resources/text/word.ts'
import { ranUnread } from '../loads.ts'
import { directoryOf, type Follow, type Follower } from './follow.ts'

/** What every start of Python runs before anything else, where this call or an earlier one of the session put it there. */

/** Programs that are Python, or start it at once. */
const PYTHON =
  /^(?:python|pypy|ipython|pytest|pip)[\d.]*$|^(?:py\.test|uv|poetry|pdm|tox|nox|flask|django-admin|manage\.py|celery|uvicorn|gunicorn)$/

const FIRST: readonly string[] = ['sitecustomize.py', 'usercustomize.py']
const PATH_FILE = /\/(?:site|dist)-packages\/[^/]+\.pth$/
const MAX_NAMES = 2_048
const MAX_PLACES = 8

export const startsPython = (name: string): boolean => PYTHON.test(name)

export const starts: Follower = (follow) => {
  const { words, context } = follow
  // `-S`: without the module that reads them.
  if (words[0] === '-S') return
  const sites = environments(follow).flatMap((place) => sitesOf(place, follow))
  const given = pythonPath(follow)
  const files = [
    ...context.made().filter((path) => PATH_FILE.test(path) || FIRST.some((name) => path.endsWith(`-packages/${name}`))),
    ...sites.flatMap((site) => (context.view.list(site, MAX_NAMES) ?? []).filter(isFirst).map((name) => `${site}/${name}`)),
    ...given.flatMap((place) => FIRST.map((name) => `${place}/${name}`)),
  ]
  for (const path of new Set(files)) runFirst(path, follow)
}

const isFirst = (name: string): boolean => name.endsWith('.pth') || FIRST.includes(name)

/** Directories of virtual environments: that of the program, the one that is active, or what they are usually called. */
function environments({ invocation, context, loader }: Follow): readonly string[] {
  const program = invocation.program.text ?? ''
  if (program.includes('/bin/')) return [loader.path(directoryOf(directoryOf(program))) ?? '']
  const active = context.variable('VIRTUAL_ENV')?.text
  return [...(active == null ? [] : [active]), ...['.venv', 'venv'].flatMap((name) => loader.path(name) ?? [])]
}

function sitesOf(place: string, { context }: Follow): readonly string[] {
  const versions = (context.view.list(`${place}/lib`, MAX_NAMES) ?? []).filter((name) => /^(?:python|pypy)[\d.]+$/.test(name))
  return versions.slice(0, MAX_PLACES).map((version) => `${place}/lib/${version}/site-packages`)
}

function pythonPath({ invocation, context, loader }: Follow): readonly string[] {
  const said = (invocation.env.get('PYTHONPATH') ?? context.variable('PYTHONPATH'))?.text ?? ''
  return said === '' ? [] : said.split(':', MAX_PLACES).flatMap((place) => loader.path(place === '' ? '.' : place) ?? [])
}

/** Lines of a path file that begin with `import` are run; the others name directories. */
function runFirst(path: string, { loader, context, invocation }: Follow): void {
  const file = knownWord(path, invocation.span)
  if (context.ofProject(path) && context.written(file) === null) return
  if (path.endsWith('.py')) loader.load(path, 'python')
  else if (!loader.isThere(path)) return
  else {
    const text = loader.text(path)
    if (text === null) ranUnread(file, context)
    else for (const line of text.split('\n')) if (/^import[ \t]/.test(line)) loader.code(path, 'python', line)
  }
}
