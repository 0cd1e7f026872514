import { directoryOf, type Follower, optionOf, optionsOf } from './follow.ts'
import type { Loader } from './load.ts'
import { textsOf, tomlOf } from './toml.ts'
import { filesBelow } from './walk.ts'

/** Python: tests with what pytest loads around them, applications of servers, commands of Django, `setup.py`. */

const TEST_FILE = /^(?:test_.*|.*_test|tests?)\.py$/

/** Every `conftest.py` from where the command runs down to a directory. */
function conftests(loader: Loader, directory: string): void {
  const cwd = loader.path('.') ?? ''
  if (!`${directory}/`.startsWith(`${cwd}/`)) return
  const names = directory.slice(cwd.length + 1).split('/')
  for (let depth = 0; depth <= names.length; depth++) loader.load([cwd, ...names.slice(0, depth), 'conftest.py'].join('/'), 'python')
}

const SETTINGS = ['pytest.ini', 'tox.ini', 'setup.cfg']

/** Where pytest looks where no place is named, and options that its settings add. */
function pytestSettings(loader: Loader): { readonly places: readonly string[]; readonly options: readonly string[] } {
  const own = loader.isThere('pyproject.toml') ? tomlOf(loader.text('pyproject.toml') ?? '').get('tool.pytest.ini_options') : undefined
  const ini =
    own === undefined
      ? (SETTINGS.map((name) => (loader.isThere(name) ? loader.text(name) : null)).find((text) => text?.includes('pytest') === true) ?? '')
      : ''
  const said = (key: string): readonly string[] =>
    own === undefined
      ? words(new RegExp(`^${key}\\s*=\\s*((?:.*\\n)(?:[ \\t]+.+\\n)*)`, 'm').exec(`${ini}\n`)?.[1] ?? '')
      : textsOf(own.get(key)).flatMap(words)
  return { places: said('testpaths'), options: said('addopts') }
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

export const pytest: Follower = ({ loader, context, words: given, operands }) => {
  const { places, options } = pytestSettings(loader)
  const named = operands.map((word) => word.split('::', 1)[0] ?? '').filter((word) => word !== '')
  for (const plugin of optionsOf([...options, ...given], '-p')) if (/^[\w.]+$/.test(plugin)) module(loader, plugin)
  const targets = named.length > 0 ? named : places.length > 0 ? places : ['.']
  for (const target of targets) {
    const path = loader.path(target)
    if (path === null) continue
    conftests(loader, path.endsWith('.py') ? directoryOf(path) : path)
    if (path.endsWith('.py')) loader.load(path, 'python')
    else
      tests(
        loader,
        filesBelow(path, context, (name) => name === 'conftest.py' || TEST_FILE.test(name)),
      )
  }
}

/** What is loaded by all comes first. */
function tests(loader: Loader, files: readonly string[]): void {
  const shared = files.filter((path) => path.endsWith('/conftest.py'))
  for (const path of [...shared, ...files.filter((path) => !shared.includes(path))]) loader.load(path, 'python')
}

/** A module by its dotted name, and the packages on the way, where the project has it. */
function module(loader: Loader, name: string): boolean {
  const path = name.replaceAll('.', '/')
  return ['', 'src/'].some((base) => {
    const found = loader.load(`${base}${path}.py`, 'python') || loader.load(`${base}${path}/__init__.py`, 'python')
    return found
  })
}

/** `python -m unittest discover -s test`, `python -m unittest test.test_cart.Cart.test_one`. */
export const unittest: Follower = ({ loader, context, words: given, operands }) => {
  const [first, second] = operands
  if (first === undefined || first === 'discover') {
    const path = loader.path(optionOf(given, '-s', '--start-directory') ?? second ?? '.')
    if (path !== null)
      tests(
        loader,
        filesBelow(path, context, (name) => TEST_FILE.test(name)),
      )
    return
  }
  for (const name of operands) {
    const parts = name.replace(/\.py$/, '').replaceAll('/', '.').split('.')
    for (let length = parts.length; length > 0 && !module(loader, parts.slice(0, length).join('.')); length--) if (length === 1) break
  }
}

/** `uvicorn app.main:app`, `gunicorn -w 2 app:app`, `celery -A app worker`, `fastapi dev main.py`. */
export const serves: Follower = ({ loader, operands, words: given }) => {
  const named = [...operands, ...optionsOf(given, '-A', '--app', '--factory')]
  for (const word of named) {
    if (word.endsWith('.py')) loader.load(word, 'python')
    else if (/^[A-Za-z_][\w.]*(?::[\w.()]*)?$/.test(word)) module(loader, word.split(':', 1)[0] ?? '')
  }
}

/** Flask finds its application by an option, a variable, or the name of a file. */
export const flask: Follower = ({ loader, words: given, context }) => {
  const named = optionOf(given, '--app', '-A') ?? context.variable('FLASK_APP')?.text ?? null
  const names = named === null ? ['app', 'wsgi'] : [(named.split(':', 1)[0] ?? '').replace(/\.py$/, '').replaceAll('/', '.')]
  for (const name of names) if (name !== '' && module(loader, name)) return
}

/** The settings that `manage.py` names, the command, and tests. */
export const django: Follower = ({ loader, context, operands, words: given }) => {
  const script = loader.isThere('manage.py') ? (loader.text('manage.py') ?? '') : ''
  const said = /DJANGO_SETTINGS_MODULE["'],\s*["']([\w.]+)["']/.exec(script)?.[1]
  const settings = optionOf(given, '--settings') ?? said
  if (settings !== undefined && settings !== null) module(loader, settings)
  const [command] = operands
  const root = loader.path('.')
  if (command === undefined || root === null || !/^\w+$/.test(command)) return
  const wanted = `management/commands/${command}.py`
  for (const path of filesBelow(root, context, (_, inner) => inner.endsWith(wanted))) loader.load(path, 'python')
  if (command === 'test')
    tests(
      loader,
      filesBelow(root, context, (name) => TEST_FILE.test(name)),
    )
}

/** `pip install -e .`, `python -m build`: the package at hand is built, and `setup.py` with it. */
export const builds: Follower = ({ loader, operands, words: given, invocation: { name } }) => {
  const isBuild = name.endsWith('build') || operands[0] === 'build' || given.includes('build')
  const places = [...(operands[0] === 'build' ? operands.slice(1) : operands), ...optionsOf(given, '-e', '--editable')]
  const named = places.length === 0 && isBuild ? ['.'] : places
  for (const place of named) {
    const directory = place.replace(/\[[\w,.-]*\]$/, '')
    if (!/^(?:\.{1,2}(?:\/.*)?|\/.*|[\w.-]+\/.*)$/.test(directory)) continue
    loader.load(`${directory}/setup.py`, 'python')
    const build = loader.isThere(`${directory}/pyproject.toml`)
      ? tomlOf(loader.text(`${directory}/pyproject.toml`) ?? '').get('build-system')
      : undefined
    for (const path of textsOf(build?.get('backend-path'))) {
      const backend = textsOf(build?.get('build-backend'))[0]?.split(':', 1)[0]
      if (backend !== undefined) loader.load(`${directory}/${path}/${backend.replaceAll('.', '/')}.py`, 'python')
    }
  }
}

/** `behave`, `locust`, `scons` and others that load files by their names. */
export const named =
  (...files: readonly string[]): Follower =>
  ({ loader }) => {
    for (const file of files) loader.load(file, 'python')
  }
