/**
 * The examples of the documents, as they stand there, for each way in: the hook is in quickstart.test.ts, the library in
 * library.test.ts; here are the README's, decisions over HTTP, the MCP proxy and the model API proxy (PIT-3).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { generateText, type LanguageModel } from 'ai'
import OpenAI from 'openai'
import { afterEach, describe, expect, onTestFinished, vi } from 'vitest'
import { CLI, cli, makeHome, ROOT } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { proxyBench } from '../support/model-proxy.ts'
import { scripted } from '../support/model-turns-more.ts'

const page = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The first block of a page that holds the words. */
function block(path: string, words: string): string {
  const found = [...page(path).matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, text = '']) => text).find((text) => text.includes(words))
  if (found === undefined) throw new Error(`no block of ${path} has \`${words}\``)
  return found
}

function shell(command: string, environment: Readonly<Record<string, string>>, cwd = ROOT): Promise<string> {
  const child = spawn('/bin/sh', ['-c', command], { cwd, env: environment })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  return new Promise((resolve) => child.once('close', () => resolve(printed)))
}

function home() {
  const made = makeHome()
  onTestFinished(made.remove)
  return made
}

/** Runs until it has printed the words, and is ended with the test. */
function started(args: readonly string[], words: RegExp, environment: Readonly<Record<string, string>>): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [CLI, ...args], { env: environment })
  onTestFinished(() => void child.kill())
  let printed = ''
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      printed += chunk.toString()
      if (words.test(printed)) resolve(printed)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', () => reject(new Error(printed)))
  })
}

describe('the README', () => {
  proves('PIT-3', 'what a command does, as it says there', async () => {
    const [command = '', ...lines] = block('README.md', 'effects --text').trimEnd().split('\n')
    const { environment, user } = home()
    // From a directory without a repository: what `origin` is belongs to whoever cloned this one.
    const typed = command.replace(/^\$ /, '').replace('./bin/', join(ROOT, 'bin/'))
    expect(await shell(typed, environment, user)).toBe(`${lines.join('\n')}\n`)
  })
})

describe('decisions over HTTP', () => {
  proves('PIT-3', 'the call of the page is decided', async () => {
    const { environment, state } = home()
    await started(['serve', '--no-listen'], /answers at/, environment)
    const command = block('docs/guide/server.md', 'gate.sock http://localhost/v1/decisions').replace(/^\$ /, '')
    const said = JSON.parse(await shell(command.replace('~/.countersign', state), environment)) as { readonly decision: string }
    expect(said.decision).toBe('ask')
  })
})

describe('the MCP proxy', () => {
  proves('PIT-3', 'the server of the page is reached through it, and its calls are decided', async () => {
    const made = home()
    const { environment, user } = made
    const { mcpServers } = JSON.parse(block('docs/guide/mcp.md', '"mcp", "--name"')) as {
      readonly mcpServers: { readonly files: { readonly command: string; readonly args: readonly string[] } }
    }
    const { command, args } = mcpServers.files
    expect(command).toBe('countersign')
    const at = args.indexOf('npx')
    const server = [process.execPath, join(ROOT, 'node_modules', args[at + 2] ?? '', 'dist/index.js'), user]
    const client = new Client({ name: 'a-client', version: '1' })
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [CLI, ...args.slice(0, at), ...server], env: environment }),
    )
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read_text_file')
    const result = await client.callTool({ name: 'list_directory', arguments: { path: user } })
    expect(JSON.stringify(result)).toContain('.countersign')
    const records = cli(made, ['audit', 'tail', '--json']).stdout
    expect(records).toContain('list_directory')
  })
})

describe('the model API proxy', () => {
  const text = page('docs/guide/model-proxy.md')
  const shown = 'http://127.0.0.1:7434'
  afterEach(() => vi.unstubAllEnvs())

  proves('PIT-3', 'its command says where it answers', async () => {
    const [command = '', line = ''] = block('docs/guide/model-proxy.md', 'proxy --upstream').trimEnd().split('\n')
    const args = command.replace('./bin/countersign ', '').split(' ')
    const printed = await started([...args, '--listen', '127.0.0.1:0'], /answers at .*\n/, home().environment)
    expect(printed.replace(/:\d+\n/, ':7434\n')).toContain(line)
  })

  const variable = (name: string): string => new RegExp(`\`${name}=(\\S+?)\``).exec(text)?.[1] ?? 'missing'
  const base = (name: string): string => new RegExp(`${name}\\(\\{ baseURL: '([^']+)'`).exec(text)?.[1] ?? 'missing'
  const said = async (model: LanguageModel): Promise<string> =>
    (await generateText({ model, prompt: 'x', maxRetries: 0, maxOutputTokens: 100 })).text

  const clients: Readonly<
    Record<
      string,
      readonly ['anthropic' | 'chat' | 'responses' | 'gemini', (url: (shown: string) => string) => Promise<string | null | undefined>]
    >
  > = {
    'Anthropic SDK': [
      'anthropic',
      async (url) => {
        vi.stubEnv('ANTHROPIC_BASE_URL', url(variable('ANTHROPIC_BASE_URL')))
        const message = await new Anthropic({ apiKey: 'k' }).messages.create({
          model: 'm',
          max_tokens: 9,
          messages: [{ role: 'user', content: 'x' }],
        })
        return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      },
    ],
    'OpenAI SDK, chat completions': [
      'chat',
      async (url) => {
        vi.stubEnv('OPENAI_BASE_URL', url(variable('OPENAI_BASE_URL')))
        const { choices } = await new OpenAI({ apiKey: 'k' }).chat.completions.create({
          model: 'm',
          messages: [{ role: 'user', content: 'x' }],
        })
        return choices[0]?.message.content
      },
    ],
    'OpenAI SDK, responses': [
      'responses',
      async (url) => {
        vi.stubEnv('OPENAI_BASE_URL', url(variable('OPENAI_BASE_URL')))
        return (await new OpenAI({ apiKey: 'k' }).responses.create({ model: 'm', input: 'x' })).output_text
      },
    ],
    'Google Gen AI SDK': [
      'gemini',
      async (url) => {
        vi.stubEnv('GOOGLE_GEMINI_BASE_URL', url(variable('GOOGLE_GEMINI_BASE_URL')))
        return (await new GoogleGenAI({ apiKey: 'k' }).models.generateContent({ model: 'm', contents: 'x' })).text
      },
    ],
    'AI SDK, Anthropic': ['anthropic', (url) => said(createAnthropic({ apiKey: 'k', baseURL: url(base('createAnthropic')) })('m'))],
    'AI SDK, OpenAI': ['responses', (url) => said(createOpenAI({ apiKey: 'k', baseURL: url(base('createOpenAI')) })('m'))],
    'AI SDK, Google': [
      'gemini',
      (url) => said(createGoogleGenerativeAI({ apiKey: 'k', baseURL: url(base('createGoogleGenerativeAI')) })('m')),
    ],
  }

  for (const [title, [api, ask]] of Object.entries(clients)) {
    proves('PIT-3', `${title}: what the page says to set is enough`, async () => {
      const bench = await proxyBench()
      bench.answer(scripted(api, false, [{ text: 'Sunny.' }]))
      expect(await ask((given) => given.replace(shown, bench.url))).toBe('Sunny.')
      expect(bench.asked).toHaveLength(1)
    })
  }
})
