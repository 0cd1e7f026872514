import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { databaseTask } from '../data/database-tasks.ts'
import { ofApplications } from '../data/servers.ts'
import { BUILDS, installs, LISTS } from '../packages/packages.ts'
import { byName, does, each, list, nameOf, sayClaim, takes, tool } from '../tool.ts'
import { applicationCode, applicationInput, applicationSql } from './application-code.ts'
import { type Develops, develops } from './develop.ts'

/** Web frameworks: Rails, Django, Laravel and Symfony consoles, JavaScript frameworks and application servers. */

const DATABASE = { kind: 'database', value: 'application' } as const
const drops = (what: string): CommandSpec => does({ ...DATABASE, verb: 'delete', action: 'sql:drop', attributes: { by: what } })
const migrates = does({ ...DATABASE, verb: 'change', action: 'sql:migrate' })
const migratesByDjango = does({ ...DATABASE, verb: 'change', action: 'sql:migrate', attributes: { by: 'manage.py migrate' } })
const GENERATES: Develops = {
  action: 'dev:generate',
  operands: 'data',
  flags: '-f --force -s --skip -q --quiet --no-interaction -n',
  valued: '--database --path --model --type',
}
const SERVES: Develops = {
  action: 'dev:serve',
  operands: 'data',
  flags: '-d --daemon --reload --noreload --debug',
  valued: '-p --port -b --binding -e --environment --host -u -P',
}

/** Laravel reads `.env.testing` in place of `.env`. */
const IN_TESTS = { attributes: { environment: 'test' }, remote: false }

/** A console whose first operand is a task. */
function console_(by: string): Pick<CommandSpec, 'operands' | 'refine'> {
  return {
    operands: ['data'],
    refine: (parsed, context) => {
      const [first] = parsed.operands
      if (first === undefined) {
        context.emit('execute', context.thing('program', by), { action: 'tool:help' })
      } else if (first.text === null) context.opaque(`the task of \`${by}\` is not known before it runs`, first.span)
      else {
        const { text } = first
        const test = by === 'artisan' && parsed.value('--env')?.text === 'testing'
        let known = false
        if (test) context.within(IN_TESTS, (inner) => (known = databaseTask(text, inner, by)))
        else known = databaseTask(text, context, by)
        if (!known) context.emit('execute', context.thing('script', `${by} ${first.text}`), { action: 'dev:task' })
      }
      if (by === 'rails') furtherTasks(parsed.operands.slice(1), context)
    },
  }
}

/** `rails db:version db:drop`: rake's tasks stand one behind the other. */
function furtherTasks(words: readonly Word[], context: CommandContext): void {
  for (const word of words) {
    if (word.text === null) context.opaque('a task of `rails` is not known before it runs', word.span)
    else if (!/^\w+=/.test(word.text)) databaseTask(word.text.split('[')[0] ?? '', context, 'rails')
  }
}

/** What only looks, with tasks behind it. */
const LISTS_FIRST: CommandSpec = {
  ...LISTS,
  operands: ['data'],
  refine: (parsed, context) => {
    LISTS.refine?.(parsed, context)
    furtherTasks(parsed.operands, context)
  },
}

/** Code as an argument of a console: `rails runner 'X.delete_all'`, `artisan tinker --execute=…`. */
const RUNNER: CommandSpec = {
  options: takes('-e --environment'),
  operands: [],
  stopAtOperand: true,
  refine: ({ operands: [first, ...rest], invocation }, context) => {
    context.emit('execute', context.thing('program', 'rails runner'), { action: 'dev:run' })
    if (first === undefined || first.text === '-') applicationInput('ruby', context, invocation.input)
    else if (first.text?.endsWith('.rb') === true) context.script('ruby', first, rest)
    else applicationCode('ruby', first, context)
  },
}

const SECRET = does({ verb: 'read', action: 'secret:read', kind: 'resource', value: 'credentials' }, { options: takes('-e --environment') })

const rails = tool('dev', {
  ...console_('rails'),
  subcommands: byName({
    'new generate g plugin app:update app:template engine': develops(GENERATES),
    'destroy d': develops({ ...GENERATES, inert: '--help -h --pretend -p' }),
    'server s': develops(SERVES),
    'console c': develops({
      action: 'dev:run',
      operands: 'data',
      flags: '-s --sandbox',
      valued: '-e --environment',
      more: (parsed, context) => {
        if (!parsed.flag('-s', '--sandbox')) applicationInput('ruby', context, parsed.invocation.input)
      },
    }),
    'dbconsole db': {
      flags: list('-p --include-password --header'),
      options: takes('-e --environment --mode --db --database'),
      refine: applicationSql,
    },
    'runner r': RUNNER,
    'test test:system test:all t': develops({ action: 'dev:test', flags: '-v -b -f -d', valued: '-n -e --seed' }),
    'routes about stats notes middleware initializers version time:zones db:version db:migrate:status zeitwerk:check': LISTS_FIRST,
    'credentials:show credentials:edit encrypted:show encrypted:edit secrets:show secrets:edit': SECRET,
    'assets:precompile assets:clean assets:clobber tmp:clear log:clear yarn:install webpacker:compile': develops({
      action: 'dev:build',
      operands: 'data',
    }),
  }),
})

