import type { Json } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { LISTS } from '../packages/packages.ts'
import { attributesOf, byName, does, each, known, list, nameOf, refined, takes, tool } from '../tool.ts'
import { GLOBAL, GLOBAL_OPTIONS } from './kubernetes-options.ts'
import { CLUSTER } from './local-clusters.ts'

/** Clusters: kubectl and its kin. Every effect says which cluster, namespace and resources it is about, as far as named. */

const COMMON_FLAGS = list(
  '-A --all-namespaces -w --watch --watch-only --no-headers --show-labels --show-managed-fields --ignore-not-found --all ' +
    '--force --now --overwrite --record --server-side --force-conflicts -R --recursive --local --list -i --stdin -t --tty ' +
    '-q --quiet --rm --edit --expose --previous -p --follow -f --all-containers --prefix --timestamps ' +
    '--windows-line-endings --attach --save-config --prune --validate --openapi-patch --ignore-daemonsets ' +
    '--delete-emptydir-data --delete-local-data --disable-eviction --containers --sort-by-cpu --short --client -o-wide ' +
    '--raw-output --minify --flatten --raw',
)
const COMMON_OPTIONS = {
  ...GLOBAL_OPTIONS,
  ...takes(
    '-o --output -l --selector --field-selector --sort-by -L --label-columns -c --container --tail --since --since-time ' +
      '--limit-bytes --max-log-requests --replicas --current-replicas --resource-version --timeout --grace-period ' +
      '--field-manager --type --image --port --target-port --name --labels --annotations --env --restart --overrides ' +
      '--subresource --to --to-revision --revision --min --max --cpu-percent --from-literal --docker-server --docker-username ' +
      '--docker-password --docker-email --cert --key --verb --resource --resource-name --role --clusterrole --serviceaccount ' +
      '--group --user --schedule --class --rule --default-backend --external-ip --load-balancer-ip --protocol --address ' +
      '--pod-running-timeout --template --chunk-size --for --prune-allowlist --applyset --pod-selector ' +
      '--skip-wait-for-delete-timeout --retries --max-unavailable --hard --scopes --value --preemption-policy --cert-file ' +
      '--api-versions --verbs --categories --target --profile --copy-to --set-image --from',
  ),
  ...takes('-p --patch --patch-file'),
  ...takes('--from-file --from-env-file', 'read'),
}
const DRY = list('--dry-run --dry-run=client --dry-run=server')

const grammar = (more: CommandSpec = {}): CommandSpec => ({
  ...more,
  flags: [...COMMON_FLAGS, ...list('--command --no-preserve --share-processes --same-node'), ...(more.flags ?? [])],
  options: { ...COMMON_OPTIONS, ...more.options },
  optionalValues: [...(more.optionalValues ?? []), ...list('--dry-run --cascade --validate')],
})

/** Names of the client itself, which others can ask in the same way. */
const CLIENTS: ReadonlySet<string> = new Set(['kubectl', 'k', 'kubecolor'])

/** Where a cluster command acts, for rules: namespace, context, cluster, whether everything is meant. */
function where(parsed: ParsedCommand, context: CommandContext): Record<string, Json> {
  const chosen = parsed.value('--kubeconfig') ?? context.variable?.('KUBECONFIG') ?? null
  const attributes = attributesOf(
    {
      flags: { all: ['--all'], all_namespaces: list('-A --all-namespaces'), force: ['--force'] },
      values: {
        namespace: list('-n --namespace'),
        context: ['--context'],
        cluster: ['--cluster'],
        server: list('-s --server'),
        as: ['--as'],
        selector: list('-l --selector'),
        fields: ['--field-selector'],
      },
    },
    parsed,
  )
  const client = CLIENTS.has(parsed.invocation.name) ? { client: 'kubectl' } : {}
  return { ...attributes, ...client, ...(chosen === null ? {} : { kubeconfig: known(chosen) }) }
}

/** Files, directories and URLs of `-f` and `-k`. */
function manifests(parsed: ParsedCommand, context: CommandContext): readonly Word[] {
  const words = parsed.values('-f', '--filename', '-k', '--kustomize')
  for (const word of words) {
    if (word.text === '-') continue
    if (word.prefix.startsWith('http://') || word.prefix.startsWith('https://'))
      context.emit('fetch', context.url(word), { action: 'k8s:manifest', span: word.span })
    else context.emit('read', context.path(word), { action: 'k8s:manifest', span: word.span })
  }
  return words
}

