import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { writePath } from '../../resources/acts.ts'
import { develops } from '../development/develop.ts'
import { BUILD, RUN, TEST } from '../packages/languages-parts.ts'
import { LISTS } from '../packages/packages.ts'
import { byName, does, doing, each, list, takes, tool } from '../tool.ts'
import { act, downloads, READS, remote } from './parts.ts'

/**
 * Tools of data work: pipelines, queues of tasks, clusters of files. They run code of the workspace; what
 * they delete, upload or trigger for others is named.
 */

const DBT = '--select -s --models -m --exclude --selector --target -t --profile --vars --threads --state --resource-type --sample'
const dbtRuns = (action: string) =>
  develops({
    action,
    operands: 'data',
    flags: '--full-refresh -f --fail-fast -x --defer --no-defer --empty --no-partial-parse --static',
    valued: `${DBT} --args --inline --output --limit --port`,
    reads: '--project-dir --profiles-dir',
    writes: '--target-path --log-path',
  })
const dbt = tool('dbt', {
  flags: list('-q --quiet -d --debug --no-version-check --fail-fast --use-colors --no-use-colors'),
  options: takes(`${DBT} --log-level --log-format`),
  subcommands: byName({
    'run build seed snapshot retry clone run-operation': dbtRuns('sql:migrate'),
    'test source freshness': dbtRuns('dev:test'),
    'compile parse docs init deps show debug ls list': dbtRuns('dev:build'),
    clean: develops({ action: 'dev:clean', operands: 'data' }),
  }),
})

const airflowUsers = each(
  'create delete add-role remove-role import reset-password',
  does({ ...doing('change access:grant'), kind: 'account', value: 'airflow' }, { operands: ['data'] }),
)
const exported = (verb: 'connections' | 'variables'): CommandSpec => ({
  operands: ['data'],
  refine: ({ operands: [file], path }, context) => {
    context.emit('read', context.thing('resource', `airflow ${verb}`), { action: 'secret:export', attributes: { store: path.join(' ') } })
    if (file !== undefined && path.at(-1) === 'export') writePath(context, file)
  },
})
const airflow = tool('airflow', {
  subcommands: byName({
    db: {
      subcommands: byName({
        'init migrate upgrade check check-migrations': does(act('change sql:migrate', 'database', 'airflow')),
        'reset clean downgrade': does(act('delete sql:drop', 'database', 'airflow'), { flags: list('-y --yes') }),
        shell: READS,
      }),
    },
    dags: {
      subcommands: byName({
        'list list-runs list-jobs list-import-errors show state report next-execution details': READS,
        test: develops(TEST),
        'trigger backfill pause unpause reserialize': remote('change', 'dag'),
        delete: remote('delete', 'dag'),
      }),
    },
    tasks: {
      subcommands: byName({
        'list render state states-for-dag-run failed-deps': READS,
        test: develops(TEST),
        'run clear': remote('change', 'task'),
      }),
    },
    connections: {
      subcommands: byName({
        get: exported('connections'),
        export: exported('connections'),
        'list test': READS,
        'add delete import': remote('change', 'connection'),
      }),
    },
    variables: {
      subcommands: byName({
        get: exported('variables'),
        export: exported('variables'),
        list: READS,
        'set delete import': remote('change', 'variable'),
      }),
    },
    users: { subcommands: { list: READS, export: READS, ...airflowUsers } },
    'scheduler webserver api-server standalone triggerer celery dag-processor': develops({ action: 'dev:serve', operands: 'data' }),
    'config info providers plugins cheat-sheet jobs roles pools': READS,
  }),
})

const DVC_WORK = develops({
  action: 'dev:run',
  operands: 'data',
  flags: '-f --force -s --single-item -p --pipeline --dry -q -v -R --recursive -a --all-commits',
  valued: '-j --jobs -r --remote -d -o -n --name -S --set-param -m --rev --to-remote',
})
const dvc = tool('dvc', {
  subcommands: byName({
    'repro run exp stage add commit checkout import-url import get init freeze unfreeze move install update queue plots': DVC_WORK,
    'pull fetch get-url': downloads('-r --remote -j --jobs'),
    push: does(
      { ...doing('publish data:upload'), kind: 'resource', option: ['-r', '--remote'], value: 'default remote' },
      { options: takes('-j --jobs') },
    ),
    'status diff dag list ls params metrics data doctor version check-ignore root': READS,
    remote: {
      subcommands: byName({
        list: READS,
        'add modify default remove rename': does(act('change data:remote', 'variable', 'remote'), {
          flags: list('-d --global --system --local -f'),
        }),
      }),
    },
    config: does(act('change tool:config', 'variable', 'dvc')),
    'gc destroy': does(
      { ...doing('delete cloud:delete'), kind: 'resource', value: 'data and its history', reversible: false },
      { flags: list('-w -a -c -f --force --workspace --cloud --all-branches') },
    ),
    'remove rm': develops({ action: 'dev:clean', operands: 'data' }),
  }),
})

