import type { CommandSpec, CommandTable } from '../../host.ts'
import { BUILDS, LISTS } from '../packages/packages.ts'
import { type Act, byName, does, each, list, refined, takes, tool } from '../tool.ts'

/** What deploys into clusters: helm, kustomize, flux, argocd, istioctl, skaffold and their kin. */

const WHERE: Pick<Act, 'flags' | 'values'> = {
  flags: { force: ['--force'] },
  values: { namespace: list('-n --namespace'), context: list('--kube-context --context') },
}

const HELM_GRAMMAR: CommandSpec = {
  flags: list(
    '--wait --wait-for-jobs --atomic --create-namespace --dependency-update --devel --debug --reuse-values --reset-values ' +
      '--reset-then-reuse-values --install -i --cleanup-on-fail --no-hooks --skip-crds --verify --generate-name -g --replace ' +
      '--render-subchart-notes --keep-history -a --all -A --all-namespaces --recreate-pods --insecure-skip-tls-verify ' +
      '--plain-http --pass-credentials --force-update -q --short -d --untar --hide-notes --take-ownership',
  ),
  options: {
    ...takes(
      '--set --set-string --set-json --set-literal --version --repo --username --password --timeout --description ' +
        '--history-max --post-renderer --post-renderer-args --kube-context --kubeconfig --kube-apiserver --kube-token ' +
        '--kube-as-user -n --namespace -o --output --max -l --selector --name-template --registry-config --repository-config ' +
        '--repository-cache --labels --cascade --offset --filter --revision',
    ),
    ...takes('-f --values --set-file --ca-file --cert-file --key-file --keyring', 'read'),
    ...takes('--output-dir --destination --untardir', 'write'),
  },
  optionalValues: ['--dry-run'],
}
const DRY = list('--dry-run --dry-run=client --dry-run=server')

function helmAct(verb: Act['verb'], action: string, reversible = true): CommandSpec {
  return does(
    { ...WHERE, verb, action, kind: 'resource', at: 0, value: 'release', reversible },
    {
      ...HELM_GRAMMAR,
      inert: DRY,
      refine: (parsed, context) => {
        const chart = parsed.operands[1]
        if (chart !== undefined && (chart.prefix.includes('://') || chart.prefix.includes('/'))) {
          const local = chart.prefix.startsWith('.') || chart.prefix.startsWith('/')
          context.emit(local ? 'read' : 'fetch', local ? context.path(chart) : context.url(chart), {
            action: 'helm:chart',
            span: chart.span,
          })
        }
        for (const word of parsed.values('--post-renderer')) context.shell(word.text, word.span, 'helm')
      },
    },
  )
}
const HELM_READ: CommandSpec = {
  ...does({ ...WHERE, verb: 'fetch', action: 'helm:read', kind: 'resource', at: 0, value: 'releases' }, HELM_GRAMMAR),
  operands: ['data'],
}
const HELM_LOCAL: CommandSpec = {
  ...does({ verb: 'execute', action: 'dev:build', kind: 'resource', value: 'chart' }, HELM_GRAMMAR),
  operands: ['data'],
}
/** Looks at a chart, or renders it: nothing is built, and no cluster is asked. */
const HELM_LOOK: CommandSpec = {
  ...does({ verb: 'execute', action: 'dev:lint', kind: 'resource', value: 'chart' }, HELM_GRAMMAR),
  operands: ['data'],
}
const HELM_PUSH = does({ verb: 'publish', action: 'helm:push', kind: 'resource', at: 0 }, HELM_GRAMMAR)
const REPO: CommandSpec = {
  subcommands: byName({
    'add update remove rm index up': does(
      { verb: 'change', action: 'tool:config', kind: 'variable', at: 0, value: 'repositories' },
      HELM_GRAMMAR,
    ),
    'list ls': LISTS,
  }),
}
const PLUGIN: CommandSpec = {
  subcommands: byName({
    'install update': does(
      { verb: 'execute', action: 'pkg:install', kind: 'package', at: 0, attributes: { manager: 'helm', source: 'git' } },
      { options: takes('--version') },
    ),
    'uninstall remove rm': does({ verb: 'change', action: 'pkg:remove', kind: 'package', at: 0 }),
    'list ls': LISTS,
  }),
}