/** Django's `manage.py` and `django-admin`. */
const django = tool('dev', {
  ...console_('manage.py'),
  flags: list('--no-color --traceback --noinput --no-input --force-color --skip-checks'),
  options: takes('--settings --pythonpath --database -v --verbosity'),
  subcommands: byName({
    'runserver runserver_plus testserver': develops(SERVES),
    'startproject startapp makemigrations makemessages compilemessages collectstatic squashmigrations optimizemigration inspectdb':
      develops({ ...GENERATES, inert: '--help -h --dry-run -n --check' }),
    test: develops({
      action: 'dev:test',
      operands: 'data',
      flags: '--keepdb --parallel --failfast --debug-mode -r',
      valued: '-k --tag --testrunner',
    }),
    'check showmigrations sqlmigrate diffsettings findstatic sqlsequencereset version show_urls sqlflush': LISTS,
    'flush reset_db': drops('manage.py flush'),
    migrate: {
      inert: ['--plan', '--check', '--help', '-h'],
      operands: ['data'],
      flags: ['--fake', '--fake-initial', '--run-syncdb'],
      refine: (parsed, context) =>
        (parsed.operands[1]?.text === 'zero' ? drops('manage.py migrate zero') : migratesByDjango).refine?.(parsed, context),
    },
    loaddata: { ...migrates, operands: ['read'] },
    dumpdata: {
      ...does({ ...DATABASE, verb: 'read', action: 'sql:dump' }),
      options: { ...takes('--format --indent -e --exclude'), ...takes('-o --output', 'write') },
      operands: ['data'],
    },
    'shell shell_plus': {
      options: takes('-c --command -i --interface'),
      refine: (parsed, context) => {
        const code = parsed.value('-c', '--command')
        if (code === null) applicationInput('python', context, parsed.invocation.input)
        else applicationCode('python', code, context)
      },
    },
    dbshell: { stopAtOperand: true, refine: applicationSql },
    'createsuperuser changepassword drf_create_token': does(
      { verb: 'change', action: 'user:add', kind: 'account', value: 'application' },
      { options: takes('--username --email') },
    ),
    'createcachetable clearsessions remove_stale_contenttypes': migrates,
  }),
})

/** Laravel's `artisan` and Symfony's `console`. */
const artisan = tool('dev', {
  ...console_('artisan'),
  inert: ['--pretend', '--dry-run'],
  flags: list('-n --no-interaction -q --quiet --ansi --no-ansi -v -vv -vvv --force --seed --graceful --step'),
  options: takes('--env --database --path --class --host --port --queue --tries'),
  subcommands: byName({
    serve: develops(SERVES),
    'list about env route:list migrate:status event:list schedule:list config:show debug:router debug:container lint:yaml lint:twig about':
      LISTS,
    test: develops({ action: 'dev:test', operands: 'data', flags: '--parallel --coverage', valued: '--filter --testsuite --group' }),
    tinker: {
      options: takes('--execute'),
      refine: (parsed, context) => {
        const code = parsed.value('--execute')
        if (code === null) applicationInput('php', context, parsed.invocation.input)
        else applicationCode('php', code, context)
      },
    },
  }),
})

/** JavaScript frameworks: build, serve, generate. */
const FRAMEWORK = tool('dev', {
  flags: list(
    '--open -o --host --https --turbo --turbopack --force -f --watch -w --ssr --prod --no-lint --strictPort --debug -d ' +
      '--experimental --analyze --verbose --dry-run',
  ),
  options: {
    ...takes(
      '-p --port -H --hostname --host --mode -m --base -c --configuration --project --config --log-level -l --target --env-file --preset --root -r',
    ),
    ...takes('--outDir --output-path --dist', 'write'),
  },
  subcommands: byName({
    'dev serve start preview s develop': develops(SERVES),
    'build export generate prepare sync optimize prebuild prerender analyze b': develops({ action: 'dev:build', operands: 'data' }),
    'lint check info inspect typecheck type-check typegen': develops({ action: 'dev:lint', operands: 'data', fixes: '--fix' }),
    'test t e2e': develops({ action: 'dev:test', operands: 'data' }),
    'new g generate-component init create scaffold eject cleanup telemetry module config update schematic': develops({
      ...GENERATES,
      inert: '--help -h --dry-run -d',
    }),
    'add upgrade': installs({ manager: 'framework', manifest: 'package.json' }),
    deploy: does({ verb: 'publish', action: 'pages:deploy', kind: 'service', value: 'site' }),
  }),
  operands: ['data'],
  refine: (parsed, context) => {
    context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'dev:serve' })
    sayClaim(parsed, context)
  },
})

