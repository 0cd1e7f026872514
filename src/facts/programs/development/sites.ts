import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl, readPath, writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { act } from '../data/parts.ts'
import { installs } from '../packages/packages.ts'
import { byName, does, doing, each, list, takes, tool } from '../tool.ts'
import { develops } from './develop.ts'

/** Sites and the servers that hand them out: WordPress and Drupal on the command line, web servers, small platforms. */

const READS = does(act('read site:read', 'resource', 'site'), { operands: ['data'] })
const CHANGES = does(act('change sql:write', 'database', 'site'), { operands: ['data'] })
const EMPTIES = does(
  { ...doing('delete sql:drop'), kind: 'database', value: 'site', reversible: false },
  { operands: ['data'], flags: ['--yes', '-y'] },
)
const ACCESS = does(
  { ...doing('change access:grant'), kind: 'account', value: 'site' },
  { operands: ['data'], options: takes('--role --user_pass') },
)
const LOCAL = develops({ action: 'dev:run', operands: 'data' })

const statement: CommandSpec = {
  operands: ['data'],
  options: takes('--extra --database --db-prefix'),
  refine: ({ operands: [text], invocation }, context) => {
    const database = context.thing('database', 'site')
    if (text !== undefined) context.sql(text.text, text.span, database)
    else if (invocation.input.kind === 'text') context.sql(invocation.input.text, invocation.input.span, database)
    else if (invocation.input.kind !== 'none') context.opaque('the statements come from standard input')
  },
}
const phpCode: CommandSpec = {
  operands: ['data'],
  flags: ['--skip-wordpress'],
  refine: ({ operands: [text] }, context) => {
    if (text !== undefined) context.code('php', text.text, text.span)
  },
}
const phpFile: CommandSpec = {
  operands: ['data'],
  refine: ({ operands: [file, ...args] }, context) => {
    if (file !== undefined) context.script('php', file, args)
  },
}
const dump: CommandSpec = {
  operands: ['data'],
  flags: list('--add-drop-table --porcelain --gzip'),
  options: takes('--tables --exclude_tables --result-file'),
  refine: (parsed, context) => {
    context.emit('read', context.thing('database', 'site'), { action: 'sql:dump' })
    for (const word of [...parsed.operands, ...parsed.values('--result-file')]) if (word.text !== '-') writePath(context, word)
  },
}
const restore: CommandSpec = {
  operands: ['data'],
  refine: ({ operands: [file] }, context) => {
    if (file !== undefined) readPath(context, file)
    context.emit('write', context.thing('database', 'site'), { action: 'sql:write' })
  },
}

/** `--ssh=host` and `@alias` run it elsewhere; `--exec` and `--require` run code first. */
function everywhere(parsed: ParsedCommand, context: CommandContext): void {
  for (const host of parsed.values('--ssh', '--http')) reachUrl(context, host, { verb: 'execute', action: 'net:remote-shell' })
  for (const word of parsed.values('--exec')) context.code('php', word.text, word.span)
  for (const word of parsed.values('--require')) context.script('php', word, [])
}

