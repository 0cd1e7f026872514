import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { byName, each, list, takes } from '../tool.ts'
import { COMPOSE } from './compose.ts'
import {
  act,
  COPY,
  INSPECT,
  LOAD,
  LOGIN,
  LOOK,
  PRUNE,
  PRUNE_CACHE,
  PRUNE_VOLUMES,
  PULL,
  PUSH,
  REMOVE,
  REMOVE_IMAGE,
  REMOVE_VOLUME,
  SAVE,
  STATE,
} from './parts.ts'
import { BUILD, EXEC, RUN } from './run.ts'

/** The commands that docker, podman and nerdctl share: what is looked at, removed, pulled and pushed. */

const GROUP = (more: Readonly<Record<string, CommandSpec>>): CommandSpec => ({
  subcommands: byName({ 'ls list ps logs history diff top stats port exists': LOOK, inspect: INSPECT, ...more }),
})
const LIFE = byName({
  run: RUN,
  create: RUN,
  exec: EXEC,
  cp: COPY,
  'start stop restart kill pause unpause rename update wait attach commit restore checkpoint': STATE,
  rm: REMOVE,
  export: SAVE,
})

/** `podman machine ssh [name] [command]`: the name may be left out, so the command may begin at either word. */
const MACHINE: CommandSpec = {
  options: takes('--username'),
  stopAtOperand: true,
  refine: ({ operands, invocation }, context) => {
    context.emit('execute', context.thing('resource', 'podman machine'), { action: 'container:exec' })
    context.within({ attributes: { container: 'machine' }, remote: true }, (inside) => {
      for (const words of [operands, operands.slice(1)]) inside.command(words, invocation.name)
    })
  },
}

/** Whoever holds it may join machines of their own, or read what the cluster keeps sealed. */
/** Podman shows the value of a secret where it is told to. */
const UNVEILED: CommandSpec = {
  ...LOOK,
  flags: [...(LOOK.flags ?? []), '--showsecret'],
  refine: (parsed, context) => {
    LOOK.refine?.(parsed, context)
    if (parsed.flag('--showsecret')) context.emit('read', context.thing('resource', 'secret'), { action: 'secret:read' })
  },
}

const PRINTS_TOKEN = act('read secret:read', { value: 'swarm' }, { flags: list('-q --quiet --rotate') })

export const COMMANDS: Readonly<Record<string, CommandSpec>> = byName({
  ...LIFE,
  'ps images logs version info history diff top stats port events search du df healthcheck': LOOK,
  inspect: INSPECT,
  rmi: REMOVE_IMAGE,
  build: BUILD,
  pull: PULL,
  push: PUSH,
  'login logout': LOGIN,
  save: SAVE,
  'load import': LOAD,
  'tag untag': act('change container:tag'),
  container: GROUP({ ...LIFE, prune: PRUNE }),
  image: GROUP(
    byName({
      'rm remove': REMOVE_IMAGE,
      prune: PRUNE_CACHE,
      build: BUILD,
      pull: PULL,
      push: PUSH,
      save: SAVE,
      'load import': LOAD,
      tag: act('change container:tag'),
    }),
  ),
  volume: GROUP(byName({ create: STATE, 'rm remove': REMOVE_VOLUME, prune: PRUNE_VOLUMES, export: SAVE, import: LOAD })),
  network: GROUP(
    byName({
      'create connect disconnect reload': STATE,
      'rm remove prune': act('delete container:network', { reversible: true, value: 'networks' }, { flags: list('-f --force') }),
    }),
  ),
  system: {
    subcommands: byName({ 'df info events connection': LOOK, prune: PRUNE, reset: PRUNE, 'migrate renumber service': STATE }),
  },
  builder: { subcommands: byName({ prune: PRUNE_CACHE, build: BUILD, ls: LOOK }) },
  buildx: {
    options: takes('--builder'),
    subcommands: byName({
      build: BUILD,
      bake: { ...BUILD, operands: ['data'], refine: bake },
      'ls inspect du version history': { ...LOOK },
      imagetools: { subcommands: { create: PUSH, inspect: LOOK } },
      'create use stop rm install uninstall': STATE,
      prune: PRUNE_CACHE,
    }),
  },
  compose: COMPOSE,
  context: GROUP(
    byName({
      'use create update import export': STATE,
      show: LOOK,
      rm: act('delete container:context', { reversible: true }),
    }),
  ),
  manifest: { subcommands: byName({ 'create annotate add rm': STATE, inspect: LOOK, push: PUSH }) },
  'swarm service stack node secret config': GROUP(
    byName({
      'create update scale rollback deploy init join leave up promote demote unlock ca': act(
        'change container:swarm',
        { value: 'swarm' },
        { options: takes('-c --compose-file --replicas --image'), flags: list('--force -f') },
      ),
      'rm remove down': act('delete container:swarm', { reversible: false }),
      'join-token': PRINTS_TOKEN,
      'unlock-key': PRINTS_TOKEN,
      services: LOOK,
      show: LOOK,
      inspect: UNVEILED,
    }),
  ),
  'pod machine': GROUP(byName({ 'create start stop restart kill init set': STATE, 'rm prune reset': REMOVE, ssh: MACHINE })),
  'trust plugin': GROUP(
    Object.fromEntries(
      list('key signer sign revoke create install enable disable set push rm remove upgrade').map((name) => [name, STATE]),
    ),
  ),
  'model mcp': { ...STATE, operands: ['data'] },
  sbom: LOOK,
  scout: { ...STATE, operands: ['data'], subcommands: each('cves quickview recommendations compare sbom version', LOOK) },
  'generate kube quadlet': {
    operands: ['data'],
    refine: (_, context) => context.emit('execute', context.thing('resource', 'kube'), { action: 'container:run' }),
  },
  'mount umount': STATE,
  unshare: {
    flags: ['--rootless-netns'],
    stopAtOperand: true,
    refine: ({ operands, invocation }, context) => context.command(operands, invocation.name),
  },
})

function bake(parsed: ParsedCommand, context: CommandContext): void {
  context.emit('execute', context.thing('resource', 'bake'), { action: 'container:build' })
  if (parsed.flag('--push')) context.emit('publish', context.thing('resource', 'bake'), { action: 'docker:push' })
}

export const GLOBAL: CommandSpec = {
  flags: list('-D --debug --tls --tlsverify -v --version --remote -r'),
  options: takes(
    '-c --context -H --host --config -l --log-level --tlscacert --tlscert --tlskey --connection --url --root --runroot ' +
      '--storage-driver --log-level -n --namespace --address --cgroup-manager',
  ),
}