/** `uvicorn app:app`: the module is code of the workspace. */
const SERVER: Develops = {
  ...SERVES,
  flags:
    '--reload --daemon -D --debug --preload --factory --no-access-log --proxy-headers -q -E -B --beat --headless -s -S -o --cors -g --no-dotfiles -c-1',
  valued:
    `${SERVES.valued} -w --workers -k --worker-class --bind --log-level --loglevel -t --timeout --app-dir --root-path ` +
    '--access-logfile --error-logfile -A --app --app-name -Q --queues -c --concurrency --threads -n --hostname ' +
    '--server.port --server.address --log-config --ssl-keyfile --ssl-certfile --socket --http --chdir --env-file -l ' +
    '--listen -a --max-requests --umask',
  loads: '-c= --config -C',
  inert: '--help -h --version -v -V --check-config',
}

/** `flask run`, `flask db upgrade`, `flask shell`. */
const flask = tool('dev', {
  options: takes('-A --app -e --env-file'),
  flags: list('--debug --no-debug'),
  subcommands: {
    run: develops(SERVES),
    routes: LISTS,
    shell: { refine: ({ invocation }, context) => applicationInput('python', context, invocation.input) },
    db: {
      options: takes('-d --directory -m --message'),
      subcommands: byName({
        'upgrade stamp': { ...migrates, operands: ['data'], inert: ['--sql', '--help'] },
        downgrade: {
          operands: ['data'],
          inert: ['--sql', '--help'],
          refine: (parsed, context) =>
            (parsed.operands[0]?.text === 'base' ? drops('flask db downgrade') : migrates).refine?.(parsed, context),
        },
        'init migrate revision merge edit': BUILDS,
        'current history heads branches show check': LISTS,
      }),
    },
  },
  operands: ['data'],
  refine: (parsed: ParsedCommand, context: CommandContext) =>
    context.emit('execute', context.thing('script', `flask ${parsed.operands.map(nameOf)[0] ?? ''}`.trim()), { action: 'dev:task' }),
})

/** Notebooks: converting reads them, `--execute` runs them. */
const NOTEBOOK: Develops = {
  action: 'dev:run',
  operands: 'data',
  flags: '--no-browser --allow-root --execute --inplace --debug -y --stdout --clear-output --no-input -k',
  valued: '--port --ip --notebook-dir --to --template --ServerApp.token -p -f --kernel --language',
  writes: '--output --output-dir',
  inert: '--help -h --version --paths',
  more: (parsed, context) => {
    const runs = parsed.flag('--execute', '--inplace') || parsed.operands[0]?.text === 'execute'
    for (const word of parsed.operands.slice(1)) {
      context.emit(runs ? 'execute' : 'read', context.path(word), { action: 'dev:run', span: word.span })
    }
  },
}

/** Packing an application; `--publish always` also releases it. */
const PACKER: Develops = {
  action: 'dev:build',
  operands: 'data',
  flags: '--linux --win --mac -l -w -m --dir --x64 --arm64',
  valued: '-p --publish --prepackaged',
  loads: '-c --config',
  more: (parsed, context) => {
    const when = parsed.value('-p', '--publish')
    const publishes = when === null ? parsed.operands[0]?.text === 'publish' : when.text !== 'never'
    if (publishes) context.emit('publish', context.thing('repository', 'origin'), { action: 'gh:release', certainty: 'likely' })
  },
}

export const frameworks: CommandTable = byName({
  ...ofApplications(
    byName({
      rails: rails,
      'django-admin manage.py': django,
      'artisan console spark': artisan,
      symfony: { ...artisan, subcommands: byName({ ...artisan.subcommands, console: artisan }) },
      flask,
    }),
  ),
  ...each(
    'next vite nuxt nuxi astro svelte-kit ng vue-cli-service react-scripts remix react-router qwik solid-start vinxi ember ' +
      'expo-web craco storybook sb start-storybook build-storybook blitz redwood rw nest strapi keystone payload meteor ionic ' +
      'quasar stencil polymer preact lit dumi umi father tauri electron-vite wxt plasmo',
    FRAMEWORK,
  ),
  ...each(
    'uvicorn gunicorn hypercorn daphne waitress-serve uwsgi granian rq huey dramatiq arq streamlit gradio chainlit fastapi ' +
      'puma unicorn passenger thin rackup shotgun sidekiq resque http-server serve live-server browser-sync json-server ' +
      'lite-server static-server miniserve simple-http-server php-fpm',
    develops(SERVER),
  ),
  'jupyter jupyter-lab jupyter-notebook jupyter-nbconvert papermill jupytext marimo voila': develops(NOTEBOOK),
  'electron electron-forge electron-builder nw neutralino': develops(PACKER),
})