const EXTENSION = byName({
  'list get status search is-installed is-active path verify-checksums version check-update auto-updates': READS,
  'install update download': installs(
    { manager: 'wp', manifest: 'wp-content' },
    { flags: list('--activate --force --all --minor --skip-content'), options: takes('--version --locale') },
  ),
  'activate deactivate toggle': CHANGES,
  'delete uninstall': does({ ...doing('change pkg:remove'), kind: 'package', from: 0, value: 'all' }, { operands: ['data'] }),
})
const RECORD = byName({
  'list get search exists count pluck path type structure status schedule test': READS,
  'create update add set patch generate import flush regenerate run assign edit move': CHANGES,
  'delete reset spam trash remove': does(
    [
      { ...act('delete sql:delete', 'database', 'site'), attributes: { where: true } },
      // Past the trash, where it could be taken from again.
      { ...act('delete resource:delete', 'resource', 'site'), reversible: false, when: (parsed) => parsed.flag('--force') },
    ],
    { operands: ['data'], flags: ['--force'] },
  ),
})
const RECORDS = byName({ ...RECORD, 'meta event': { subcommands: RECORD } })
const wp = tool('wp', {
  everywhere,
  options: {
    ...takes('--ssh --http --url --user --exec --context --color --format --fields --field'),
    ...takes('--path', 'read'),
    '--require': 'data',
  },
  flags: list('--allow-root --quiet --skip-plugins --skip-themes --skip-packages --debug --prompt'),
  subcommands: byName({
    db: {
      subcommands: byName({
        'reset drop clean': EMPTIES,
        query: statement,
        export: dump,
        dump,
        import: restore,
        'tables size check prefix columns search cli optimize repair': READS,
        create: CHANGES,
      }),
    },
    eval: phpCode,
    'eval-file': phpFile,
    shell: LOCAL,
    user: {
      subcommands: byName({
        'list get exists meta': READS,
        'create update delete set-role add-role remove-role add-cap reset-password application-password import-csv spam': ACCESS,
      }),
    },
    'super-admin': { subcommands: byName({ list: READS, 'add remove': ACCESS }) },
    'plugin theme': { subcommands: EXTENSION },
    core: {
      subcommands: byName({
        ...EXTENSION,
        'install multisite-install multisite-convert update-db': CHANGES,
        'is-installed version check-update verify-checksums': READS,
        config: LOCAL,
      }),
    },
    site: { subcommands: byName({ ...RECORDS, 'empty delete': EMPTIES }) },
    'search-replace': does(
      { ...doing('change sql:write'), kind: 'database', value: 'site', reversible: false, attributes: { where: false } },
      {
        operands: ['data'],
        inert: ['--dry-run'],
        options: takes('--skip-columns --include-columns --export'),
        flags: list('--network --all-tables --precise --skip-tables'),
      },
    ),
    'post comment option term menu media transient cache cron rewrite role cap sidebar widget language taxonomy post-type network i18n scaffold':
      { subcommands: RECORDS },
    config: {
      subcommands: byName({
        'path is-true has': READS,
        'get list': does(act('read secret:read', 'resource', 'wp-config')),
        'set create delete edit shuffle-salts': LOCAL,
      }),
    },
    export: dump,
    import: restore,
    'cli info package maintenance-mode server embed': LOCAL,
  }),
})

const DRUSH: readonly (readonly [string, CommandSpec])[] = [
  ['sql-drop sql:drop site-install site:install si', EMPTIES],
  ['sql-query sql:query sqlq', statement],
  ['php-eval php:eval ev eval', phpCode],
  ['php-script php:script scr', phpFile],
  ['sql-dump sql:dump', dump],
  ['sql-sync sql:sync rsync core-rsync site:ssh ssh deploy', does(act('change cloud:change', 'resource', 'site'), { operands: ['data'] })],
  ['user-login user:login uli', does({ ...doing('read secret:read'), kind: 'resource', value: 'one-time login' }, { operands: ['data'] })],
  ['user-create user:create user-password user:password upwd user-add-role user:role:add urol user-cancel user:cancel user-block', ACCESS],
  [
    'status st core-status pm-list pm:list pml watchdog-show watchdog:show ws config-get config:get cget user-information ' +
      'user:info updatedb-status sql-cli sqlc sql-connect',
    READS,
  ],
  [
    'cache-rebuild cache:rebuild cr cache-clear cc updatedb updb config-import config:import cim config-export ' +
      'config:export cex cron core-cron pm-enable pm:enable en pm-uninstall pm:uninstall pmu config-set config:set cset ' +
      'state-set generate gen locale-update entity:updates',
    CHANGES,
  ],
  [
    'entity-delete entity:delete watchdog-delete watchdog:delete',
    does(
      { ...doing('delete sql:delete'), kind: 'database', value: 'site', reversible: false, attributes: { where: true } },
      { operands: ['data'] },
    ),
  ],
]
const drush = tool('drush', {
  options: { ...takes('--uri -l --root -r --ssh-options') },
  flags: list('-y --yes -n --no -v --debug -q'),
  subcommands: Object.assign({}, ...DRUSH.map(([names, spec]) => each(names, spec))),
})

