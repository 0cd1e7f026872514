import { describe, expect, test } from 'vitest'
import { gitops } from '../cloud/gitops.ts'
import { git } from '../git/git.ts'
import { record, shown } from '../harness.ts'
import { kubernetes } from './kubernetes.ts'

const TABLES = [kubernetes, gitops, git]
const effects = (line: string) => shown(TABLES, line)

const EFFECTS: readonly (readonly [string, readonly string[]])[] = [
  ['kubectl get pods', ['fetch k8s:read pods']],
  ['kubectl get pods -A -o wide', ['fetch k8s:read pods']],
  ['kubectl -n x get pod web', ['fetch k8s:read pod/web']],
  ['kubectl describe pod web', ['fetch k8s:read pod/web']],
  ['kubectl describe secret db', ['fetch k8s:read secret/db']],
  ['kubectl get secrets', ['fetch k8s:read secrets']],
  ['kubectl get secret db -o yaml', ['read k8s:secret-read secret/db']],
  ["kubectl get secret db -o jsonpath='{.data}'", ['read k8s:secret-read secret/db']],
  ['kubectl get secret/db -ojson', ['read k8s:secret-read secret/db']],
  ['kubectl get pods,secrets -o json', ['read k8s:secret-read pods,secrets']],
  ['kubectl get --raw /api/v1/namespaces/x/secrets/y', ['read k8s:secret-read cluster']],
  ['kubectl logs -f web --tail=10', ['fetch k8s:read web']],
  ['kubectl top nodes', ['fetch k8s:read nodes']],
  ['kubectl config current-context', ['read tool:config kubeconfig']],
  ['kubectl config view --raw', ['read secret:read kubeconfig']],
  ['kubectl config use-context prod', ['change k8s:context prod']],
  ['kubectl apply -f x.yaml', ['read k8s:manifest x.yaml', 'change k8s:apply x.yaml']],
  ['kubectl apply -k overlays/prod', ['read k8s:manifest overlays/prod', 'change k8s:apply overlays/prod']],
  [
    'kubectl apply -f https://h.example/x.yaml',
    ['fetch k8s:manifest https://h.example/x.yaml', 'change k8s:apply https://h.example/x.yaml'],
  ],
  ['kubectl apply -f -', ['change k8s:apply -']],
  ['kubectl apply --dry-run=client -f x.yaml', []],
  ['kubectl apply -f x.yaml --dry-run=server', []],
  ['kubectl apply -f x.yaml --dry-run', []],
  ['kubectl apply -f x.yaml --dry-run=none', ['read k8s:manifest x.yaml', 'change k8s:apply x.yaml']],
  ['kubectl apply -f x.yaml --dry-run=$x', ['read k8s:manifest x.yaml', 'change k8s:apply x.yaml']],
  ['kubectl delete pod web', ['delete k8s:delete pod/web !']],
  ['kubectl -n x --context y delete pod a b', ['delete k8s:delete pod/a !', 'delete k8s:delete pod/b !']],
  ['kubectl delete deploy/web svc/web', ['delete k8s:delete deploy/web !', 'delete k8s:delete svc/web !']],
  ['kubectl delete -f x.yaml', ['read k8s:manifest x.yaml', 'delete k8s:delete x.yaml !']],
  ['kubectl delete pods --all', ['delete k8s:delete pods !']],
  ['kubectl delete pod web --dry-run=client', []],
  ['kubectl scale deploy web --replicas=0', ['change k8s:scale deploy/web']],
  ['kubectl rollout restart deploy/web', ['change k8s:rollout deploy/web']],
  ['kubectl rollout status deploy/web', ['fetch k8s:read deploy/web']],
  ['kubectl drain node1 --ignore-daemonsets', ['change k8s:drain node1 !']],
  ['kubectl cordon node1', ['change k8s:drain node1']],
  ['kubectl create ns x', ['change k8s:apply ns/x']],
  ['kubectl create token sa', ['read k8s:secret-read sa']],
  ['kubectl run x --image=alpine', ['execute k8s:run x']],
  ['kubectl port-forward svc/web 80:80', ['execute k8s:port-forward svc/web', 'execute k8s:port-forward 80:80']],
  ['kubectl cp a.txt x/web:/tmp', ['read k8s:copy a.txt', 'send k8s:copy x/web:/tmp !']],
  ['kubectl cp web:/etc/x .', ['fetch k8s:read web:/etc/x', 'write k8s:copy .']],
  ['kubectl auth can-i delete pods', ['fetch k8s:read delete/pods']],
  ['kubectl diff -f x.yaml', ['fetch k8s:read cluster']],
  ['kubectl delete --help', []],
  ['kubectl version', ['execute tool:help k8s']],
  ['oc new-project x', ['change k8s:apply x']],
  [
    'oc adm policy add-cluster-role-to-user x y',
    ['change k8s:rbac policy/add-cluster-role-to-user !', 'change k8s:rbac policy/x !', 'change k8s:rbac policy/y !'],
  ],
  ['kubectx prod', ['change k8s:context prod']],
  ['kind create cluster', ['execute container:run local cluster']],
  ['minikube start --mount --mount-string /:/host', ['execute container:run local cluster']],
  ['talosctl -n 10.0.0.1 reset', ['delete k8s:delete cluster !']],
  ['talosctl health', ['fetch k8s:read cluster']],
  ['helm list -A', ['fetch helm:read releases']],
  ['helm install web ./chart', ['change helm:install web', 'read helm:chart ./chart']],
  [
    'helm upgrade --install web repo/chart -f values.yaml -n x',
    ['read - values.yaml', 'change helm:upgrade web', 'fetch helm:chart repo/chart'],
  ],
  ['helm upgrade web repo/chart --version 1.2.3', ['change helm:upgrade web', 'fetch helm:chart repo/chart']],
  ['helm upgrade web ./c --dry-run', []],
  ['helm uninstall web', ['delete helm:uninstall web !']],
  ['helm rollback web 1', ['change helm:rollback web']],
  ['helm template ./chart', ['execute dev:lint chart']],
  ['helm lint --strict ./chart', ['execute dev:lint chart']],
  ['helm package ./chart', ['execute dev:build chart']],
  ['helm env', []],
  ['helm get values web', ['fetch helm:read web']],
  ['helm push x.tgz oci://h.example/c', ['publish helm:push x.tgz !']],
  ['helm repo add x https://h.example', ['change tool:config x']],
  ['helmfile apply', ['change helm:upgrade releases']],
  ['helmfile diff', ['fetch helm:read releases']],
  ['flux get kustomizations', ['fetch k8s:read kustomizations']],
  ['flux --namespace x reconcile kustomization apps', ['change gitops:apply kustomization', 'change gitops:apply apps']],
  ['flux delete kustomization apps', ['delete gitops:delete kustomization !', 'delete gitops:delete apps !']],
  ['argocd app sync web', ['change gitops:apply web']],
  ['argocd app get web', ['fetch k8s:read web']],
  ['argocd app delete web', ['delete gitops:delete web !']],
  ['istioctl analyze', ['fetch k8s:read cluster']],
  ['istioctl install', ['change gitops:apply cluster']],
  ['skaffold delete', ['delete gitops:delete cluster !']],
  ['kustomize build overlays/prod', ['read k8s:manifest overlays/prod']],
  ['eksctl delete cluster --name x', ['delete cloud:delete cluster !']],
]

