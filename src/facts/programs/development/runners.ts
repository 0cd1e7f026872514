import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { deletePath, readPath, writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { LISTS } from '../packages/packages.ts'
import { runProcfile } from '../tasks/project-scripts.ts'
import { byName, list, takes, tool } from '../tool.ts'
import { develops, runsRest } from './develop.ts'

/** Small programs of development that run others or touch files by themselves: watchers, process runners, rimraf, shx, pm2. */

const SEPARATE = list('--help -h --version -v -V')

/** Each operand is a command line: `concurrently "npm:dev" "tsc -w"`. */
const concurrently: CommandSpec = {
  flags: list(
    '-k --kill-others --kill-others-on-fail -r --raw -s --success-all --no-color -g --group -P --passthrough-arguments --race -i',
  ),
  options: takes(
    '-n --names -c --prefix-colors -p --prefix -m --max-processes -l --prefix-length --restart-tries --restart-after -t ' +
      '--timestamp-format --success --name-separator --hide --default-input-target --cwd',
  ),
  inert: SEPARATE,
  operands: [],
  refine: ({ operands, rest, invocation }, context) => {
    for (const word of operands.filter((item) => !rest.includes(item))) {
      const script = /^(?:npm|yarn|pnpm|bun):(.+)$/.exec(word.text ?? '')
      const manager = word.text?.split(':')[0] ?? 'npm'
      if (script?.[1] === undefined) context.shell(word.text, word.span, invocation.name)
      else
        context.command(
          [knownWord(manager, word.span), knownWord('run', word.span), knownWord(script[1].replace(/\*$/, ''), word.span)],
          invocation.name,
        )
    }
  },
}

/** `nodemon x.js`, `nodemon --exec 'ts-node x.ts'`, `tsx watch`. */
const nodemon: CommandSpec = {
  flags: list('-V --verbose -q --quiet -L --legacy-watch -C --on-change-only -I --no-stdin --exitcrash'),
  options: takes('-x --exec -e --ext -w --watch -i --ignore -d --delay -s --signal --config --cwd -r --require --import'),
  inert: SEPARATE,
  stopAtOperand: true,
  operands: [],
  refine: (parsed, context) => {
    const exec = parsed.value('-x', '--exec')
    const [first, ...rest] = parsed.operands
    const text = [exec, ...parsed.operands].map((word) => word?.text ?? null)
    if (exec !== null) context.shell(text.includes(null) ? null : text.join(' '), exec.span, parsed.invocation.name)
    else if (first !== undefined)
      context.command([knownWord(/\.py$/.test(first.text ?? '') ? 'python' : 'node', first.span), first, ...rest], parsed.invocation.name)
  },
}

/** Watchers that run what stands after `--`, or a command line in an option. */
function watcher(flags: string, valued: string, shells: readonly string[]): CommandSpec {
  return {
    flags: list(flags),
    options: takes(`${valued} ${shells.join(' ')}`),
    inert: SEPARATE,
    stopAtOperand: true,
    operands: [],
    refine: (parsed, context) => {
      for (const word of parsed.values(...shells)) context.shell(word.text, word.span, parsed.invocation.name)
      const words = parsed.rest.length > 0 ? parsed.rest : parsed.operands
      if (parsed.values(...shells).length === 0 && words.length === 1)
        context.shell(words[0]?.text ?? null, words[0]?.span ?? parsed.invocation.span, parsed.invocation.name)
      else if (words.length > 0) context.command(words, parsed.invocation.name)
    },
  }
}

/** `chokidar 'src/**' -c cmd`, `onchange 'src/**' -- cmd`: the operands are patterns. */
const patterns: CommandSpec = {
  flags: list('-i --initial --silent --verbose -k -p -a --add -j --jobs'),
  options: takes('-c --command -t --throttle -d --debounce -e --exclude --poll-interval -f --filter'),
  inert: SEPARATE,
  operands: ['data'],
  refine: (parsed, context) => {
    for (const word of parsed.values('-c', '--command')) context.shell(word.text, word.span, parsed.invocation.name)
    if (parsed.rest.length > 0) context.command(parsed.rest, parsed.invocation.name)
  },
}

/** `cross-env A=b cmd`: assignments, then the command; `cross-env-shell` hands it to a shell. */
const crossEnv: CommandSpec = {
  inert: SEPARATE,
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: ({ operands, invocation }, context) => {
    const at = operands.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.prefix))
    const [only, more] = operands.slice(Math.max(at, 0))
    if (invocation.name === 'cross-env-shell' && only !== undefined && more === undefined)
      context.shell(only.text, only.span, invocation.name)
    else if (at >= 0) context.command([knownWord('env', invocation.span), ...operands], invocation.name)
  },
}

/** `start-server-and-test 'npm start' 3000 'npm test'`. */
const serverAndTest: CommandSpec = {
  inert: SEPARATE,
  operands: [],
  refine: ({ operands, invocation }, context) => {
    for (const word of operands) {
      if (/^(?:\d+|https?[:-].*|\d+\|.*)$/.test(word.text ?? '')) continue
      if (word.text !== null && /^[\w:-]+$/.test(word.text))
        context.command([knownWord('npm', word.span), knownWord('run', word.span), word], invocation.name)
      else context.shell(word.text, word.span, invocation.name)
    }
  },
}

