import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { secretName } from '../../resources/secret/names.ts'
import { BUILDS, LISTS } from '../packages/packages.ts'
import { type Act, byName, does, each, list, refined, takes, tool } from '../tool.ts'

/** Infrastructure as code: terraform, tofu, terragrunt, pulumi, packer, and frameworks that deploy whole stacks. */

const TERRAFORM_GRAMMAR: CommandSpec = {
  singleDashLong: true,
  flags: list(
    '-auto-approve -json -no-color -destroy -refresh-only -compact-warnings -upgrade -reconfigure -migrate-state ' +
      '-force-copy -recursive -check -diff -write -list -force -allow-missing -raw -ignore-remote-version -get -input -lock ' +
      '-refresh -detailed-exitcode -concise -show-sensitive -all --all -a --terragrunt-non-interactive --non-interactive ' +
      '--queue-include-external',
  ),
  options: {
    ...takes(
      '-chdir -var -target -replace -parallelism -lock-timeout -backend-config -backend -plugin-dir -out -generate-config-out ' +
        '-id -platform -fs-mirror -net-mirror -type -filter -cloud-run -exclude --terragrunt-working-dir --working-dir ' +
        '--terragrunt-source --terragrunt-config -e',
    ),
    ...takes('-var-file', 'read'),
    ...takes('-state -state-out -backup'),
    ...takes('-from-module', 'load'),
  },
}
const STACK: Pick<Act, 'flags' | 'values'> = {
  flags: { auto_approve: list('-auto-approve --auto-approve -y --yes -f --force --skip-preview --require-approval=never') },
  values: { target: list('-target --target'), stack: list('-s --stack') },
}

function act(verb: Act['verb'], action: string, options: Partial<Act> = {}): Act {
  return { ...STACK, verb, action, kind: 'resource', value: 'infrastructure', ...options }
}
function terraform(verb: Act['verb'], action: string, options: Partial<Act> = {}): CommandSpec {
  return { ...does(act(verb, action, options), TERRAFORM_GRAMMAR), operands: ['data'] }
}

const DESTROYS = (parsed: ParsedCommand) => parsed.flag('-destroy')
const APPLY: CommandSpec = {
  ...does(
    [act('change', 'tf:apply', { when: (p) => !DESTROYS(p) }), act('delete', 'tf:destroy', { reversible: false, when: DESTROYS })],
    TERRAFORM_GRAMMAR,
  ),
  operands: ['data'],
}
const PLAN: CommandSpec = {
  ...does(act('fetch', 'tf:plan'), { ...TERRAFORM_GRAMMAR, options: { ...TERRAFORM_GRAMMAR.options, ...takes('-out', 'write') } }),
  operands: ['data'],
}
const STATE_READ = terraform('read', 'tf:read')
const INSTALL: CommandSpec = does(
  { verb: 'execute', action: 'pkg:install', kind: 'package', value: 'providers', attributes: { manager: 'terraform', source: 'manifest' } },
  { ...TERRAFORM_GRAMMAR, operands: ['data'] },
)