describe('clusters', () => {
  for (const [line, expected] of EFFECTS) test(line, () => expect(effects(line)).toEqual(expected))

  test('where it acts', () => {
    expect(record(TABLES, 'kubectl -n x --context y delete pod web --force').effects[0]?.attributes).toEqual({
      namespace: 'x',
      context: 'y',
      force: true,
      client: 'kubectl',
    })
    expect(record(TABLES, 'kubectl delete pods --all -A -l a=b').effects[0]?.attributes).toEqual({
      all: true,
      all_namespaces: true,
      selector: 'a=b',
      client: 'kubectl',
    })
    expect(record(TABLES, 'helm uninstall web -n x').effects[0]?.attributes).toEqual({ namespace: 'x' })
    expect(record(TABLES, 'kubectl run x --image=a --privileged').effects[0]?.attributes).toEqual({
      client: 'kubectl',
      image: 'a',
      privileged: true,
    })
  })
  test('the command inside', () => {
    const found = record(TABLES, 'kubectl exec -it web -c app -- git push --force')
    expect(found.commands).toEqual(['git push --force'])
    expect(found.effects.map((e) => e.action)).toEqual(['k8s:exec', 'git:push'])
    expect(record(TABLES, 'kubectl exec web -- ls --help').commands).toEqual(['ls --help'])
  })
  test('helm runs its post-renderer', () => {
    expect(record(TABLES, 'helm upgrade web ./c --post-renderer ./x.sh').shells).toEqual(['./x.sh'])
  })
  for (const line of ['kubectl frobnicate', 'kubectl config frobnicate', 'oc frobnicate']) {
    test(line, () => expect(record(TABLES, line).effects).toMatchObject([{ action: 'k8s:unknown', certainty: 'likely' }]))
  }
  test('kubectl $x', () => expect(record(TABLES, 'kubectl $x').reasons.length).toBeGreaterThan(0))
})
