/** Servers with the tools of the reference servers for git and fetch, on the official SDK: git really runs, pages come from `PAGES`. */
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

type Args = Record<string, unknown>
interface Tool {
  readonly description: string
  readonly properties: Readonly<Record<string, object>>
  readonly run: (args: Args) => string | Promise<string>
}

const text = { type: 'string' }
const repository = { repo_path: text }
const git =
  (...words: readonly string[]) =>
  ({ repo_path: path }: Args): string =>
    execFileSync('git', ['-C', String(path), ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const listed = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const GIT: Readonly<Record<string, Tool>> = {
  git_status: { description: 'Shows the working tree status', properties: repository, run: git('status') },
  git_diff_unstaged: {
    description: 'Shows changes in the working directory that are not yet staged',
    properties: repository,
    run: git('diff'),
  },
  git_diff_staged: { description: 'Shows changes that are staged for commit', properties: repository, run: git('diff', '--cached') },
  git_diff: {
    description: 'Shows differences between branches or commits',
    properties: { ...repository, target: text },
    run: (args) => git('diff', '--end-of-options', String(args.target))(args),
  },
  git_commit: {
    description: 'Records changes to the repository',
    properties: { ...repository, message: text },
    run: (args) => git('commit', '-m', String(args.message))(args),
  },
  git_add: {
    description: 'Adds file contents to the staging area',
    properties: { ...repository, files: { type: 'array', items: text } },
    run: (args) => git('add', '--', ...listed(args.files))(args),
  },
  git_reset: { description: 'Unstages all staged changes', properties: repository, run: git('reset') },
  git_log: {
    description: 'Shows the commit logs',
    properties: { ...repository, max_count: { type: 'integer' } },
    run: (args) => git('log', `-${Number(args.max_count ?? 10)}`)(args),
  },
  git_create_branch: {
    description: 'Creates a new branch from an optional base branch',
    properties: { ...repository, branch_name: text },
    run: (args) => git('branch', '--', String(args.branch_name))(args),
  },
  git_checkout: {
    description: 'Switches branches',
    properties: { ...repository, branch_name: text },
    run: (args) => git('checkout', String(args.branch_name))(args),
  },
  git_show: {
    description: 'Shows the contents of a commit',
    properties: { ...repository, revision: text },
    run: (args) => git('show', '--end-of-options', String(args.revision))(args),
  },
  git_branch: { description: 'List Git branches', properties: { ...repository, branch_type: text }, run: git('branch', '-a') },
}

const FETCH: Readonly<Record<string, Tool>> = {
  fetch: {
    description: 'Fetches a URL from the internet and optionally extracts its contents as markdown.',
    properties: {
      url: { ...text, format: 'uri' },
      max_length: { type: 'integer' },
      start_index: { type: 'integer' },
      raw: { type: 'boolean' },
    },
    run: async ({ url }) => {
      const { hostname, pathname } = new URL(String(url))
      return (await fetch(`${process.env.PAGES}/${hostname}${pathname}`)).text()
    },
  },
}

const server = new McpServer({ name: 'project', version: '1' })
for (const [name, { description, properties, run }] of Object.entries(process.argv[2] === 'git' ? GIT : FETCH))
  server.registerTool(name, { description, inputSchema: fromJsonSchema<Args>({ type: 'object', properties }) }, async (args) => {
    appendFileSync(process.env.MARKER ?? '', `${name} ${JSON.stringify(args)}\n`)
    return { content: [{ type: 'text', text: await run(args) }] }
  })
serveStdio(() => server)
