import type { CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { byName, each, list, refined, takes } from '../tool.ts'
import { type Line, type Wording, wording } from '../wording.ts'

/**
 * Clients of services that others use too: trackers, alerts, pipelines, workflows, clusters, identities. What they look at is
 * everyday; what they change there, others notice. Their `delete`, `create` and the like are read as for any program.
 */

/** A client of a service: what changes it, then what prints a secret of it. */
interface Client {
  readonly on: string
  readonly looks?: RegExp
  readonly secrets?: RegExp
  readonly deletes?: RegExp
  readonly changes?: RegExp
  readonly deploys?: RegExp
  readonly access?: RegExp
  readonly valued?: string
  readonly inert?: string
  readonly flags?: string
}

function client({ on, looks, secrets, deletes, changes, deploys, access, ...grammar }: Client): CommandSpec {
  const lines: Line[] = []
  if (secrets !== undefined) lines.push(['read secret:read', secrets])
  if (looks !== undefined) lines.push(['fetch cloud:read', looks])
  if (access !== undefined) lines.push(['change access:grant', access])
  if (deletes !== undefined) lines.push(['delete cloud:delete', deletes])
  if (deploys !== undefined) lines.push(['publish cloud:deploy', deploys])
  if (changes !== undefined) lines.push(['change cloud:update', changes])
  const known: Wording = { on, lines, remote: true, ...grammar }
  return wording(known)
}

/** A client that is given SQL. */
const sqlClient = (
  database: string,
  { statements, files, valued }: { statements: string; files: string; valued: string },
  otherwise: CommandSpec,
) => {
  const named = (parsed: ParsedCommand) => [...parsed.values(...list(statements)), ...parsed.values(...list(files))]
  return refined(
    (parsed, context) => {
      const target = context.thing('database', database)
      for (const word of parsed.values(...list(statements))) context.sql(word.text, word.span, target)
      for (const word of parsed.values(...list(files)))
        context.opaque(`the statements of \`${word.text ?? 'a file'}\` are not read`, word.span)
      if (named(parsed).length === 0) otherwise.refine?.(parsed, context)
    },
    { ...otherwise, options: { ...otherwise.options, ...takes(statements), ...takes(files, 'read'), ...takes(valued) } },
  )
}

const cockroach = client({
  on: 'cockroach cluster',
  changes: /^(?:node (?:drain|decommission|recommission)|quit|init|import|workload)\b/,
  valued: '--url --host --port -p --user -u --certs-dir --database -d --format',
})
const snow = client({
  on: 'snowflake account',
  deploys:
    /^(?:app (?:deploy|run|publish|release|version create)|snowpark deploy|streamlit deploy|spcs \S+ (?:deploy|upgrade|push)|notebook deploy)\b/,
  deletes: /^(?:object drop|stage remove|\S+ (?:drop|teardown)|spcs \S+ drop)\b/,
  changes: new RegExp(
    String.raw`^(?:stage (?:copy|create|execute)|\S+ execute|spcs \S+ (?:suspend|resume|set|unset|execute-job)` +
      String.raw`|connection (?:add|set-default|remove)|git (?:fetch|execute|setup|copy))\b`,
  ),
  secrets: /^connection generate-jwt\b/,
  valued: '-c --connection --role --warehouse --database --schema --format -D --variable --env',
})

const JENKINS = new RegExp(
  String.raw`^(?:build|groovy|groovysh|(?:safe-|soft-)?restart|(?:safe-)?shutdown|quiet-down|cancel-quiet-down` +
    String.raw`|(?:enable|disable|copy|create|update|delete|install|reload|offline|online|connect|disconnect|wait-node|set|add|remove` +
    String.raw`|clear|keep|replay|import|stop|reload)-[a-z-]+|reload-configuration)\b`,
)

export const remoteTools: CommandTable = byName({
  auth0: client({
    on: 'auth0 tenant',
    secrets: / --reveal-secrets\b|^test token\b/,
    deletes: /^api delete\b/,
    changes: /^api (?:post|put|patch)\b|^api\b.* (?:--data|-d)\b/,
    looks: /^(?:api (?!(?:post|put|patch|delete)\b)(?!.* (?:--data|-d)\b)|(?:quickstarts|tenants)\b)/,
    valued: '--tenant --query -q --data -d',
  }),
  amtool: client({
    on: 'alerts',
    looks: /^(?:silence query|alert query|check-config|config|cluster|template|help)\b/,
    changes: /^(?:silence (?:add|expire|import|update)|alert add)\b/,
    valued: '--alertmanager.url --http.config.file --timeout --config.file -o --output',
  }),
  'sentry-cli': client({
    on: 'sentry project',
    looks:
      /^(?:\S+ (?:list|info|show|inject|check|bundle-jvm|bundle-sources|print-sources|find)|info|organizations|projects|repos|login --help)\b/,
    deploys: new RegExp(
      String.raw`^(?:(?:releases|deploys) (?:new|finalize|propose-version --set|set-commits|archive|restore|files|deploys)` +
        String.raw`|(?:sourcemaps|debug-files|upload-\S+|build|react-native|difutil|dif|files) ?(?:upload|explain)?|upload-\S+` +
        String.raw`|send-\S+)\b`,
    ),
    changes: /^(?:issues (?:resolve|mute|unresolve|unmute|archive|reopen)|monitors run|bash-hook)\b/,
    valued: '-o --org -p --project --auth-token --url --header --log-level',
  }),
  circleci: client({
    on: 'circleci organization',
    looks: new RegExp(
      String.raw`^(?:config|local|version|diagnostic|help|completion|info|orb (?:list|info|source|validate|process|pack|diff` +
        String.raw`|list-categories)|context (?:list|show)|pipeline list|policy (?:decide|eval|test|diff|fetch|logs))\b`,
    ),
    deletes: /^(?:context (?:delete|remove-secret)|namespace delete-alias|orb (?:remove-from-category|unlist)|runner \S+ delete)\b/,
    deploys: /^orb (?:publish|init)\b/,
    changes: new RegExp(
      String.raw`^(?:context (?:store-secret|create|create-restriction)|orb (?:create|add-to-category)|namespace|policy push` +
        String.raw`|pipeline run|runner \S+ create|setup|trigger)\b`,
    ),
    valued: '--host --token --org-id',
  }),
  boundary: client({
    on: 'boundary',
    secrets: /^(?:config get-token|targets authorize-session|credential-\S+ read)\b/,
    access: /^(?:roles|users|groups|accounts|auth-methods) (?:add-|set-|remove-|create|delete|update|change-|grant)/,
    changes: /^(?:sessions cancel|connect|database migrate|database init)\b/,
    valued: '-addr -token -scope-id -format -id -name',
  }),
  jira: client({
    on: 'jira issue',
    looks: /^(?:\S+ (?:list|ls|view|show)|me|open|serverinfo|help|version|man|completion|board|project|release list)\b/,
    changes: new RegExp(
      String.raw`^(?:issue (?:edit|update|modify|move|transition|mv|assign|asg|comment|link|lk|unlink|clone|duplicate|worklog|watch` +
        String.raw`|create)|(?:epic|sprint) (?:add|remove|rm|create|close|unassign))\b`,
    ),
    deletes: /^issue (?:delete|remove|rm|del)\b/,
    valued: '-p --project -c --config',
  }),
  temporal: client({
    on: 'temporal namespace',
    looks:
      /^(?:\S+ (?:list|describe|show|count|trace|stack|query|get-\S+)|server start-dev|operator \S+ (?:list|describe|get|health|system))\b/,
    deletes: /^(?:workflow (?:terminate|delete)|schedule delete|batch terminate|operator \S+ (?:delete|remove)|task-queue .*delete)\b/,
    changes: new RegExp(
      String.raw`^(?:workflow|activity|batch|schedule|worker|task-queue|operator \S+|nexus \S+) (?:start|start-\S+|execute|signal` +
        String.raw`|signal-\S+|update|update-\S+|cancel|reset|reset-\S+|result|complete|fail|pause|unpause|trigger|toggle|backfill|create` +
        String.raw`|upsert|add|set|versioning)\b`,
    ),
    valued: '--address --namespace -n --env --api-key --tls-ca-path -w --workflow-id -r --run-id',
  }),
  tctl: client({
    on: 'temporal namespace',
    looks: /\b(?:list|describe|show|query|count|health|listall|observe)\b/,
    deletes: /^(?:workflow|wf) (?:terminate|term|batch-terminate|delete)\b/,
    changes: /^(?:workflow|wf|namespace|n|activity|act|admin|batch|schedule) \S+/,
    valued: '--address --ad --namespace --ns',
  }),
  cockroach: sqlClient('cockroach', { statements: '-e --execute', files: '-f --file', valued: '' }, cockroach),
  snow: sqlClient('snowflake', { statements: '-q --query', files: '-f --filename', valued: '' }, snow),
  databricks: client({
    on: 'databricks workspace',
    looks: new RegExp(
      String.raw`^(?:\S+ (?:list|ls|get|get-run|get-run-output|list-\S+|status|validate|cat|describe|export|permissions get)` +
        String.raw`|bundle (?:validate|summary|schema|init|generate)|version|current-user|configure --help)\b`,
    ),
    secrets: /^(?:secrets get(?:-secret)?|auth token|tokens create|token-management|account \S+secrets? create)\b/,
    deploys: /^bundle (?:deploy|run)\b/,
    deletes: /^(?:bundle destroy|fs rm|workspace delete|\S+ (?:delete|permanent-delete|purge|destroy)(?:-[a-z-]+)?)\b/,
    changes: new RegExp(
      String.raw`^(?:\S+ (?:run-now|submit|start|stop|restart|resize|edit|cancel|cancel-\S+|put|put-\S+|create-\S+|update-\S+|set-\S+` +
        String.raw`|repair-run|import|import-dir|mkdirs|transfer-\S+|change-owner)|fs (?:mkdir|mkdirs)|api (?:post|put|patch|delete))\b`,
    ),
    valued: '-p --profile -t --target -o --output',
  }),
  pd: client({
    on: 'pagerduty',
    looks: /^\S+ (?:list|show|get|analytics|log|oncall|export|open|contact)\b|^(?:incident|service|user|team|schedule)(?::list| list)\b/,
    changes: new RegExp(
      String.raw`^(?:incident|service|user|team|schedule|event|automation|rest|analytics|ep|tag|util|field)[: ](?:ack|resolve|assign` +
        String.raw`|create|merge|notes|priority|rename|set|set-\S+|subscriber|add|remove|replace|trigger|alert|disable|enable|override` +
        String.raw`|responder|post|put|delete|workflow)\b`,
    ),
  }),
  openstack: client({
    on: 'openstack project',
    looks: /\b(?:list|show)\b/,
    secrets: /^(?:token issue|ec2 credentials create|application credential create|federation \S+ create)\b/,
    deletes: /\b(?:delete|purge|cleanup)\b/,
    changes: new RegExp(
      String.raw`\b(?:create|set|unset|add|remove|start|stop|reboot|rebuild|resize|lock|unlock|pause|unpause|suspend|resume|shelve` +
        String.raw`|unshelve|migrate|evacuate|rescue|unrescue|save|backup|restore|ssh|cancel|accept|confirm|revert)\b`,
    ),
    valued: '--os-cloud --os-auth-url --os-project-name --os-username --os-password --os-region-name -f -c',
  }),
  yc: client({
    on: 'yandex cloud folder',
    looks: /\b(?:list|get|describe|list-\S+)\b/,
    secrets: new RegExp(
      String.raw`^(?:iam create-token|lockbox payload get|iam (?:key|api-key|access-key) create|certificate-manager certificate content` +
        String.raw`|managed-kubernetes create-token|container registry configure-docker)\b`,
    ),
    deletes: /\b(?:delete|remove-access-binding|purge)\b/,
    access: /\b(?:add-access-binding|set-access-bindings?)\b/,
    changes:
      /\b(?:create|update|start|stop|restart|add-\S+|remove-\S+|set-\S+|invoke|attach-\S+|detach-\S+|resize|move|deploy|version create)\b/,
    valued: '--cloud-id --folder-id --token --profile --format --id --name',
  }),
  kops: client({
    on: 'kubernetes cluster',
    looks: /^(?:get|validate|version|completion)\b|^(?:update|rolling-update|upgrade|delete cluster)\b(?!.* (?:--yes|-y)\b)/,
    secrets: /^(?:export kubeconfig|export kubecfg)\b.* --admin\b|^get secrets\b/,
    deletes: /^delete\b.* (?:--yes|-y)\b|^delete (?:secret|sshpublickey)\b/,
    changes: new RegExp(
      String.raw`^(?:(?:update|rolling-update|upgrade|create|edit|replace|promote|distrust|trust|reconcile)\b.* (?:--yes|-y)\b` +
        String.raw`|(?:edit|replace|create secret|create sshpublickey|create instancegroup|promote|distrust|trust)\b)`,
    ),
    valued: '--name --state --config',
  }),
  azd: client({
    on: 'azure environment',
    looks: new RegExp(
      String.raw`^(?:show|version|env (?:list|refresh)|template|config (?:show|list|get)|auth (?:login --check-status)|package|init` +
        String.raw`|monitor|restore|provision .*--preview)\b|^provision .* --preview\b`,
    ),
    secrets: /^(?:env get-values?|auth token)\b/,
    deletes: /^down\b/,
    deploys: /^(?:up|deploy|publish)\b/,
    changes: /^(?:provision|pipeline|hooks run|env (?:set|set-secret|new|select)|infra)\b/,
    valued: '-C --cwd -e --environment',
  }),
  drone: client({
    on: 'drone builds',
    looks: /^\S+ (?:ls|list|info|last|view|logs?)\b/,
    changes: /^(?:build|cron|secret|orgsecret|repo|user|queue|server|template|deploy|plugins)\b \S+/,
  }),
  tkn: client({
    on: 'pipelines of the cluster',
    looks: /^\S+ (?:list|ls|describe|desc|logs|export|version|search|get)\b|^version\b/,
    deletes: /^\S+ (?:delete|rm)\b/,
    changes: /^\S+ (?:start|cancel|create|sign|install|upgrade|downgrade|reinstall|push)\b/,
    valued: '-n --namespace -c --context -k --kubeconfig',
  }),
  argo: client({
    on: 'workflows of the cluster',
    looks: new RegExp(
      String.raw`^(?:list|get|logs|lint|version|watch|wait|auth|template (?:list|get|lint)|cron (?:list|get|lint)|archive (?:list|get)` +
        String.raw`|cluster-template (?:list|get|lint)|server --help)\b`,
    ),
    deletes: /^(?:(?:template|cron|archive|cluster-template) )?delete\b/,
    changes: new RegExp(
      String.raw`^(?:submit|retry|resubmit|stop|terminate|suspend|resume|node|cp|(?:cron|template|cluster-template|archive) (?:create` +
        String.raw`|update|suspend|resume|retry|resubmit|backfill))\b`,
    ),
    inert: '--dry-run --server-dry-run',
    valued: '-n --namespace --context --kubeconfig -s --argo-server',
  }),
  'jenkins-cli': client({ on: 'jenkins', deletes: /^delete-/, changes: JENKINS, valued: '-s -auth' }),
  'sf sfdx': client({
    on: 'salesforce org',
    looks: new RegExp(
      String.raw`^(?:project deploy (?:preview|validate|report)|project retrieve|force:source:(?:pull|retrieve|status)` +
        String.raw`|\S+ (?:list|get|query)|org (?:list|open)|data (?:query|search|get)|apex (?:list|get|tail)|config (?:list|get)|plugins` +
        String.raw`|doctor|version)\b`,
    ),
    secrets: new RegExp(
      String.raw`^(?:org:?(?: |:)?display|force:org:display)\b.* --verbose\b` +
        String.raw`|^(?:org (?:generate|display user)|force:user:(?:password|display)|org auth show)|^(?:auth:|org login ).*--print`,
    ),
    deletes:
      /^(?:org delete|force:org:delete|data delete|force:data:\S*delete|project delete|package (?:delete|uninstall|version delete)|force:source:delete)\b/,
    deploys:
      /^(?:project deploy|force:source:(?:deploy|push)|force:mdapi:deploy|package (?:create|version (?:create|promote)|install)|deploy)\b/,
    changes: new RegExp(
      String.raw`^(?:apex run|data (?:create|update|upsert|import|bulk|resume)|force:data:|force:apex:execute` +
        String.raw`|org (?:create|login|logout|assign|resume)|force:org:create|community publish)\b`,
    ),
    valued: '-o --target-org -u --targetusername',
  }),
  'ecs-cli': client({
    on: 'container service',
    looks: /^(?:ps|logs|images|check-attributes|registry-creds down --help|compose (?:ps|create --help)|configure)\b|\b(?:ps|list)\b/,
    deletes: /^(?:down|compose .*\b(?:down|rm))\b/,
    changes: /^(?:up|push|scale|compose|registry-creds up)\b/,
    valued: '--cluster --region --cluster-config',
  }),
  telepresence: client({
    on: 'cluster',
    looks: /^(?:status|list|version|gather-logs|loglevel|config view|list-\S+)\b/,
    changes: /^(?:connect|intercept|replace|ingest|wiretap|leave|quit|helm|uninstall|genyaml|compose)\b/,
    valued: '-n --namespace --context',
  }),
  'elasticsearch-users': client({ on: 'elasticsearch', looks: /^list\b/, access: /^(?:useradd|userdel|passwd|roles)\b/ }),
  'elasticsearch-reset-password elasticsearch-setup-passwords elasticsearch-service-tokens elasticsearch-create-enrollment-token elasticsearch-keystore':
    client({ on: 'elasticsearch', looks: /^(?:list|has-passwd)\b/, access: /^/ }),
  kubeseal: client({
    on: 'sealed secrets',
    secrets: / --recovery-unseal\b/,
    valued: '--cert --controller-name --controller-namespace -o --format -f -w',
  }),
  devtunnel: client({
    on: 'tunnel',
    looks: /^(?:list|show|port (?:list|show)|echo|ping|clusters|limits|user show)\b/,
    deletes: /^(?:delete|delete-all|port delete)\b/,
    deploys: /^host\b/,
    secrets: /^token\b/,
    changes: /^(?:create|update|port|access|set|unset|connect|user)\b/,
  }),
  linear: client({
    on: 'linear workspace',
    looks: /^\S+ (?:list|ls|view|show|search|mine|query|id|title|url|describe)\b/,
    changes: new RegExp(
      String.raw`^(?:issue|project|team|document|milestone|label|initiative|cycle|comment) (?:create|update|edit|start|comment|delete` +
        String.raw`|archive|assign|close|attach|pr|pull-request|post|add)\b`,
    ),
  }),
  nodetool: wording({
    on: 'cassandra cluster',
    kind: 'database',
    lines: [
      [
        null,
        new RegExp(
          String.raw`^(?:status|info|ring|version|tpstats|tablestats|cfstats|describe\S*|gossipinfo|get\S+|net(?:work)?stats` +
            String.raw`|compactionstats|list\S*|status\S+|proxyhistograms|table\S+|rangekeysample|toppartitions|viewbuildstatus|help|history` +
            String.raw`|compactionhistory|failuredetector|clientstats|verify|sjk)\b`,
        ),
      ],
      ['delete sql:drop', /^(?:decommission|removenode|assassinate|clearsnapshot|truncatehints|garbagecollect)\b/],
      ['change sql:kill', /^[a-z]+/],
    ],
    valued: '-h --host -p --port -u --username -pw --password -pwf',
  }),
  ...each(
    'kafka-leader-election kafka-leader-election.sh kafka-reassign-partitions kafka-reassign-partitions.sh kafka-storage ' +
      'kafka-storage.sh kafka-server-stop kafka-server-stop.sh zookeeper-server-stop.sh kafka-features.sh ' +
      'kafka-metadata-quorum.sh',
    wording({
      on: 'kafka',
      kind: 'database',
      lines: [[null, / --(?:verify|list|describe|generate|status|info|random-uuid)\b|^(?:describe|info|random-uuid)\b/]],
      otherwise: 'change sql:kill',
      valued: '--bootstrap-server --command-config --topic --partition --election-type --reassignment-json-file',
    }),
  ),
  bolt: wording({
    on: 'named machines',
    kind: 'host',
    lines: [
      [null, /^(?:\S+ (?:show|convert|new)|help|inventory|group|guide|module show|secret (?:createkeys|encrypt))\b/],
      ['execute net:remote-shell', /^(?:(?:command|script|task|plan|file) \S+|apply)\b/],
    ],
    valued: '-t --targets -q --query -u --user -p --password -i --inventoryfile',
    inert: '--noop',
  }),
})