const TERRAFORM: Readonly<Record<string, CommandSpec>> = byName({
  plan: PLAN,
  apply: APPLY,
  destroy: terraform('delete', 'tf:destroy', { reversible: false }),
  output: {
    ...STATE_READ,
    refine: (parsed, context) => {
      STATE_READ.refine?.(parsed, context)
      // Alone it hides what is marked as secret; by name it shows it.
      for (const word of parsed.operands)
        if (secretName(word.text ?? '') !== null)
          context.emit('read', context.thing('resource', word.text ?? ''), { action: 'secret:read', span: word.span })
    },
  },
  'validate show graph version metadata modules': STATE_READ,
  providers: { ...STATE_READ, subcommands: byName({ schema: STATE_READ, 'lock mirror': INSTALL }) },
  fmt: {
    ...does(
      { verb: 'write', action: 'dev:format', kind: 'path', at: 0, value: '.', when: (parsed) => parsed.value('-write')?.text !== 'false' },
      { ...TERRAFORM_GRAMMAR, flags: [...(TERRAFORM_GRAMMAR.flags ?? []), '-write', '-diff', '-list', '-recursive'] },
    ),
    inert: ['-check'],
  },
  'init get': INSTALL,
  'import taint untaint refresh force-unlock': terraform('change', 'tf:state', { at: 0 }),
  state: {
    ...TERRAFORM_GRAMMAR,
    subcommands: byName({
      'list show identities': STATE_READ,
      pull: does({ verb: 'read', action: 'tf:read', kind: 'resource', value: 'state', attributes: { values: true } }, TERRAFORM_GRAMMAR),
      'rm push': terraform('change', 'tf:state', { from: 0, reversible: false }),
      'mv replace-provider': terraform('change', 'tf:state', { at: 0 }),
    }),
  },
  workspace: {
    subcommands: byName({
      'list show': STATE_READ,
      'new select': terraform('change', 'tf:workspace', { at: 0 }),
      delete: terraform('delete', 'tf:workspace', { at: 0, reversible: false }),
    }),
  },
  test: terraform('change', 'tf:apply', { certainty: 'likely' }),
  console: terraform('read', 'tf:read'),
  'login logout': does({ verb: 'change', action: 'tool:auth', kind: 'account', at: 0, value: 'terraform' }),
})
const TF = clientOf(tool('tf', { ...TERRAFORM_GRAMMAR, subcommands: TERRAFORM }))

/** Every subcommand says which client it is, and where that works; not where a state of its own, or several of them, are named. */
function clientOf(spec: CommandSpec): CommandSpec {
  const { refine, subcommands } = spec
  const below = Object.entries(subcommands ?? {}).map(([name, node]) => [name, clientOf(node)] as const)
  return {
    ...spec,
    ...(subcommands === undefined ? {} : { subcommands: Object.fromEntries(below) }),
    ...(refine === undefined ? {} : { refine: (parsed, context) => within(parsed, context, refine) }),
  }
}

/** Of terragrunt: acts on a state in each of several directories. */
const SEVERAL = /^run-all$|-all$/

function within(parsed: ParsedCommand, context: CommandContext, refine: NonNullable<CommandSpec['refine']>): void {
  if (parsed.flag('-all', '--all') || parsed.path.some((name) => SEVERAL.test(name))) {
    refine(parsed, context)
    return
  }
  const elsewhere = parsed.value('-state', '-state-out', '--terragrunt-source', '--terragrunt-config')
  const directory = parsed.value('-chdir', '--terragrunt-working-dir', '--working-dir')
  const worksIn = elsewhere === null ? directory : null
  const place = elsewhere === null && directory === null ? {} : { worksIn }
  context.within({ attributes: { client: parsed.invocation.name }, remote: false, ...place }, (inner) => refine(parsed, inner))
}

const terragrunt = clientOf(
  tool('tf', {
    ...TERRAFORM_GRAMMAR,
    subcommands: byName({
      ...TERRAFORM,
      'run-all run': { ...TERRAFORM_GRAMMAR, subcommands: TERRAFORM },
      'hclfmt hcl render-json render graph-dependencies dag validate-inputs terragrunt-info info find list output-module-groups catalog scaffold':
        { ...STATE_READ },
      'apply-all': APPLY,
      'destroy-all': terraform('delete', 'tf:destroy', { reversible: false }),
      'plan-all': PLAN,
      exec: { stopAtOperand: true, operands: [], refine: (parsed, context) => context.command(parsed.operands, 'terragrunt') },
    }),
  }),
)

const PULUMI_GRAMMAR: CommandSpec = {
  flags: list(
    '-y --yes -f --skip-preview --diff --json --refresh -r --expect-no-changes --non-interactive --show-secrets --force ' +
      '--preview-only --secret --plaintext --remove-backups -j --continue-on-error --suppress-outputs --exclude-protected ' +
      '--all',
  ),
  options: takes(
    '-s --stack -C --cwd -m --message -t --target -p --parallel --config-file -c --config --replace --target-replace ' +
      '--policy-pack --color -v --verbose --file --plan --save-plan --secrets-provider',
  ),
}
const pulumiAct = (verb: Act['verb'], action: string, options: Partial<Act> = {}): CommandSpec => ({
  ...does(
    act(verb, action, {
      flags: { auto_approve: list('-y --yes -f --skip-preview') },
      values: { stack: list('-s --stack'), target: list('-t --target') },
      ...options,
    }),
    PULUMI_GRAMMAR,
  ),
  operands: ['data'],
})
const PULUMI_READ = pulumiAct('read', 'tf:read')
const shown = (parsed: ParsedCommand, context: CommandContext) =>
  context.emit('read', context.thing('resource', 'stack'), { action: parsed.flag('--show-secrets') ? 'secret:read' : 'tf:read' })

