/** The command line: parse, call the library, print. Each command is loaded only when it is asked for. */
import { Command } from 'commander'
import { addAcp } from './acp/commands.ts'
import { addAgents } from './agents/commands.ts'
import { addAudit } from './audit-commands.ts'
import { addBaseline } from './baseline/commands.ts'
import { addChannels } from './channel-commands.ts'
import { addImport } from './import-command.ts'
import { addInstalling } from './installing/commands.ts'
import { addJudge } from './judge-commands.ts'
import { addSessions } from './looking/session-commands.ts'
import { addStats } from './looking/stats-commands.ts'
import { addMcp } from './mcp/commands.ts'
import { addOutcomes } from './outcomes/commands.ts'
import { addPreview } from './preview/commands.ts'
import { addProxy } from './proxies/commands.ts'
import { addReceipts } from './receipts/commands.ts'
import { addTrust } from './scopes/commands.ts'
import { UsageError, warn } from './terminal.ts'
import { addUndo } from './undo/commands.ts'
import { addVerify } from './verify/commands.ts'
import { packageVersion } from './version.ts'

/** Runs the command line; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let code = 0
  const done = (value: number) => {
    code = value
  }
  const program = new Command('countersign')
    .description('A second signature for every tool call an AI agent proposes.')
    .version(packageVersion())
    .addHelpText('after', example('countersign init --agent claude-code && countersign doctor'))
    .showHelpAfterError('(add --help for the options and an example)')
    .configureOutput({ outputError: (text, write) => write(text) })
    .enablePositionalOptions()
    .exitOverride()
  addDeciding(program, done)
  addMcp(program, done)
  addAcp(program, done)
  addAgents(program, done)
  addProxy(program, done)
  addInstalling(program, done)
  addPolicy(program, done)
  addTrust(program, done)
  addContracts(program, done)
  addGrants(program, done)
  addPins(program, done)
  addApprovals(program, done)
  addChannels(program, done)
  addTokens(program, done)
  addSessions(program, done)
  addBaseline(program, done)
  addStats(program, done)
  addUndo(program, done)
  addOutcomes(program, done)
  addVerify(program, done)
  addAudit(program, done)
  addReceipts(program, done)
  addReplay(program, done)
  addJudge(program, done)
  addImport(program, done)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    return failed(error)
  }
}

type Done = (code: number) => void

const example = (text: string) => `\nExample:\n  ${text}\n`

function addDeciding(program: Command, done: Done): void {
  program
    .command('check')
    .description('one call (JSON on stdin) → decision JSON on stdout; exit 0 allow or flag, 3 ask, 4 deny, 5 halt, 2 bad input')
    .option('--policy <file>', 'the policy to use')
    .option('--explain', 'say in words how the decision came about')
    .option('--no-record', 'decide without writing to the log (nothing is enforced this way)')
    .option('--lines', 'one call a line on stdin → one decision a line, in order; exit 0, or 2 where a line was no call')
    .option('--vouch-task', 'the user wrote `context.task`: judges take it as the user’s words; otherwise as a claim of the agent')
    .addHelpText('after', example(`echo '{"tool":"Bash","args":{"command":"git status"}}' | countersign check`))
    .action(async (options) => done(await (await import('./commands/check.ts')).check(options)))
  program
    .command('effects')
    .description('one call (JSON on stdin) → what it would do, as JSON')
    .option('--text', 'in words, with the part of the call each effect comes from')
    .addHelpText('after', example(`echo '{"tool":"Bash","args":{"command":"rm -rf build"}}' | countersign effects --text`))
    .action(async (options) => done(await (await import('./commands/effects.ts')).effects(options)))
  addPreview(program, done)
  program
    .command('hook <agent>')
    .description("speaks the agent's native hook protocol on stdin and stdout")
    .option('--policy <file>', 'the policy to use')
    .option(
      '--sealed',
      'for the installed hook: end the answer with the seal of this gate over the event and the number in `COUNTERSIGN_NONCE`',
    )
    .addHelpText('after', example('countersign hook claude-code < event.json'))
    .action(async (agent, options) => done(await (await import('./commands/hook.ts')).hook(agent, options)))
  program
    .command('serve')
    .description('runs the gate as a server: decisions, approvals, console and hooks, on a private socket and over HTTP')
    .option('--policy <file>', 'the policy to use; read again whenever it changes')
    .option('--listen <address>', 'where it answers over HTTP; port 0 takes any that is free (default: 127.0.0.1:7433)')
    .option('--no-listen', 'the private socket alone')
    .option('--foreground', 'at this terminal, until it is stopped (the default); takes the place of a daemon that a hook started')
    .option('--for-hooks', 'as the installed hook starts it: the private socket alone, until nobody asked for 30 minutes')
    .option('--stop', 'ends the daemon that a hook started')
    .option('--open-loopback', 'agents on loopback need no token: every user of this machine can ask for decisions')
    .addHelpText('after', example('countersign serve --listen 127.0.0.1:7433'))
    .action(async (options) => done(await (await import('./commands/serve.ts')).serve(options)))
}

function addPolicy(program: Command, done: Done): void {
  const policy = program
    .command('policy')
    .description('checks, tests, explains and formats policies')
    .addHelpText('after', example('countersign policy lint'))
  const each = (name: string, description: string, line: string) =>
    policy.command(`${name} [file]`).description(description).option('--json', 'as JSON').addHelpText('after', example(line))
  each('lint', 'errors and warnings with positions; exit 1 where there are any errors', 'countersign policy lint countersign.yaml').action(
    async (file, options) => done(await (await import('./commands/policy.ts')).lint(file, options)),
  )
  each(
    'test',
    "the rules' own examples, `tests` of the policy and of `*.test.yaml` beside it; exit 1 where one fails",
    'countersign policy test',
  )
    .option('--coverage', 'exit 1 also where no test reaches a rule')
    .action(async (file, options) => done(await (await import('./commands/policy-test.ts')).testPolicy(file, options)))
  each('explain', 'says in words what the policy does with a tool', 'countersign policy explain --tool Bash')
    .option('--tool <name>', 'the tool', 'Bash')
    .action(async (file, options) => done(await (await import('./commands/policy.ts')).explain(file, options)))
  each('fmt', 'prints the policy in its canonical form; --write changes the file', 'countersign policy fmt countersign.yaml --write')
    .option('--write', 'change the file')
    .action(async (file, options) => done(await (await import('./commands/policy.ts')).fmt(file, options)))
  policy
    .command('schema')
    .description('prints the JSON Schema of the policy file')
    .addHelpText('after', example('countersign policy schema > countersign.schema.json'))
    .action(async () => done(await (await import('./commands/policy.ts')).schema()))
}

function addContracts(program: Command, done: Done): void {
  const contracts = program
    .command('contracts')
    .description('what the arguments of a tool must be')
    .addHelpText('after', example('countersign contracts mint sessions.jsonl.gz'))
  contracts
    .command('mint [files...]')
    .description('proposes a contract file from schemas and recorded calls; whatever flags a right call is dropped')
    .option('--tools <file>', 'definitions of tools as JSON: a list, or an MCP tools/list result')
    .option('--out <file>', 'write the file instead of printing it')
    .option('--verbose', 'also say what was dropped, and why')
    .addHelpText('after', example('countersign contracts mint sessions.jsonl.gz --out tool-contracts.json'))
    .action(async (files, options) => done(await (await import('./commands/contracts.ts')).mint(files, options)))
}

function addGrants(program: Command, done: Done): void {
  const grants = program
    .command('grants')
    .description('leave for gated actions, handed out by people')
    .addHelpText('after', example('countersign grants list'))
  grants
    .command('list')
    .description('every grant, in force or not')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign grants list'))
    .action(async (options) => done(await (await import('./commands/grants.ts')).list(options)))
  grants
    .command('show <id>')
    .description('one grant in full, with its uses')
    .addHelpText('after', example('countersign grants show gr_…'))
    .action(async (id) => done(await (await import('./commands/grants.ts')).show(id)))
  grants
    .command('add <action>')
    .description('signs a grant and prints its id')
    .option(
      '--scope <pairs...>',
      'what it must be about: package=, remote=, branch=, repository=, host=, recipient_domain=, max_amount=, …',
    )
    .option('--expires <time>', 'when it ends: 2h, 7d or a date')
    .option('--not-before <time>', 'when it begins')
    .option('--count <uses>', 'how many effects it lets through')
    .option('--session <id>', 'only in this session')
    .option('--role <name>', 'only for this role')
    .option('--user <name>', 'only for this user')
    .option('--agent <name>', 'only for this agent')
    .option('--parent <id>', 'narrow another grant, whose uses then count, too')
    .option('--reason <text>', 'why, for the log')
    .option('--json', 'print the whole grant')
    .addHelpText(
      'after',
      example('countersign grants add npm:publish --scope package=left-pad --count 1 --expires 2h --reason "release 1.3"'),
    )
    .action(async (action, options) => done(await (await import('./commands/grants.ts')).add(action, options)))
  grants
    .command('revoke <id>')
    .description('takes a grant back at once, with all that was narrowed from it')
    .option('--reason <text>', 'why, for the log')
    .addHelpText('after', example('countersign grants revoke gr_… --reason "wrong package"'))
    .action(async (id, options) => done(await (await import('./commands/grants.ts')).revoke(id, options)))
}

function addPins(program: Command, done: Done): void {
  const pins = program
    .command('pins')
    .description('what tools say of themselves, held to what they said before')
    .addHelpText('after', example('countersign pins list'))
  const tenantOption = ['--tenant <name>', 'the tenant, where several have a tool of this name'] as const
  pins
    .command('list')
    .description('every tool whose definition was seen, and what waits to be accepted')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign pins list'))
    .action(async (options) => done(await (await import('./commands/pins.ts')).list(options)))
  pins
    .command('show <tool>')
    .description('one tool: the pinned definition, the last other one, what changed')
    .option(...tenantOption)
    .addHelpText('after', example('countersign pins show github/get_issue'))
    .action(async (tool, options) => done(await (await import('./commands/pins.ts')).show(tool, options)))
  pins
    .command('accept <tool> <digest>')
    .description('holds the tool to the definition with this digest, as `pins show` tells it')
    .option(...tenantOption)
    .option('--reason <text>', 'why, for the log')
    .addHelpText('after', example('countersign pins accept github/get_issue sha256:… --reason "release 2.1 of the server"'))
    .action(async (tool, digest, options) => done(await (await import('./commands/pins.ts')).accept(tool, digest, options)))
  pins
    .command('remove <tool>')
    .description('forgets what is known of the tool: the next definition is the first one again')
    .option(...tenantOption)
    .option('--reason <text>', 'why, for the log')
    .addHelpText('after', example('countersign pins remove github/get_issue --reason "server is gone"'))
    .action(async (tool, options) => done(await (await import('./commands/pins.ts')).remove(tool, options)))
}

function addApprovals(program: Command, done: Done): void {
  const approvals = program
    .command('approvals')
    .description('calls that wait for a person')
    .addHelpText('after', example('countersign approvals list'))
  approvals
    .command('list')
    .description('what waits or may be used, soonest end first')
    .option('--all', 'what is over, too')
    .option('--session <id>', 'only of this session')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign approvals list'))
    .action(async (options) => done(await (await import('./commands/approvals.ts')).list(options)))
  approvals
    .command('show <id>')
    .description('one call in full: arguments, effects, why it is asked, who answered')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign approvals show apr_…'))
    .action(async (id, options) => done(await (await import('./commands/approvals.ts')).show(id, options)))
  approvals
    .command('approve <ids...>')
    .description('a yes: exactly this call may run once; exit 4 where it is not taken, 3 where changed arguments wait for a yes')
    .option('--reason <text>', 'why, for the log')
    .option('--comment <text>', 'the same as --reason')
    .option(
      '--scope <scope>',
      'once, session, apply (makes what the preview showed, and the call does not run), or a grant as `approvals show` proposes it',
      'once',
    )
    .option('--args <file>', 'JSON of top-level arguments to run with instead (- for standard input); decided again, and then waits')
    .option('--seen <version>', 'the version that you looked at; another one is not answered')
    .option('--each', 'you looked at each of them: take the yes also for those that are not like the first')
    .option('--break-glass', 'approve alone, where the policy lets you; needs a reason')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign approvals approve apr_… --reason "the release branch is mine"'))
    .action(async (ids, options) => done(await (await import('./commands/approvals.ts')).approve(ids, options)))
  approvals
    .command('deny <ids...>')
    .description('a no, which beats every yes until the call ran; remembered for a time')
    .option('--reason <text>', 'why, for the log')
    .option('--comment <text>', 'the same as --reason')
    .option('--seen <version>', 'the version that you looked at; another one is not answered')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign approvals deny apr_… --reason "not on a Friday"'))
    .action(async (ids, options) => done(await (await import('./commands/approvals.ts')).deny(ids, options)))
  approvals
    .command('wait <id>')
    .description('until it is answered or over; exit 0 approved or used, 3 still waiting, 4 anything else')
    .option('--timeout <time>', 'how long to wait, such as 30s; default until its end')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign approvals wait apr_… --timeout 5m'))
    .action(async (id, options) => done(await (await import('./commands/approvals.ts')).wait(id, options)))
}

function addTokens(program: Command, done: Done): void {
  const tokens = program
    .command('tokens')
    .description('who may use the server: people who look and answer, agents who ask')
    .addHelpText('after', example('countersign tokens list'))
  tokens
    .command('add')
    .description('makes a token and shows it once; only its digest is kept')
    .requiredOption('--name <name>', 'human:alice, or the name of the agent')
    .requiredOption('--role <role>', 'viewer, approver or admin for people; agent')
    .option('--tenant <name>', 'sees and asks for this tenant alone')
    .option('--expires <time>', 'such as 12h or 30d; default until it is revoked')
    .option('--as-role <role>', 'for agents: the role that their calls are judged under')
    .option('--as-user <user>', 'for agents: the user behind them')
    .option('--vouches-task', 'for agents: the task of a call is what the user asked for; otherwise it is a claim of the agent')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign tokens add --name human:alice --role approver'))
    .action(async (options) => done(await (await import('./commands/tokens.ts')).add(options)))
  tokens
    .command('list')
    .description('every token, without its secret')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign tokens list'))
    .action(async (options) => done(await (await import('./commands/tokens.ts')).list(options)))
  tokens
    .command('revoke <id>')
    .description('ends a token at once')
    .addHelpText('after', example('countersign tokens revoke tok_0123456789'))
    .action(async (id) => done(await (await import('./commands/tokens.ts')).revoke(id)))
  tokens
    .command('link')
    .description('a link that logs your browser in to the console: holds once, for ten minutes')
    .addHelpText('after', example('countersign tokens link'))
    .action(async () => done(await (await import('./commands/tokens.ts')).link()))
}

function addReplay(program: Command, done: Done): void {
  program
    .command('replay <files...>')
    .description('recorded calls through a policy: one JSON line per call, or a table of metrics')
    .option('--policy <file>', 'the policy to use')
    .option('--score', 'print the table of metrics instead')
    .option('--json', 'the metrics as JSON')
    .option('--diff <policy>', 'only the calls that the other policy decides differently')
    .option('--attended', 'somebody agrees to what is labelled benign where people are asked, and to nothing else')
    .option('--record <directory>', 'keep the log of this replay in a state directory of its own')
    .addHelpText('after', example('countersign replay sessions.jsonl.gz --score'))
    .action(async (files, options) => done(await (await import('./commands/replay.ts')).replay(files, options)))
  program
    .command('demo')
    .description('the main job on shipped recorded calls; no key, no server')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign demo'))
    .action(async (options) => done(await (await import('./commands/demo.ts')).demo(options)))
}

/** Help and version are no failure; usage and bad input are 2; exit 1 is never given for a failure (a host would run the call). */
function failed(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error && 'code' in error && String(error.code).startsWith('commander.')) {
    return error.exitCode === 0 ? 0 : 2
  }
  warn(`countersign: ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof Error && !(error instanceof UsageError) && process.env.COUNTERSIGN_DEBUG === '1') warn(error.stack ?? '')
  return 2
}