/** `deployment web` is one resource; `deploy/web pod/x` are two. */
function resources(parsed: ParsedCommand): readonly string[] {
  const words = parsed.operands.map(nameOf)
  const [type, ...names] = words
  if (type === undefined) return []
  return type.includes('/') || names.length === 0 ? words : names.map((name) => `${type}/${name}`)
}

interface Change {
  readonly verb: 'change' | 'delete' | 'execute' | 'persist'
  readonly action: string
  readonly reversible?: boolean
}

function changes(change: Change, more: CommandSpec = {}): CommandSpec {
  return grammar({
    inert: DRY,
    ...more,
    options: { ...takes('-f --filename -k --kustomize'), ...more.options },
    refine: (parsed, context) => {
      const files = manifests(parsed, context)
      const named = resources(parsed)
      const targets = named.length > 0 ? named : files.length > 0 ? files.map(nameOf) : ['cluster']
      for (const name of targets) {
        context.emit(change.verb, context.thing('resource', name), {
          action: change.action,
          attributes: { ...where(parsed, context), ...(files.length === 0 ? {} : { manifests: files.map(known) }) },
          ...(change.reversible === undefined ? {} : { reversible: change.reversible }),
        })
      }
      more.refine?.(parsed, context)
    },
  })
}

const SECRETS = /^secrets?(?:\.|\/|,|$)/

/** Reading is reading, but the values of secrets are credentials. */
const GET: CommandSpec = grammar({
  options: takes('-f --filename -k --kustomize --raw'),
  refine: (parsed, context) => {
    const names = resources(parsed)
    const types = parsed.operands.flatMap((word) => nameOf(word).split(','))
    const raw = parsed.value('--raw')
    const output = parsed.value('-o', '--output')?.text ?? ''
    const shows = parsed.path.at(-1) !== 'describe' && /^=?(?:json|yaml|go-template|jsonpath|custom-columns|template)/.test(output)
    const secret = (types.some((type) => SECRETS.test(type)) && shows) || (raw !== null && nameOf(raw).includes('/secrets'))
    context.emit(secret ? 'read' : 'fetch', context.thing('resource', names[0] ?? 'cluster'), {
      action: secret ? 'k8s:secret-read' : 'k8s:read',
      attributes: where(parsed, context),
    })
    manifests(parsed, context)
  },
})

const READ: CommandSpec = grammar({
  operands: ['data'],
  options: takes('-f --filename -k --kustomize'),
  refine: (parsed, context) =>
    context.emit('fetch', context.thing('resource', resources(parsed)[0] ?? 'cluster'), {
      action: 'k8s:read',
      attributes: where(parsed, context),
    }),
})

const LOGS: CommandSpec = {
  flags: COMMON_FLAGS,
  options: {
    ...GLOBAL_OPTIONS,
    ...takes('-l --selector -c --container --tail --since --since-time --limit-bytes --max-log-requests --pod-running-timeout'),
  },
  operands: ['data'],
  refine: (parsed, context) =>
    context.emit('fetch', context.thing('resource', resources(parsed)[0] ?? 'pod'), {
      action: 'k8s:read',
      attributes: where(parsed, context),
    }),
}

/** `exec pod -- command`: runs in the cluster. */
const EXEC: CommandSpec = grammar({
  stopAtOperand: false,
  refine: (parsed, context) => {
    const pod = parsed.operands[0] ?? knownWord('pod', parsed.invocation.span)
    context.emit('execute', context.thing('resource', nameOf(pod)), { action: 'k8s:exec', attributes: where(parsed, context) })
    const inner = parsed.rest.length > 0 ? parsed.rest : parsed.operands.slice(1)
    if (inner.length > 0) context.within({ attributes: { pod: known(pod) }, remote: true }, (inside) => inside.command(inner, 'kubectl'))
  },
})

const RUN: CommandSpec = grammar({
  inert: DRY,
  flags: list('--privileged'),
  refine: (parsed, context) => {
    const overrides = parsed.value('--overrides')
    const attributes = {
      ...where(parsed, context),
      image: known(parsed.value('--image')),
      ...(parsed.flag('--privileged') || /privileged|hostPath|hostNetwork|hostPID/.test(overrides?.prefix ?? '')
        ? { privileged: true }
        : {}),
    }
    context.emit('execute', context.thing('resource', nameOf(parsed.operands[0] ?? knownWord('pod', parsed.invocation.span))), {
      action: 'k8s:run',
      attributes,
    })
    if (parsed.rest.length > 0)
      context.within({ attributes: { pod: known(parsed.operands[0]) }, remote: true }, (inside) => inside.command(parsed.rest, 'kubectl'))
  },
})