const helm = tool('helm', {
  ...HELM_GRAMMAR,
  subcommands: byName({
    install: helmAct('change', 'helm:install'),
    upgrade: helmAct('change', 'helm:upgrade'),
    rollback: helmAct('change', 'helm:rollback'),
    'uninstall delete del un': helmAct('delete', 'helm:uninstall', false),
    test: helmAct('execute', 'helm:test'),
    'list ls status history get search show inspect': {
      ...HELM_READ,
      subcommands: each('values manifest notes hooks all metadata chart readme crds repo hub', HELM_READ),
    },
    'template lint verify': HELM_LOOK,
    'package create dependency dep': HELM_LOCAL,
    env: {},
    pull: does({ verb: 'fetch', action: 'helm:chart', kind: 'resource', at: 0 }, HELM_GRAMMAR),
    push: HELM_PUSH,
    'cm-push': HELM_PUSH,
    repo: REPO,
    plugin: PLUGIN,
    registry: {
      subcommands: each('login logout', does({ verb: 'change', action: 'container:auth', kind: 'account', at: 0 }, HELM_GRAMMAR)),
    },
    diff: HELM_READ,
    secrets: { ...does({ verb: 'read', action: 'secret:read', kind: 'resource', value: 'chart secrets' }), operands: ['data'] },
  }),
})

const helmfile = tool('helm', {
  ...HELM_GRAMMAR,
  options: { ...HELM_GRAMMAR.options, ...takes('-f --file', 'read'), ...takes('-e --environment -l --selector --state-values-set') },
  subcommands: byName({
    'apply sync': does({ ...WHERE, verb: 'change', action: 'helm:upgrade', kind: 'resource', value: 'releases' }),
    'destroy delete': does({ ...WHERE, verb: 'delete', action: 'helm:uninstall', kind: 'resource', value: 'releases', reversible: false }),
    'diff list status lint template build deps repos fetch show-dag': HELM_READ,
    test: helmAct('execute', 'helm:test'),
  }),
})

const CLUSTER_OPTIONS = {
  ...takes(
    '-n --namespace --context --kubeconfig --kube-context -f --file --filename -o --output --timeout --revision --set -p ' +
      '--profile -r --reason --path --source --branch --repository --owner --components --interval --url --chart --values ' +
      '--resource -l --selector --server --auth-token --grpc-web-root-path --project --dest-server --dest-namespace --repo ' +
      '--kube-version',
  ),
}

const cluster = (verb: Act['verb'], action: string, reversible = true): CommandSpec => ({
  ...does({ ...WHERE, verb, action, kind: 'resource', from: 0, value: 'cluster', reversible }),
  options: CLUSTER_OPTIONS,
  flags: list(
    '--force --prune --dry-run --wait --silent -s --yes -y --all -A --skip-confirmation --cascade --grpc-web --insecure ' +
      '--plaintext --core --watch --refresh --hard-refresh',
  ),
  operands: ['data'],
})
const CHANGE: CommandSpec = cluster('change', 'gitops:apply')
const DELETE: CommandSpec = cluster('delete', 'gitops:delete', false)
const LOOK: CommandSpec = cluster('fetch', 'k8s:read')

const flux = tool('gitops', {
  options: CLUSTER_OPTIONS,
  subcommands: byName({
    'get check logs tree events stats trace diff version debug': LOOK,
    'bootstrap install reconcile create resume suspend push tag': CHANGE,
    'delete uninstall': DELETE,
    'export build pull envsubst': { ...LISTS, operands: ['data'] },
  }),
})

