import { isJsonObject } from '../../../core/json.ts'
import { field, items } from '../tasks/project-yaml.ts'
import { type Follower, optionOf, yamlIn } from './follow.ts'
import { fieldOf, textsOf, tomlOf } from './toml.ts'
import { filesBelow } from './walk.ts'

/** Pipelines of data and of documents, acceptance tests, and runners whose files are of a kind of their own. */

/** What stands between three quotes, with what stands before it. */
function blocksOf(text: string): readonly { readonly before: string; readonly block: string }[] {
  const parts = text.split(/"""|'{3}/)
  return parts.flatMap((block, at) => (at % 2 === 1 ? [{ before: parts[at - 1]?.slice(-80) ?? '', block }] : []))
}

/** Texts in three quotes or in one behind a key: `shell: "x"`, `script:\n  """x"""`. */
function quotedBehind(key: string, text: string): readonly string[] {
  const ends = new RegExp(`\\b${key}\\s{0,8}[:(]?\\s{0,40}f?r?$`)
  const plain = new RegExp(`\\b${key}\\s{0,8}[:(]?\\s{0,40}f?r?(?:"([^"\\n]{1,2000})"|'([^'\\n]{1,2000})')`, 'g')
  const blocks = blocksOf(text).flatMap(({ before, block }) => (ends.test(before) ? [block] : []))
  return [...blocks, ...[...text.matchAll(plain)].map(([, double, single]) => double ?? single ?? '')]
}

/** `shell:` of the rules of a Snakefile; what it fills in at run time (`{input}`) is a word. */
export const snakemake: Follower = ({ loader, words }) => {
  const named = optionOf(words, '-s', '--snakefile')
  for (const name of named === null ? ['Snakefile', 'workflow/Snakefile', 'snakefile'] : [named]) {
    const lines = quotedBehind('shell', loader.text(name) ?? '').map((line) => line.replace(/\{[\w.[\]:]{1,60}\}/g, 'filled'))
    loader.lines(name, lines)
  }
}

/** Scripts of the processes of a pipeline, which run on this machine unless its settings say otherwise. */
export const nextflow: Follower = ({ loader, operands }) => {
  const [verb, named] = operands
  if (verb !== 'run') return
  const file = named?.endsWith('.nf') === true ? named : `${named ?? '.'}/main.nf`
  const text = loader.text(file) ?? ''
  loader.lines(file, [...quotedBehind('(?:script|shell|exec)', text), ...blocksOf(text).map(({ block }) => block)])
}

/** Commands of the stages of `dvc.yaml`. */
export const dvc: Follower = (follow) => {
  const { loader, operands } = follow
  if (!/^(?:repro|exp|run)$/.test(operands[0] ?? '')) return
  const stages = field(yamlIn('dvc.yaml', follow), 'stages')
  for (const stage of isJsonObject(stages) ? Object.values(stages) : []) {
    const cmd = field(stage, 'cmd')
    loader.lines(
      'dvc.yaml',
      [cmd, ...items(cmd)].filter((line) => typeof line === 'string'),
    )
  }
}

/** What an `Earthfile` runs on this machine: everything behind `LOCALLY` in a target. */
export const earthly: Follower = ({ loader }) => {
  const lines: string[] = []
  let local = false
  for (const line of (loader.text('Earthfile') ?? '').replaceAll('\\\n', ' ').split('\n')) {
    if (/^[\w.-]+:/.test(line)) local = false
    else if (/^\s+LOCALLY\b/.test(line)) local = true
    else if (local) lines.push(...(/^\s+RUN\s+(?:--\S+\s+)*(.+)/.exec(line)?.slice(1) ?? []))
  }
  loader.lines('Earthfile', lines)
}

/** `cargo make TASK`: `script`, or `command` with `args`. */
export const cargoMake: Follower = ({ loader, operands, words }) => {
  if (operands[0] !== 'make') return
  const file = optionOf(words, '--makefile') ?? 'Makefile.toml'
  for (const [section, task] of tomlOf(loader.text(file) ?? '')) {
    if (!section.startsWith('tasks.')) continue
    const command = [...textsOf(task.get('command')), ...textsOf(task.get('args'))].join(' ')
    const script = task.get('script')
    loader.lines(
      file,
      [textsOf(script).join('\n'), textsOf(fieldOf(script, 'content')).join('\n'), command].filter((line) => line !== ''),
    )
  }
}

/** Tasks of `pixi.toml`: text, or `cmd`. */
export const pixi: Follower = ({ loader, operands }) => {
  if (operands[0] !== 'run') return
  for (const [section, values] of tomlOf(loader.text('pixi.toml') ?? ''))
    if (section === 'tasks' || section.endsWith('.tasks'))
      for (const task of values.values()) loader.lines('pixi.toml', [...textsOf(task), ...textsOf(fieldOf(task, 'cmd'))])
}

/** latexmk reads its settings as a program in Perl. */
export const latexmk: Follower = ({ loader, words }) => {
  loader.first(['.latexmkrc', 'latexmkrc'], 'perl')
  const named = optionOf(words, '-r')
  if (named !== null) loader.load(named, 'perl')
}

/** The steps of a suite and what stands around them. */
export const behave: Follower = ({ loader, context, operands }) => {
  for (const place of operands.length > 0 ? operands : ['features']) {
    const path = loader.path(place.replace(/\/[^/]*\.feature$/, ''))
    for (const file of path === null ? [] : filesBelow(path, context, (name) => name.endsWith('.py'))) loader.load(file, 'python')
  }
}

/** Keywords of Robot Framework's libraries that start programs, and libraries of the project. */
export const robot: Follower = ({ loader, context, operands }) => {
  for (const place of operands) {
    const path = loader.path(place)
    if (path === null) continue
    const files = place.endsWith('.robot') ? [path] : filesBelow(path, context, (name) => name.endsWith('.robot'))
    for (const file of files) {
      const rows = (loader.text(file) ?? '').split('\n').map((line) => line.split(/ {2,}|\t/).filter((cell) => cell !== ''))
      loader.lines(file, rows.flatMap(startedBy))
      for (const [first, library = ''] of rows)
        if (first === 'Library' && library.endsWith('.py')) loader.load(`${file.slice(0, file.lastIndexOf('/'))}/${library}`, 'python')
    }
  }
}

/** The command line of a row of cells that starts a program, without the keyword's own settings. */
function startedBy(row: readonly string[]): readonly string[] {
  const at = row.findIndex((cell) => /^(?:(?:Run|Start) Process|Run And Return \w+|Run)$/.test(cell))
  const words = at < 0 ? [] : row.slice(at + 1).filter((cell) => !/^(?:shell|cwd|stdout|stderr|alias|timeout|env:\w+)=/.test(cell))
  return words.length === 0 ? [] : [words.join(' ')]
}

/** Hooks that `mkdocs.yml` names. */
export const mkdocs: Follower = (follow) => {
  for (const hook of items(field(yamlIn('mkdocs.yml', follow), 'hooks'))) if (typeof hook === 'string') follow.loader.load(hook, 'python')
}

/** Airflow loads every file of its directory of graphs; here, that of the project. */
export const airflow: Follower = ({ loader, context, operands }) => {
  const path = loader.path('dags')
  if (path === null || !/^(?:dags|tasks|standalone|scheduler|webserver|backfill)$/.test(operands[0] ?? '')) return
  for (const file of filesBelow(path, context, (name) => name.endsWith('.py'))) loader.load(file, 'python')
}