/** `kubectl debug pod --image=x -- command`. */
const DEBUG: CommandSpec = grammar({
  inert: DRY,
  flags: list('-i -t -q --stdin --tty --attach --quiet --replace --arguments-only --keep-annotations --keep-labels'),
  options: takes('--custom'),
  refine: ({ operands, rest }, context) => {
    const named = operands.filter((word) => !rest.includes(word))
    for (const word of named) context.emit('execute', context.thing('resource', nameOf(word)), { action: 'k8s:debug', span: word.span })
    if (rest.length > 0) context.within({ attributes: { pod: known(named[0]) }, remote: true }, (inside) => inside.command(rest, 'kubectl'))
  },
})

/** `kubectl cp a pod:/b`. */
const COPY: CommandSpec = grammar({
  refine: (parsed, context) => {
    const [from, to] = parsed.operands
    if (from === undefined || to === undefined) return
    const inside = (word: Word) => (word.text ?? word.prefix).slice(1).includes(':')
    if (inside(from)) context.emit('fetch', context.thing('resource', nameOf(from)), { action: 'k8s:read' })
    else context.emit('read', context.path(from), { action: 'k8s:copy', span: from.span })
    if (inside(to))
      context.emit('send', context.thing('resource', nameOf(to)), {
        action: 'k8s:copy',
        attributes: { carries: [nameOf(from)], ...where(parsed, context) },
      })
    else context.emit('write', context.path(to), { action: 'k8s:copy', span: to.span })
  },
})

const CREATE: CommandSpec = {
  ...changes({ verb: 'change', action: 'k8s:apply' }),
  operands: ['data'],
  subcommands: {
    token: grammar({
      refine: (parsed, context) =>
        context.emit('read', context.thing('account', nameOf(parsed.operands[0] ?? knownWord('default', parsed.invocation.span))), {
          action: 'k8s:secret-read',
        }),
      options: takes('--duration --audience'),
    }),
  },
}

const CONFIG_READ = does({ verb: 'read', action: 'tool:config', kind: 'variable', value: 'kubeconfig' })
const CONFIG: CommandSpec = {
  ...GLOBAL,
  subcommands: byName({
    'current-context get-contexts get-clusters get-users': {
      ...CONFIG_READ,
      options: { ...CONFIG_READ.options, ...takes('-o --output') },
    },
    view: refined(
      (parsed, context) =>
        context.emit('read', context.thing('variable', 'kubeconfig'), { action: parsed.flag('--raw') ? 'secret:read' : 'tool:config' }),
      { flags: list('--raw --minify --flatten'), options: takes('-o --output') },
    ),
    // They say where the client goes, and which program it asks for a login.
    'set-cluster set-credentials': does({ verb: 'write', action: 'k8s:context', kind: 'path', value: '~/.kube/config' }),
    'use-context set-context set unset rename-context delete-context delete-cluster delete-user': does(
      { verb: 'change', action: 'k8s:context', kind: 'variable', at: 0, value: 'kubeconfig' },
      { options: takes('--server --token --cluster --user --namespace'), flags: ['--current'] },
    ),
  }),
}

const ROLLOUT: CommandSpec = {
  subcommands: byName({
    'status history': READ,
    'restart undo pause resume': changes({ verb: 'change', action: 'k8s:rollout' }),
  }),
}
const APPLY: CommandSpec = {
  ...changes({ verb: 'change', action: 'k8s:apply' }),
  operands: ['data'],
  subcommands: byName({
    'view-last-applied': READ,
    'set-last-applied edit-last-applied': changes({ verb: 'change', action: 'k8s:apply' }),
  }),
}
const AUTH: CommandSpec = { subcommands: byName({ 'can-i whoami': READ, reconcile: changes({ verb: 'change', action: 'k8s:rbac' }) }) }