const ARGO_APP: CommandSpec = {
  subcommands: byName({
    'list get diff history logs manifests resources wait': LOOK,
    'sync create set unset patch rollback terminate-op edit add-source remove-source actions': CHANGE,
    'delete delete-resource': DELETE,
  }),
}
const ARGO_GROUP: CommandSpec = {
  subcommands: byName({
    'list get': LOOK,
    'add set create edit update-password generate-token bcrypt rotate-auth': CHANGE,
    'rm delete remove delete-token': DELETE,
  }),
}
const argocd = tool('gitops', {
  flags: list('--grpc-web --insecure --plaintext --core'),
  options: takes('--server --auth-token --config --grpc-web-root-path'),
  subcommands: byName({
    app: ARGO_APP,
    'appset cluster repo repocreds proj account cert gpg admin': ARGO_GROUP,
    'login logout relogin context': {
      ...does({ verb: 'change', action: 'k8s:context', kind: 'account', at: 0, value: 'argocd' }),
      operands: ['data'],
    },
  }),
})

const istioctl = tool('gitops', {
  options: CLUSTER_OPTIONS,
  subcommands: byName({
    ...each(
      'analyze proxy-status ps proxy-config pc version dashboard describe experimental x validate verify-install manifest ' +
        'profile bug-report admin ztunnel-config waypoint',
      LOOK,
    ),
    'install upgrade tag create-remote-secret kube-inject remote-clusters': CHANGE,
    uninstall: DELETE,
  }),
})

const skaffold = tool('gitops', {
  options: {
    ...takes('-f --filename', 'read'),
    ...takes('-p --profile -n --namespace -d --default-repo -t --tag --kube-context --kubeconfig -m --module --port -o --output'),
  },
  flags: list('--tail --port-forward --auto-build --cleanup -q'),
  subcommands: byName({
    'run dev debug deploy apply exec verify': CHANGE,
    delete: DELETE,
    'build test render init fix filter': BUILDS,
    'diagnose schema inspect options config survey lint': { ...LISTS, operands: ['data'] },
  }),
})

const kustomize = tool('gitops', {
  subcommands: byName({
    build: does(
      { verb: 'read', action: 'k8s:manifest', kind: 'path', at: 0, value: '.' },
      {
        options: { ...takes('-o --output', 'write'), ...takes('--load-restrictor --helm-command -e --env --mount') },
        flags: list('--enable-helm --enable-exec --enable-alpha-plugins --network'),
      },
    ),
    'edit create fn localize': {
      ...does({ verb: 'write', action: 'k8s:manifest', kind: 'path', value: 'kustomization.yaml' }),
      operands: ['data'],
    },
    cfg: { ...LISTS, operands: ['data'] },
  }),
})

const eksctl = tool('cloud', {
  options: takes(
    '--name --cluster --region --profile -f --config-file --namespace --nodegroup-name --version -v --verbose --nodes -o --output',
  ),
  subcommands: byName({
    'get info version': { ...LOOK, operands: ['data'] },
    'create upgrade scale update enable associate register set drain anywhere utils': {
      ...does({
        verb: 'change',
        action: 'cloud:create',
        kind: 'resource',
        value: 'cluster',
        attributes: { provider: 'aws', service: 'eks' },
      }),
      operands: ['data'],
    },
    'delete unset deregister disassociate': {
      ...does({
        verb: 'delete',
        action: 'cloud:delete',
        kind: 'resource',
        value: 'cluster',
        reversible: false,
        attributes: { provider: 'aws', service: 'eks' },
      }),
      operands: ['data'],
    },
  }),
})

export const gitops: CommandTable = byName({
  helm,
  helmfile: helmfile,
  kustomize,
  flux,
  argocd,
  istioctl,
  linkerd: istioctl,
  cilium: istioctl,
  skaffold,
  'tilt devspace': refined(
    (parsed, context) =>
      context.emit('change', context.thing('resource', 'cluster'), {
        action: 'gitops:apply',
        attributes: { operation: parsed.operands[0]?.text ?? 'up' },
      }),
    { inert: list('--help version'), operands: ['data'] },
  ),
  eksctl,
  velero: tool('gitops', {
    options: takes('-n --namespace -o --output'),
    subcommands: byName({
      'get describe version backup-location': { ...LOOK, operands: ['data'] },
      'backup restore schedule': {
        operands: ['data'],
        subcommands: byName({ 'get describe logs download': LOOK, create: CHANGE, delete: DELETE }),
      },
      'install create set': CHANGE,
      'delete uninstall': DELETE,
    }),
  }),
})