const pulumi = tool('tf', {
  ...PULUMI_GRAMMAR,
  subcommands: byName({
    'up update': pulumiAct('change', 'tf:apply'),
    'preview pre': pulumiAct('fetch', 'tf:plan'),
    destroy: pulumiAct('delete', 'tf:destroy', { reversible: false }),
    'refresh cancel import watch': pulumiAct('change', 'tf:state'),
    stack: {
      operands: ['data'],
      ...PULUMI_GRAMMAR,
      refine: shown,
      subcommands: byName({
        'ls history graph': PULUMI_READ,
        'output export': refined(shown, { ...PULUMI_GRAMMAR, operands: ['data'] }),
        'init select rename tag change-secrets-provider unselect': pulumiAct('change', 'tf:workspace', { at: 0 }),
        import: pulumiAct('change', 'tf:state', { reversible: false }),
        rm: pulumiAct('delete', 'tf:workspace', { at: 0, reversible: false }),
      }),
    },
    state: {
      subcommands: byName({
        'delete rename unprotect upgrade edit move repair': pulumiAct('change', 'tf:state', { reversible: false }),
      }),
    },
    config: {
      ...refined(shown, { ...PULUMI_GRAMMAR, operands: ['data'] }),
      subcommands: byName({
        get: does({ verb: 'read', action: 'secret:read', kind: 'variable', at: 0 }, PULUMI_GRAMMAR),
        'set set-all rm rm-all cp refresh env': pulumiAct('change', 'tf:config', { at: 0 }),
      }),
    },
    'new install gen package convert': { ...BUILDS, operands: ['data'] },
    plugin: {
      subcommands: byName({
        install: INSTALL,
        ls: LISTS,
        rm: does({ verb: 'change', action: 'pkg:remove', kind: 'package', at: 0, value: 'plugins' }),
      }),
    },
    'whoami about logs console schema org policy': { ...PULUMI_READ },
    'login logout': does({ verb: 'change', action: 'tool:auth', kind: 'account', at: 0, value: 'pulumi' }),
    env: {
      subcommands: byName({
        'ls diff version tag': PULUMI_READ,
        'open get run': does(
          { verb: 'read', action: 'secret:read', kind: 'resource', at: 0, value: 'environment' },
          { stopAtOperand: true },
        ),
        'set init edit rm clone rotate': pulumiAct('change', 'tf:config'),
      }),
    },
  }),
})

const packer = tool('cloud', {
  singleDashLong: true,
  options: { ...takes('-var -only -except -parallel-builds -on-error'), ...takes('-var-file', 'read') },
  flags: list('-force -debug -color -timestamp-ui -machine-readable -upgrade -syntax-only'),
  subcommands: byName({
    build: does({ verb: 'change', action: 'cloud:create', kind: 'resource', at: 0, value: 'image', attributes: { provider: 'packer' } }),
    'validate inspect fmt hcl2_upgrade console': { ...LISTS, operands: ['data'] },
    'init plugins': { ...INSTALL, operands: ['data'] },
  }),
})