const RESTARTS = does({ ...doing('change service:restart'), kind: 'service', value: 'web server' })
const SERVER_SIGNALS = new Set(list('stop quit reopen reload'))

/** `nginx -s reload`, `nginx -t`, `nginx -c file`. */
const nginx: CommandSpec = {
  flags: list('-t -T -q -v -V -h'),
  options: { ...takes('-s -g -e'), ...takes('-p', 'read'), '-c': 'read' },
  refine: (parsed, context) => {
    const signal = parsed.value('-s')
    const service = context.thing('service', 'nginx')
    if (signal !== null)
      context.emit('change', service, { action: SERVER_SIGNALS.has(signal.text ?? '') ? 'service:restart' : 'service:change' })
    else if (!parsed.flag('-t', '-T', '-v', '-V', '-h')) context.emit('execute', service, { action: 'dev:serve' })
  },
}
const apache: CommandSpec = {
  flags: list('-t -S -M -v -V -l -L'),
  options: { ...takes('-k -D -e -c -C'), ...takes('-d', 'read'), '-f': 'read' },
  operands: ['data'],
  refine: (parsed, context) => {
    for (const { text, span } of parsed.values('-c', '-C')) {
      const [, directive = '', file] = /^\s{0,8}(Include|IncludeOptional|LoadModule\s{1,8}\w+|LoadFile)\s{1,8}(\S+)/i.exec(text ?? '') ?? []
      if (file === undefined) continue
      if (directive.startsWith('Load')) context.emit('execute', context.path(knownWord(file, span)), { action: 'code:load', span })
      else context.emit('read', context.path(knownWord(file, span)), { span })
    }
    const verb = parsed.value('-k') ?? parsed.operands[0]
    if (verb === undefined || /^(?:configtest|status|fullstatus)$/.test(verb.text ?? '')) return
    context.emit('change', context.thing('service', 'apache'), { action: 'service:change', attributes: { operation: verb.text } })
  },
}
const SERVES = develops({
  action: 'dev:serve',
  operands: 'data',
  reads: '--config -c',
  valued: '--adapter -a --listen --root --port -p --domain --envfile',
})
const caddy = tool('caddy', {
  subcommands: byName({
    'run start file-server reverse-proxy respond': SERVES,
    'reload stop upgrade': RESTARTS,
    'validate adapt list-modules version environ storage manpage build-info': READS,
    fmt: develops({ action: 'dev:format', fixes: '-w --overwrite' }),
    'trust untrust': does({ ...doing('change security:change'), kind: 'resource', value: 'root certificates' }),
    'hash-password': READS,
    'add-package remove-package': installs({ manager: 'caddy', manifest: 'caddy' }),
  }),
})

/** `dokku apps:destroy shop`: on the server it runs on. */
const DOKKU_READS = /(?:^|:)(?:list|report|info|show|logs|status|exists|help|version|urls|keys|links)$/
const dokku: CommandSpec = {
  operands: ['data'],
  flags: list('--force --quiet --no-restart'),
  options: takes('--app'),
  inert: ['--help', '-h'],
  refine: ({ operands: [verb, app, ...more] }, context) => {
    const what = verb?.text ?? ''
    const resource = context.thing('resource', app?.text ?? 'application')
    if (/^(?:run|enter)/.test(what))
      context.within({ attributes: { application: app?.text ?? null }, remote: true }, (inside) => runInside(more, inside))
    else if (/:(?:destroy|remove|clear|unlink|delete|purge)/.test(what))
      context.emit('delete', resource, { action: 'cloud:delete', reversible: false })
    else if (/^config/.test(what) && !/:(?:set|unset|clear)/.test(what)) context.emit('read', resource, { action: 'secret:read' })
    else if (DOKKU_READS.test(what) || what === '') context.emit('read', resource, { action: 'cloud:read' })
    else context.emit('change', resource, { action: 'cloud:change', attributes: { operation: what } })
  },
}
function runInside(words: readonly Word[], context: CommandContext): void {
  if (words.length > 0) context.command(words, 'dokku')
}

export const sites: CommandTable = byName({ wp, drush, nginx, 'apachectl apache2ctl apache2': apache, caddy, dokku })
