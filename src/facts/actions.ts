/**
 * Every action that an effect of ours may have, by family, for whoever names one in a policy: `k8s: apply delete` is `k8s:apply` and
 * `k8s:delete`. A misspelt action would gate nothing. The test beside this file finds what is missing.
 */
const BY_FAMILY: Readonly<Record<string, string>> = {
  access: 'grant revoke',
  account: 'security',
  agent: 'address auth mcp-add memory message remote schedule serve settings skill start task unschedule',
  agreement: 'answer',
  ansible: 'playbook',
  app: 'delete input open script',
  archive: 'compress create expand extract remove',
  backup: 'change create delete read restore',
  browser: 'act kept read script upload',
  calendar: 'event invite read',
  capture: 'keys screen sound',
  chain: 'call deploy verify',
  chat: 'message react read',
  ci: 'command run',
  cli: 'change delete publish',
  clipboard: 'read write',
  clojars: 'publish',
  cloud: 'create delete deploy download file iam read request secret-read share unknown update upload',
  cluster: 'cancel change delete download read submit',
  code: 'decoded deserialize disguised downloaded dynamic fetched-project foreign library load module native remote',
  conan: 'publish',
  conda: 'publish token',
  container: 'auth build build-secret change context copy env exec load mount network prune pull read remove run save swarm tag unknown',
  crates: 'owner publish token yank',
  data: 'download read remote submit upload',
  db: 'connect drop migrate open',
  deploy: 'deploy',
  dev:
    'archive build build-script clean debug device device-login expose flash format generate install lint load make module ' +
    'patch-binary release-dry-run run serve simulator task test vm',
  device: 'act',
  disk: 'attach check copy erase flash format partition volume',
  docker: 'delete push',
  env: 'allow get inject list names place',
  exposed: 'login secret',
  facts: 'error',
  feedback: 'send',
  file: 'share',
  firewall: 'change network',
  fs:
    'acl allocate attributes chmod chown copy edit encrypt link list mirror mkdir mount move node remove rmdir ' +
    'shred stat touch trash truncate',
  galaxy: 'publish',
  gems: 'owner publish token yank',
  gh:
    'api auth cache codespace comment deploy-key file-delete gist issue issue-delete key label package pr-create ' +
    'pr-edit pr-merge project read release repo-create repo-delete repo-edit run secret token unknown variable ' +
    'workflow workflow-run',
  git:
    'apply branch checkout clone commit config config-read credential discard exec-path export fetch gc history ' +
    'hooks index init lfs lock ls-remote maintenance merge mv notes objects pull push push-dry-run read remote reset rm secret ' +
    'serve stash submodule tag tool transport unknown worktree',
  gitops: 'apply delete',
  gl:
    'api auth comment file-delete issue key pr-create pr-edit pr-merge read release repo-create repo-delete ' +
    'repo-edit run secret workflow-run',
  gpg: 'keys keyserver',
  hackage: 'publish',
  helm: 'chart install push read rollback test uninstall upgrade',
  hex: 'owner publish retire',
  history: 'clear off',
  http: 'delete get head options patch post proxy put request save trace',
  image: 'prune remove',
  jsr: 'publish',
  k8s:
    'apply console context copy debug delete drain exec expose manifest port-forward rbac read rollout run scale ' + 'secret-read unknown',
  kernel: 'boot module setting trace',
  key: 'new',
  log: 'change clear rotate write',
  luarocks: 'publish',
  mail: 'delete draft label read send settings',
  maven: 'publish',
  mcp: 'resource',
  media: 'convert',
  message: 'announce local read send',
  model: 'change delete prompt publish pull run',
  mount: 'mount root swap unmount',
  net:
    'act attack bind-shell capture connect contact dns dns-exfiltration download exfiltration forward host-key listen ' +
    'load probe redirect remote-login remote-shell resolve reverse-shell scan share socket tls tunnel upload',
  nimble: 'publish',
  npm: 'deprecate dist-tag owner publish star token unknown unpublish',
  nuget: 'publish token unpublish',
  opam: 'publish',
  'os-package': 'build install remove source upgrade',
  page: 'take',
  pages: 'deploy',
  pay: 'change charge read refund request transfer unknown',
  payment: 'billing object read refund transfer',
  pkg:
    'add cache config download environment fetch install manifest publish-dry-run read refresh remove run script ' +
    'select update upgrade version',
  pods: 'owner publish yank',
  power: 'cancel off restart suspend',
  privilege: 'capability container elevate grant namespace root sandbox-escape sudoers switch',
  proc: 'daemon detach environment fork-bomb kill memory mine priority restart stdin trace',
  program: 'module unknown',
  pub: 'publish token',
  pypi: 'publish token',
  queue: 'send',
  resource: 'change create delete endless exhaust publish read schedule',
  sandbox: 'off',
  schedule: 'cron install job list remove timer',
  script: 'project run unseen',
  secret: 'agent change export list read',
  security: 'change disable insecure',
  seek: 'secrets names',
  service: 'call certificate change disable enable install kickstart reload restart start stop',
  settings: 'lowered',
  shell: 'deaf hook rename shadow trace',
  sign: 'file',
  site: 'read',
  sms: 'send',
  social: 'post',
  sql:
    'admin alter application attach backup connect copy create delete drop dump execute explain flush grant import insert kill ' +
    'load maintain merge migrate output pragma program purge query read read-file remote replace restore schedule ' +
    'script select set shell show truncate unknown update vacuum write write-file',
  ssh: 'agent authorize forget key',
  store: 'build certificates change check notarize provisioning update upload',
  system: 'clock registry setting',
  text: 'backup edit write',
  tf: 'apply config destroy plan read state unknown workspace',
  tool: 'auth change config destructive execute help open-world status unknown',
  user: 'add change password remove',
  vcs: 'change fetch obliterate push read',
  vm: 'change create delete',
  volume: 'remove',
  vscode: 'publish token unpublish',
  web: 'search',
}

/** `family:operation`. */
export const ACTIONS: ReadonlySet<string> = new Set(
  Object.entries(BY_FAMILY).flatMap(([family, operations]) => operations.split(' ').map((operation) => `${family}:${operation}`)),
)

const FAMILIES: ReadonlySet<string> = new Set(Object.keys(BY_FAMILY))

/** Families whose operations are the words of the programs themselves, such as `service:kickstart`. */
const OPEN: ReadonlySet<string> = new Set(['service', 'power', 'os-package', 'pkg', 'http', 'cloud'])

/** True for an action that an effect may have, and for a family of such (`k8s:*`). */
export function isKnownAction(name: string): boolean {
  const colon = name.indexOf(':')
  const [family, operation] = [name.slice(0, colon), name.slice(colon + 1)]
  if (!FAMILIES.has(family)) return false
  return ACTIONS.has(name) || operation === '*' || operation === 'unknown' || OPEN.has(family)
}
