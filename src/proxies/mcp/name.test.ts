import { describe, expect, test } from 'vitest'
import { identityOfCommand, nameOfCommand, nameOfUrl } from './name.ts'

describe('the name of a server', () => {
  for (const [line, name] of [
    ['npx -y @modelcontextprotocol/server-filesystem /data', 'filesystem'],
    ['npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /data', 'filesystem'],
    ['/usr/lib/node-v20/bin/node /x/node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio', 'everything'],
    ['uvx mcp-server-git --repository .', 'git'],
    ['docker run -i --rm -e GITHUB_TOKEN mcp/github', 'github'],
    ['docker run -i --rm ghcr.io/github/github-mcp-server:latest', 'github'],
    ['npm exec @playwright/mcp@latest', 'playwright'],
    ['python -m mcp_server_fetch', 'fetch'],
    ['node /home/me/tools/payments/dist/index.js', 'payments'],
    ['/opt/slack-mcp-server', 'slack'],
    ['node', 'node'],
  ] as const) {
    test(line, () => expect(nameOfCommand(line.split(' '))).toBe(name))
  }
  for (const [url, name] of [
    ['https://mcp.linear.app/sse', 'linear'],
    ['https://api.githubcopilot.com/mcp/', 'githubcopilot'],
    ['http://127.0.0.1:3000/mcp', '127.0.0.1'],
    ['http://localhost:3000/files/mcp', 'files'],
    ['http://localhost:3000/mcp', 'localhost'],
  ] as const) {
    test(url, () => expect(nameOfUrl(new URL(url))).toBe(name))
  }
})

describe('what a command runs', () => {
  for (const [line, identity] of [
    ['npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /data', 'npx @modelcontextprotocol/server-filesystem'],
    ['npx -y @modelcontextprotocol/server-filesystem /other', 'npx @modelcontextprotocol/server-filesystem'],
    ['docker run -i --rm -e TOKEN mcp/github:1.2', 'docker mcp/github'],
    ['/usr/bin/node ./dist/payments.js --key secret', 'node /repo/dist/payments.js'],
    ['node payments.js', 'node /repo/payments.js'],
    ['/opt/slack-mcp-server --token x', '/opt/slack-mcp-server'],
  ] as const) {
    test(line, () => expect(identityOfCommand(line.split(' '), '/repo')).toBe(identity))
  }
})
