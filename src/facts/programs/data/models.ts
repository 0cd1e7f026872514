import type { CommandContext, CommandTable, ParsedCommand } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { develops, runsRest } from '../development/develop.ts'
import { BUILD, RUN } from '../packages/languages-parts.ts'
import { byName, does, list, takes, tool } from '../tool.ts'
import { act, downloads, READS, remote } from './parts.ts'

/** Experiments and models: they run code of the workspace; what is uploaded, submitted or deleted at a hub is named. */

const LOGS_IN = does(act('change tool:auth', 'account', 'account'), { operands: ['data'], options: takes('--token --relogin --host') })

const mlflow = tool('mlflow', {
  subcommands: byName({
    'ui server': develops({ action: 'dev:serve', operands: 'data' }),
    run: develops({ ...RUN, valued: '-P -e --entry-point --experiment-name --env-manager --backend -b' }),
    'doctor runs': READS,
    gc: does(act('delete cloud:delete', 'resource', 'runs')),
    experiments: {
      subcommands: byName({
        'search csv list get': READS,
        create: remote('change', 'experiment'),
        'delete rename restore': remote('delete', 'experiment'),
      }),
    },
    artifacts: {
      subcommands: byName({
        'list download': READS,
        'log-artifact log-artifacts': does(act('send cloud:upload', 'resource', 'artifacts')),
      }),
    },
    db: { subcommands: { upgrade: does(act('change sql:migrate', 'database', 'mlflow')) } },
    models: {
      subcommands: byName({
        serve: develops({ action: 'dev:serve', operands: 'data' }),
        'predict build-docker generate-dockerfile': develops(BUILD),
      }),
    },
    'deployments sagemaker': {
      subcommands: byName({
        'help list get predict': READS,
        'create update create-endpoint deploy': remote('change', 'deployment'),
        delete: remote('delete', 'deployment'),
      }),
    },
  }),
})

/** Uploads local files to a hub under the name of the first operand. */
function uploads(parsed: ParsedCommand, context: CommandContext): void {
  const [name, ...files] = parsed.operands
  for (const word of files.slice(0, 1)) readPath(context, word)
  context.emit('publish', context.thing('resource', name?.text ?? 'model'), {
    action: 'model:publish',
    attributes: { private: parsed.flag('--private') },
  })
}
const HUB = takes('--repo-type --revision --commit-message --commit-description --include --exclude --token --local-dir --cache-dir --type')
const hub = tool('hf', {
  subcommands: byName({
    download: downloads('--repo-type --revision --include --exclude --token', '--local-dir --cache-dir'),
    'upload upload-large-folder': {
      flags: ['--private', '--create-pr', '--quiet'],
      options: HUB,
      operands: ['data'],
      refine: uploads,
    },
    'repo repos': {
      subcommands: byName({
        create: remote('change', 'repository'),
        'delete move settings tag branch': remote('delete', 'repository'),
        'list ls': READS,
      }),
    },
    'repo-files': { subcommands: { delete: remote('delete', 'files') } },
    'login logout': LOGS_IN,
    auth: { subcommands: byName({ 'login logout switch': LOGS_IN, 'list whoami token': READS }) },
    'delete-cache': develops({ action: 'dev:clean', operands: 'data' }),
    cache: {
      subcommands: byName({
        'scan ls list verify': READS,
        'delete prune rm': develops({ action: 'dev:clean', operands: 'data' }),
      }),
    },
    'whoami env scan-cache version models datasets spaces papers': READS,
    jobs: {
      subcommands: byName({
        'ps logs inspect hardware': READS,
        'run uv scheduled': remote('change', 'job'),
        cancel: remote('delete', 'job'),
      }),
    },
  }),
})

const kaggle = tool('kaggle', {
  subcommands: byName({
    'competitions c': {
      subcommands: byName({
        'list files leaderboard submissions': READS,
        download: downloads('-c -f', '-p --path'),
        submit: does(act('publish data:submit', 'resource', 'submission'), {
          options: { ...takes('-c -m'), ...takes('-f --file', 'read') },
        }),
      }),
    },
    'datasets d kernels k models m': {
      subcommands: byName({
        'list files status metadata output get init': READS,
        'download pull': downloads('', '-p --path'),
        'create version push update': does(act('publish data:upload', 'resource', 'kaggle'), { options: takes('-p -m --dir-mode -r') }),
        delete: remote('delete', 'dataset'),
      }),
    },
    config: does(act('change tool:config', 'variable', 'kaggle')),
  }),
})

const wandb = tool('wandb', {
  subcommands: byName({
    'login init': LOGS_IN,
    'online offline enabled disabled on off': does(act('change tool:config', 'variable', 'wandb')),
    'status verify docker docker-run pull restore': READS,
    'agent launch local server beta scheduler': develops({ ...RUN, action: 'dev:serve' }),
    sync: does(act('send cloud:upload', 'resource', 'runs'), {
      flags: list('--clean --sync-all --include-offline'),
      options: takes('-p --project -e --entity --id'),
    }),
    'sweep job': remote('change', 'sweep'),
    artifact: {
      subcommands: byName({
        'get ls': READS,
        put: does(act('publish data:upload', 'resource', 'artifact'), { options: takes('-n --name -t --type -d') }),
        cache: READS,
      }),
    },
  }),
})

const launch = runsRest(
  '-m --module --multi_gpu --cpu --no_python --no-python --standalone',
  '--nproc_per_node --nproc-per-node --nnodes --node_rank --master_addr --master_port --config_file --num_processes ' +
    '--mixed_precision --num_machines --rdzv_backend --rdzv_endpoint --num_gpus --include --hostfile',
)

export const models: CommandTable = byName({
  mlflow,
  'hf huggingface-cli': hub,
  kaggle,
  wandb,
  'torchrun deepspeed': {
    ...launch,
    refine: (parsed, context) => {
      const [script, ...args] = parsed.operands
      if (parsed.flag('--no_python', '--no-python')) context.command(parsed.operands, parsed.invocation.name)
      else if (script !== undefined && !parsed.flag('-m', '--module', '--no_python')) context.script('python', script, args)
      else context.emit('execute', context.thing('package', script?.text ?? 'module'), { action: 'dev:run' })
    },
  },
  accelerate: tool('accelerate', {
    subcommands: byName({
      launch: {
        ...launch,
        refine: (parsed, context) => {
          const [script, ...args] = parsed.operands
          if (parsed.flag('--no_python', '--no-python')) context.command(parsed.operands, 'accelerate')
          else if (script !== undefined) context.script('python', script, args)
        },
      },
      'config env test estimate-memory merge-weights': develops({ action: 'dev:run', operands: 'data' }),
    }),
  }),
  'tensorboard aim': develops({ action: 'dev:serve', operands: 'data', valued: '--port --host', reads: '--logdir --logdir_spec' }),
})