/** Frameworks whose `deploy` creates whatever their project file says. */
function stack(
  provider: string,
  more: {
    readonly valued?: string
    readonly flags?: string
    readonly deploys?: string
    readonly removes?: string
    readonly looks?: string
    readonly builds?: string
  },
): CommandSpec {
  const attributes = { provider }
  const grammar: CommandSpec = {
    flags: list(
      `--force -f -y --yes --all --verbose -v --no-confirm-changeset --hotswap --guided -g --watch --exclusively -e --no-prompts ${more.flags ?? ''}`,
    ),
    options: takes(
      '--require-approval --profile -p --region -r --stage -s --stack-name --stack --app -a --context -c --config-env ' +
        '--config-file --parameters --parameter-overrides --template-file -t --s3-bucket --capabilities --role-arn ' +
        `--outputs-file -o --output --tags --env --aws-profile --param --package --function ${more.valued ?? ''}`,
    ),
    operands: ['data'],
  }
  return tool('cloud', {
    ...grammar,
    subcommands: byName({
      ...each(
        more.deploys ?? 'deploy',
        does(
          { verb: 'publish', action: 'cloud:deploy', kind: 'resource', at: 0, value: 'stack', attributes },
          { ...grammar, inert: list('--dry-run --dryrun --noop') },
        ),
      ),
      ...each(
        more.removes ?? 'destroy delete remove',
        does({ verb: 'delete', action: 'cloud:delete', kind: 'resource', at: 0, value: 'stack', reversible: false, attributes }, grammar),
      ),
      ...each(
        more.looks ?? 'list ls diff synth info metadata doctor docs logs validate print',
        does({ verb: 'fetch', action: 'cloud:read', kind: 'resource', value: 'stack', attributes }, grammar),
      ),
      ...each(more.builds ?? 'init build local package create install new test', { ...BUILDS, ...grammar, flags: grammar.flags ?? [] }),
      'bootstrap import rollback invoke sync rollout run': does(
        { verb: 'change', action: 'cloud:update', kind: 'resource', at: 0, value: 'stack', attributes },
        grammar,
      ),
    }),
  })
}

const NOMAD_CHANGE = (verb: Act['verb'], action: string, reversible = true) =>
  does(
    { verb, action, kind: 'resource', from: 0, value: 'cluster', reversible, attributes: { provider: 'hashicorp' } },
    {
      singleDashLong: true,
      flags: list('-purge -detach -yes -force -recurse -verbose -json'),
      options: takes('-namespace -region -address -token -var -check-index'),
    },
  )
const NOMAD_READ: CommandSpec = { ...NOMAD_CHANGE('fetch', 'cloud:read'), operands: ['data'] }
const nomad = tool('cloud', {
  singleDashLong: true,
  options: takes('-address -namespace -region -token'),
  subcommands: byName({
    job: {
      subcommands: byName({
        'run start revert scale dispatch promote restart eval periodic deployments': NOMAD_CHANGE('change', 'cloud:update'),
        stop: NOMAD_CHANGE('delete', 'cloud:delete', false),
        'status plan inspect history validate init allocs': NOMAD_READ,
      }),
    },
    run: NOMAD_CHANGE('change', 'cloud:update'),
    stop: NOMAD_CHANGE('delete', 'cloud:delete', false),
    'status plan node server agent-info monitor ui version inspect fs logs': NOMAD_READ,
    'system namespace volume acl var quota operator': { ...NOMAD_CHANGE('change', 'cloud:update'), operands: ['data'] },
    alloc: {
      subcommands: byName({
        'status logs fs': NOMAD_READ,
        exec: does({ verb: 'execute', action: 'net:remote-shell', kind: 'host', at: 0 }, { stopAtOperand: true }),
        'stop restart signal': NOMAD_CHANGE('change', 'cloud:update'),
      }),
    },
  }),
})
/** Checks that only read configuration files. */
const SCANS: CommandSpec = does(
  { verb: 'read', action: 'dev:lint', kind: 'path', at: 0, value: '.' },
  { operands: ['data'], inert: list('--help -h --version') },
)

export const infrastructure: CommandTable = byName({
  'terraform tofu': TF,
  terragrunt,
  pulumi,
  packer,
  cdk: stack('aws', { deploys: 'deploy watch', builds: 'init acknowledge notices migrate' }),
  sam: stack('aws', { deploys: 'deploy sync publish' }),
  'serverless sls osls': stack('serverless', { deploys: 'deploy' }),
  sst: stack('aws', { deploys: 'deploy dev', builds: 'init add install shell' }),
  cdktf: stack('terraform', { builds: 'init get provider convert' }),
  'chalice zappa amplify': stack('aws', { deploys: 'deploy update push publish', removes: 'delete undeploy remove' }),
  nomad,
  'tflint tfsec checkov terrascan trivy kics infracost terraform-docs': SCANS,
})
