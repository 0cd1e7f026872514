import type { Command } from 'commander'

type Done = (code: number) => void

const example = (text: string) => `\nExample:\n  ${text}\n`

/** What stands between MCP clients and servers. */
export function addMcp(program: Command, done: Done): void {
  const mcp = program.command('mcp').enablePositionalOptions()
  mcp
    .description('stands between an MCP client and its server: each tool call is decided before the server gets it')
    .argument('[command...]', 'how the server is started, behind `--`')
    .option('--url <url>', 'a server over HTTP instead')
    .option(
      '--header <line...>',
      'sent to that server with each request, such as `Authorization: Bearer $TOKEN` with the variable in braces',
    )
    .option('--config <file>', 'servers as the client names them in its file; variables in braces are filled in')
    .option('--server <name>', 'the one server of that file')
    .option('--listen <address>', 'clients connect over HTTP (default port: 7435); without it over standard streams')
    .option('--draft', 'writes a first policy for what the servers offer, and calls nothing')
    .option('--out <file>', 'the new file for that policy')
    .option('--lock <file>', 'holds the servers to what the file says of their tools')
    .option('--check', 'says what the servers offer now that the lock does not; exit 1 where there is anything')
    .option('--write', 'writes the lock anew, and says what is different')
    .option('--policy <file>', 'the policy to use; read again whenever it changes')
    .option('--name <name>', 'by which the policy knows the server; default: taken from its command or address')
    .option('--session <id>', 'the session that the calls belong to; default: that of the process which started this one')
    .option('--role <name>', 'the role that calls are judged under')
    .option('--agent <name>', 'who calls; default: as the client names itself')
    .addHelpText('after', example('countersign mcp --role coder -- npx -y @modelcontextprotocol/server-filesystem .'))
    .action(async (command, options) => done(await (await import('./run.ts')).mcp(command, options)))
  addInstall(mcp, done)
  mcp
    .command('approvals')
    .description('an MCP server for your own agent: it lists, shows and denies what waits; you approve at the console that it opens')
    .option('--policy <file>', 'the policy whose `server.public_url` is the address of the console')
    .option('--console <url>', 'that address, such as http://127.0.0.1:7433')
    .addHelpText('after', example('countersign mcp approvals --console http://127.0.0.1:7433'))
    .action(async (options) => done(await (await import('./approvals/run.ts')).approvals(options)))
}

function addInstall(mcp: Command, done: Done): void {
  const each = (name: string, description: string) =>
    mcp
      .command(name)
      .description(description)
      .option('--client <name...>', 'claude-code, codex, gemini-cli, cursor, vscode; default: all whose files are there')
      .option('--scope <scope>', 'only files of the `user`, or of the `project` in this directory')
      .option('--server <name...>', 'only these servers')
      .option('--dry-run', 'only show what would change')
      .option('--yes', 'do not ask')
      .option('--json', 'the changes as JSON')
  each('install', 'puts the servers that clients name in their files behind the proxy')
    .option('--policy <file>', 'the policy that their calls are judged by')
    .option('--role <name>', 'the role that their calls are judged under')
    .option('--lock <file>', 'the lock that they are held to')
    .addHelpText('after', example('countersign mcp install --client cursor --dry-run'))
    .action(async (options) => done(await (await import('./clients/install.ts')).install(options)))
  each('uninstall', 'takes them out again: entries that nobody changed become what they were, byte for byte')
    .addHelpText('after', example('countersign mcp uninstall --yes'))
    .action(async (options) => done(await (await import('./clients/install.ts')).uninstall(options)))
}