const COMMANDS: Readonly<Record<string, CommandSpec>> = byName({
  'get describe': GET,
  logs: LOGS,
  'top explain events api-resources api-versions cluster-info diff wait options kustomize': READ,
  auth: AUTH,
  config: CONFIG,
  apply: APPLY,
  create: CREATE,
  'replace patch edit': changes({ verb: 'change', action: 'k8s:apply' }),
  delete: changes({ verb: 'delete', action: 'k8s:delete', reversible: false }),
  'scale autoscale': changes({ verb: 'change', action: 'k8s:scale' }),
  rollout: ROLLOUT,
  'set label annotate taint': changes({ verb: 'change', action: 'k8s:apply' }),
  expose: changes({ verb: 'change', action: 'k8s:expose' }),
  drain: changes({ verb: 'change', action: 'k8s:drain', reversible: false }),
  'cordon uncordon': changes({ verb: 'change', action: 'k8s:drain' }),
  certificate: changes({ verb: 'change', action: 'k8s:rbac' }),
  'exec attach': EXEC,
  run: RUN,
  debug: DEBUG,
  cp: COPY,
  'port-forward': changes({ verb: 'execute', action: 'k8s:port-forward' }),
  proxy: changes({ verb: 'execute', action: 'k8s:port-forward' }, { options: takes('--api-prefix --accept-hosts -w --www --unix-socket') }),
  plugin: { ...LISTS, operands: ['data'] },
  krew: {
    subcommands: byName({
      'install upgrade': does({
        verb: 'execute',
        action: 'pkg:install',
        kind: 'package',
        from: 0,
        value: 'krew',
        attributes: { manager: 'krew', source: 'registry' },
      }),
      'list search info update version': LISTS,
      'uninstall remove': does({ verb: 'change', action: 'pkg:remove', kind: 'package', from: 0 }),
    }),
  },
})

const ALIASES = { rs: 'replace' }
const kubectl = tool('k8s', { ...GLOBAL, subcommands: COMMANDS, aliases: ALIASES })

/** OpenShift adds projects, policies and builds to kubectl. */
const oc = tool('k8s', {
  ...GLOBAL,
  subcommands: byName({
    ...COMMANDS,
    'status projects': READ,
    whoami: does(
      [
        { verb: 'read', action: 'k8s:read', kind: 'account', value: 'me', when: (parsed) => !parsed.flag('-t', '--show-token') },
        { verb: 'read', action: 'secret:read', kind: 'account', value: 'me', when: (parsed) => parsed.flag('-t', '--show-token') },
      ],
      { flags: list('-t --show-token') },
    ),
    'login logout project': does(
      { verb: 'change', action: 'k8s:context', kind: 'account', at: 0, value: 'cluster' },
      { flags: list('-t --show-token') },
    ),
    'new-project new-app new-build start-build tag import-image rollback process': changes({ verb: 'change', action: 'k8s:apply' }),
    'adm policy': { ...changes({ verb: 'change', action: 'k8s:rbac', reversible: false }), operands: ['data'] },
    rsh: EXEC,
    extract: changes({ verb: 'change', action: 'k8s:secret-read' }),
  }),
})

const kubens: CommandSpec = does(
  { verb: 'change', action: 'k8s:context', kind: 'variable', at: 0, value: 'kubeconfig', when: (p) => p.operands.length > 0 },
  { flags: list('-c --current'), options: takes('-d -u'), inert: list('--help -h') },
)

const talosctl = tool('k8s', {
  options: takes('-n --nodes -e --endpoints --talosconfig --context -c --cluster -f --file -m --mode -t --timeout --image -o --output'),
  flags: list('--insecure --wait --force --graceful --reboot --preserve -i --dry-run'),
  subcommands: byName({
    ...each(
      'get version health dashboard logs dmesg services service members memory processes stats containers mounts netstat ' +
        'disks list ls read events inspect time usage support',
      { ...READ, operands: ['data'] },
    ),
    'apply-config patch edit bootstrap upgrade upgrade-k8s rollback restart image': {
      ...changes({ verb: 'change', action: 'k8s:apply' }),
      inert: ['--dry-run'],
      operands: ['data'],
    },
    'reset wipe': { ...changes({ verb: 'delete', action: 'k8s:delete', reversible: false }), operands: ['data'] },
    'reboot shutdown': { ...changes({ verb: 'change', action: 'k8s:drain' }), operands: ['data'] },
    etcd: {
      subcommands: byName({
        'members status snapshot alarm': READ,
        'remove-member leave forfeit-leadership defrag': changes({ verb: 'change', action: 'k8s:delete', reversible: false }),
      }),
    },
    'gen config kubeconfig machineconfig validate completion': {
      ...does({ verb: 'write', action: 'tool:config', kind: 'path', value: '.' }),
      operands: ['data'],
    },
  }),
})

export const kubernetes: CommandTable = byName({
  'kubectl k microk8s.kubectl kubecolor': kubectl,
  oc,
  'kubens kubectx': kubens,
  'kind minikube k3d': CLUSTER,
  talosctl,
  k9s: does(
    { verb: 'execute', action: 'k8s:console', kind: 'resource', value: 'cluster' },
    { inert: list('--help -h'), flags: list('--readonly version info') },
  ),
  'stern kubetail': LOGS,
})
