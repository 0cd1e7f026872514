import type { CommandSpec } from '../../host.ts'
import { LISTS } from '../packages/packages.ts'
import { byName, does, takes, tool } from '../tool.ts'
import { GLOBAL, GLOBAL_OPTIONS } from './kubernetes-options.ts'
import { inside } from './machines.ts'

/** Clusters on this very machine, in containers: kind, minikube, k3d. */

export const CLUSTER: CommandSpec = tool('container', {
  ...GLOBAL,
  options: {
    ...GLOBAL_OPTIONS,
    ...takes('--name -p --profile --config --image --driver --cpus --memory --nodes --wait --kubernetes-version --addons'),
  },
  subcommands: byName({
    'create start load node cluster registry build image addons': {
      operands: ['data'],
      flags: ['--mount'],
      options: takes('-v --volume --mount-string'),
      refine: (parsed, context) => {
        // Settings and mounts may hand it anything of this machine.
        const own = !parsed.flag('--mount') && parsed.value('--config', '-c', '-v', '--volume', '--mount-string') === null
        const attributes = own && parsed.unknown.length === 0 ? { contained: true } : {}
        context.emit('execute', context.thing('resource', 'local cluster'), { action: 'container:run', attributes })
      },
    },
    'delete stop pause': {
      ...does({ verb: 'delete', action: 'container:remove', kind: 'resource', value: 'local cluster', reversible: false }),
      operands: ['data'],
    },
    ssh: inside(0),
    'get status list ip profile logs service dashboard': { ...LISTS, operands: ['data'] },
    'export docker-env config kubeconfig tunnel mount cp update-context': {
      ...does({ verb: 'change', action: 'tool:config', kind: 'variable', value: 'kubeconfig' }),
      operands: ['data'],
    },
  }),
})