const CELERY = takes(
  '-A --app -b --broker --result-backend -l --loglevel --workdir -c --concurrency -Q --queues -n --hostname -P --pool -d ' +
    '--destination -t --timeout -i --interval --max-tasks-per-child',
)
const celery = tool('celery', {
  options: CELERY,
  flags: list('-q --quiet -C --no-color -B --beat -f --force -D --detach -E'),
  subcommands: byName({
    'worker beat flower events multi shell': develops({ action: 'dev:serve', operands: 'data', flags: '-B --beat -E' }),
    'status inspect report list graph result logtool': READS,
    call: does(act('execute queue:send', 'resource', 'task')),
    purge: does({ ...doing('delete sql:drop'), kind: 'database', value: 'task queues', reversible: false }),
    control: {
      subcommands: byName({
        'enable_events disable_events rate_limit time_limit pool_grow pool_shrink autoscale add_consumer cancel_consumer heartbeat': READS,
        'shutdown revoke terminate': does(act('change sql:kill', 'database', 'workers')),
      }),
    },
    'migrate upgrade amqp': does(act('change sql:migrate', 'database', 'task queues')),
  }),
})

/** `hdfs dfs -rm -r /data`: files of a cluster, with the verbs of this machine's files behind a dash. */
const HDFS_READS = new Set(
  list('-ls -lsr -cat -text -tail -head -du -dus -df -stat -test -count -find -checksum -getfacl -getfattr -help -usage'),
)
function hdfs(parsed: ParsedCommand, context: CommandContext): void {
  const words = parsed.invocation.args.map((word) => word.text ?? '')
  const verb = words.find(
    (word, at) =>
      word.startsWith('-') && !['-fs', '-D', '-conf', '-jt'].includes(word) && !['-fs', '-D', '-conf', '-jt'].includes(words[at - 1] ?? ''),
  )
  const files = ['dfs', 'fs', 'dfsadmin', 'namenode'].some((word) => words.includes(word))
  if (!files || verb === undefined) {
    context.emit('execute', context.thing('program', words[0] ?? parsed.invocation.name), { action: 'dev:run' })
    return
  }
  const what = context.thing('resource', words.at(-1) ?? 'files')
  if (HDFS_READS.has(verb) || /^-(?:get|copyToLocal|getmerge|report)$/.test(verb))
    context.emit('read', what, { action: 'cluster:download' })
  else if (/^-(?:rm|rmr|rmdir|expunge|deleteSnapshot|truncate|format)$/.test(verb))
    context.emit('delete', what, { action: 'cluster:delete', reversible: false, attributes: { verb } })
  else context.emit('change', what, { action: 'cluster:change', attributes: { verb } })
}

export const dataWork: CommandTable = byName({
  dbt,
  airflow,
  dvc,
  celery,
  'hdfs hadoop': { operands: ['data'], inert: ['--help', '-h'], refine: hdfs },
  'kedro great_expectations gx prefect-local metaflow snakemake nextflow': develops({ ...RUN, stopAtOperand: false }),
  scrapy: tool('scrapy', {
    subcommands: byName({
      'crawl parse': develops({ ...RUN, stopAtOperand: false, valued: '-a -s --nolog -L', writes: '-o -O --output --overwrite-output -t' }),
      runspider: {
        options: { ...takes('-a -s -L'), ...takes('-o -O --output --overwrite-output', 'write') },
        flags: ['--nolog'],
        operands: ['script'],
      },
      'check list settings version bench': LISTS,
      'fetch view': { operands: ['url'] },
      shell: { operands: ['url'], options: takes('-c -s') },
      'startproject genspider edit': develops(BUILD),
      deploy: remote('change', 'spider'),
    }),
  }),
})