/** Removes trees by pattern, for every platform: `rimraf dist`. */
const rimraf: CommandSpec = {
  flags: list(
    '-g --glob -G --no-glob -v --verbose -V --no-verbose -i --interactive --preserve-root --no-preserve-root -f --force -rf -r -d --dot',
  ),
  options: takes('-I --impl -t --tmp --backoff -m --max-retries --ignore -c --cwd --basePath'),
  inert: list('--help -h --version --dry-run'),
  refine: (parsed, context) => {
    for (const word of parsed.operands) {
      // `del /s /q` is the one of Windows.
      if (word.prefix.startsWith('!') || (parsed.invocation.name === 'del' && /^\/[a-z]$/i.test(word.text ?? ''))) continue
      const glob = /[*?[{]/.test(word.text ?? '')
      deletePath(context, glob ? { ...word, glob, prefix: (word.text ?? '').split(/[*?[{]/)[0] ?? '' } : word, {
        action: 'fs:remove',
        attributes: { recursive: true, force: true },
      })
    }
  },
}

/** Copies by pattern: the last operand is where to. */
const copies: CommandSpec = {
  flags: list('-f --force -v --verbose -a --all -e -s --soft --flat --no-overwrite -w --watch --clean -C -L'),
  options: takes('-r --rename --cwd --concurrency -p --parents -u --up -E -i'),
  inert: SEPARATE,
  refine: ({ operands }, context) => {
    for (const word of operands.slice(0, -1)) readPath(context, word)
    for (const word of operands.slice(-1)) writePath(context, word)
  },
}

const makes: CommandSpec = { flags: ['-p', '--print'], options: takes('-m --mode'), inert: SEPARATE, operands: ['write'] }

/** Process keepers: `pm2 start x.js` runs on after the session. */
function keep(parsed: ParsedCommand, context: CommandContext): void {
  const [first, ...rest] = parsed.operands
  if (first === undefined) return
  context.emit('persist', context.thing('process', first.text ?? first.prefix), {
    action: 'proc:detach',
    span: first.span,
    attributes: { by: parsed.invocation.name },
  })
  if (/\.(?:[cm]?[jt]s|py|sh)$/.test(first.text ?? ''))
    context.script(first.text?.endsWith('.py') === true ? 'python' : first.text?.endsWith('.sh') === true ? 'shell' : 'node', first, rest)
  else if (first.text !== null && !/[./]/.test(first.text)) context.shell(first.text, first.span, parsed.invocation.name)
}
function change(action: string): CommandSpec {
  return {
    operands: ['data'],
    refine: (parsed, context) => {
      const words: readonly Word[] = parsed.operands.length > 0 ? parsed.operands : [knownWord('all', parsed.invocation.span)]
      for (const word of words) context.emit('change', context.thing('process', word.text ?? word.prefix), { action, span: word.span })
    },
  }
}
const PM2 = tool('proc', {
  flags: list('--watch --no-daemon -f --force --silent -s --no-autorestart --attach --merge-logs --wait-ready --update-env'),
  options: takes(
    '-n --name -i --instances --interpreter --cron -c --max-memory-restart -l --log -o --output -e --error -u --user --hp ' +
      '--namespace --env --only --lines --cwd',
  ),
  stopAtOperand: false,
  subcommands: byName({
    'start restart-or-start': { refine: keep },
    'restart reload scale reset sendSignal trigger': change('proc:restart'),
    'stop delete del kill': change('proc:kill'),
    'list ls l status logs monit describe show info env prettylist jlist id pid ping report': { ...LISTS, operands: ['data'] },
    'startup save unstartup resurrect dump cleardump': {
      refine: (_, context) => context.emit('persist', context.thing('service', 'pm2'), { action: 'service:enable' }),
    },
    'flush reloadLogs install set update serve': change('proc:restart'),
  }),
})

/** Runs the processes of a `Procfile`, which are command lines of the workspace. */
const SERVES_PROCFILE = develops({
  action: 'dev:serve',
  operands: 'data',
  flags: '--no-timestamp --color',
  valued: '-p --port -e --env -m --formation -t --timeout -l --processes -c --concurrency',
  reads: '-f --procfile',
})
const procfile: CommandSpec = {
  ...SERVES_PROCFILE,
  refine: (parsed, context) => {
    SERVES_PROCFILE.refine?.(parsed, context)
    runProcfile(parsed, context)
  },
}

export const runners: CommandTable = byName({
  concurrently,
  'nodemon ts-node-dev tsnd node-dev supervisor': nodemon,
  watchexec: watcher(
    '-c -r -n -q -v -W --restart --clear --postpone -1',
    '-e -w -i -f -d -s --exts --watch --ignore --debounce --signal --shell --project-origin -E',
    [],
  ),
  'chokidar onchange': patterns,
  'cross-env cross-env-shell': crossEnv,
  'start-server-and-test': serverAndTest,
  shx: runsRest('-s --silent', ''),
  'rimraf del-cli del premove': rimraf,
  'cpy cpy-cli cpx copyfiles ncp': copies,
  mkdirp: makes,
  'pm2 pm2-runtime naught': PM2,
  // Its `-c` names what runs the script.
  forever: { ...PM2, options: { ...PM2.options, ...takes('-c --command', 'program') } },
  // Each operand is a line for a shell.
  'pee mispipe': {
    flags: list('--ignore-sigpipe --no-ignore-sigpipe --ignore-write-errors --no-ignore-write-errors'),
    inert: SEPARATE,
    operands: ['program'],
  },
  'foreman forego honcho overmind hivemind goreman nf': procfile,
  'wait-on': { options: takes('-t -d -i -w -c'), flags: ['-v', '-l'], inert: SEPARATE, operands: ['data'] },
})
