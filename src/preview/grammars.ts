/** Options that programs are known to have, from their manuals: those that neither start a program nor undo a dry run. Data. */
import { grammarOf } from './options.ts'

export const GIT_PUSH = grammarOf(
  `--all --branches --mirror --tags --follow-tags --no-follow-tags -f --force -d --delete --prune -u --set-upstream --atomic --no-atomic
   --progress --no-progress -v --verbose -q --quiet --thin --no-thin --porcelain --verify --no-verify --force-with-lease --force-if-includes
   --no-force-if-includes -4 --ipv4 -6 --ipv6`,
  '-o --push-option --repo',
)

export const RSYNC = grammarOf(
  `-v --verbose -q --quiet -c --checksum -a --archive -r --recursive -R --relative -d --dirs -l --links -L --copy-links -k --copy-dirlinks
   -K --keep-dirlinks -H --hard-links -p --perms -E --executability -A --acls -X --xattrs -o --owner -g --group -D --devices --specials -t --times
   -O --omit-dir-times -S --sparse -W --whole-file -x --one-file-system --existing --ignore-existing --remove-source-files --del --delete
   --delete-before --delete-during --delete-delay --delete-after --delete-excluded --ignore-errors --force --partial -P -z --compress -u --update
   --inplace --append --append-verify -b --backup -m --prune-empty-dirs --numeric-ids -I --ignore-times --size-only -y --fuzzy -C --cvs-exclude
   -F -0 --from0 --safe-links --copy-unsafe-links --stats -h --human-readable --progress -i --itemize-changes --list-only -4 --ipv4 -6 --ipv6
   --no-motd --delay-updates --ignore-missing-args --delete-missing-args --mkpath -U --atimes -N --crtimes`,
  `--exclude --include --exclude-from --include-from --files-from --filter -f --chmod --chown --usermap --groupmap --max-delete --max-size --min-size
   --timeout --contimeout --modify-window -@ --compare-dest --copy-dest --link-dest --compress-level --bwlimit --port --suffix --backup-dir
   --partial-dir -B --block-size --info --debug`,
)

export const APT = grammarOf(
  `-y --yes --assume-yes --assume-no -q -qq --quiet -V --verbose-versions --no-install-recommends --install-recommends --install-suggests
   --no-install-suggests --purge --autoremove --auto-remove --reinstall --only-upgrade --no-upgrade --allow-downgrades
   --allow-change-held-packages --allow-remove-essential --allow-unauthenticated -f --fix-broken -m --fix-missing --ignore-missing --no-remove
   --force-yes --with-new-pkgs -u --show-upgraded --show-progress`,
  '-t --target-release --default-release -a --host-architecture',
)

export const TERRAFORM = grammarOf(
  '-destroy -refresh-only -compact-warnings -concise -no-color -json -input -lock -refresh -auto-approve -show-sensitive',
  '-lock-timeout -parallelism -replace -target -var -var-file -state -state-out -backup',
  true,
)
/** Of `apply` alone. */
export const TERRAFORM_APPLY = /^-(?:auto-approve|input|no-color|lock|json|backup|state-out|show-sensitive)$/

const KUBECTL_GLOBAL_FLAGS = '--insecure-skip-tls-verify --match-server-version --warnings-as-errors --disable-compression'
const KUBECTL_GLOBAL_VALUES = `-n --namespace --context --cluster --user -s --server --as --as-group --as-uid --request-timeout --token
  --certificate-authority --client-certificate --client-key --tls-server-name --username --password -v --v --kubeconfig --cache-dir`

export const KUBECTL_GLOBAL = grammarOf(KUBECTL_GLOBAL_FLAGS, KUBECTL_GLOBAL_VALUES)
export const KUBECTL = grammarOf(
  `${KUBECTL_GLOBAL_FLAGS} --all -A --all-namespaces -R --recursive --force --now --wait --ignore-not-found --overwrite --save-config --validate
   --record --server-side --force-conflicts --prune --show-managed-fields --allow-missing-template-keys --list --append-hash --cascade --command`,
  `${KUBECTL_GLOBAL_VALUES} -f --filename -k --kustomize -l --selector --field-selector -o --output --template --field-manager --grace-period
   --timeout --prune-allowlist --type -p --patch --patch-file --replicas --current-replicas --resource-version --image --port --target-port
   --name --protocol --cluster-ip --external-ip --load-balancer-ip --session-affinity --labels --annotations --env --restart --from-literal
   --from-file --from-env-file --schedule --clusterrole --role --serviceaccount --verb --resource --resource-name --tcp --class --rule
   --overrides --limits --requests -c --containers --subresource --concurrency`,
)
/** What `kubectl diff` has of `kubectl apply`. */
export const KUBECTL_DIFF =
  /^(?:-[fkRlns]|--(?:filename|kustomize|recursive|selector|field-manager|force-conflicts|server-side|prune|prune-allowlist|show-managed-fields|concurrency))$/

const HELM_GLOBAL_FLAGS = '--debug --kube-insecure-skip-tls-verify'
const HELM_GLOBAL_VALUES = `-n --namespace --kube-context --kube-apiserver --kube-as-user --kube-as-group --kube-token --kube-ca-file
  --kube-tls-server-name --kubeconfig --registry-config --repository-cache --repository-config --burst-limit --qps`

export const HELM_GLOBAL = grammarOf(HELM_GLOBAL_FLAGS, HELM_GLOBAL_VALUES)
export const HELM = grammarOf(
  `${HELM_GLOBAL_FLAGS} -i --install --wait --wait-for-jobs --atomic --rollback-on-failure --create-namespace --cleanup-on-fail --devel --force
   --no-hooks --disable-openapi-validation --skip-crds --render-subchart-notes --reset-values --reuse-values --reset-then-reuse-values
   --insecure-skip-tls-verify --pass-credentials --plain-http -g --generate-name --replace --enable-dns --verify --take-ownership`,
  `${HELM_GLOBAL_VALUES} -f --values --set --set-string --set-json --set-file --set-literal --version --repo --username --password --ca-file
   --cert-file --key-file --keyring --timeout --description --history-max -l --labels --name-template -o --output --post-renderer
   --post-renderer-args`,
)
/** What the plugin `diff` has of `helm upgrade`. */
export const HELM_DIFF: ReadonlySet<string> = new Set(
  `-f -n --values --set --set-string --set-json --set-file --set-literal --version --repo --devel --no-hooks --disable-openapi-validation
   --reset-values --reuse-values --reset-then-reuse-values --enable-dns --take-ownership --post-renderer --post-renderer-args`.split(/\s+/),
)

/** What Flyway is told of the database and of the migrations; not `-callbacks`, `-jarDirs`, `-driver` and `-configFiles`, which load code. */
const FLYWAY_SETTINGS = `url user password schemas defaultSchema table locations target outOfOrder baselineOnMigrate baselineVersion
  validateOnMigrate connectRetries environment ignoreMigrationPatterns color mixed group cleanDisabled`.split(/\s+/)

export function isFlywayOption(word: string): boolean {
  const [, name = ''] = /^-([\w.]{1,80})(?:=|$)/.exec(word) ?? []
  return FLYWAY_SETTINGS.includes(name) ? word.includes('=') : /^(?:X|q|n|placeholders\.\w{1,64})$/.test(name)
}
