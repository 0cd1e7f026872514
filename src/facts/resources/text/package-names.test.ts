import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imitatedPackage } from './package-names.ts'

const CASES: readonly (readonly [name: string, imitated: string | null])[] = [
  ['reqeusts', 'requests'],
  ['requets', 'requests'],
  ['requestss', 'requests'],
  ['crossenv', 'cross-env'],
  ['loadash', 'lodash'],
  ['lodahs', 'lodash'],
  ['expresss', 'express'],
  ['typscript', 'typescript'],
  ['python-dateutll', 'python-dateutil'],
  ['python_dateutill', 'python-dateutil'],
  ['tensorfow', 'tensorflow'],
  ['Djanga', 'django'],
  ['@anthrpoic/mcp-server', '@anthropic'],
  ['@modelcontextprotocl/sdk', '@modelcontextprotocol'],
  ['@tpyes/node', null],
  ['@typess/node', null],
  // The well-known themselves, and names that merely belong to them.
  ['requests', null],
  ['request', null],
  ['serde_json', null],
  ['serde-json', null],
  ['scikit_learn', null],
  ['cross-env', null],
  ['react-dom', null],
  ['python', null],
  ['unicorn', null],
  ['pyaml', null],
  ['react-domino', null],
  ['lodash.get', null],
  ['@types/node', null],
  ['@anthropic-ai/sdk', null],
  ['@acme/requets', null],
  // Short names lie close to each other.
  ['vue', null],
  ['vite', null],
  ['ws', null],
  ['chalks', null],
  ['', null],
  ['@', null],
  ['./requets', null],
  ['git+https://x.example/requets', null],
  ['x'.repeat(100_000), null],
]

for (const [name, imitated] of CASES)
  test(`${name.slice(0, 40)} imitates ${imitated ?? 'nobody'}`, () => expect(imitatedPackage(name)).toBe(imitated))

test('any swap of neighbours in a well-known name is seen, and never the name itself', () => {
  fc.assert(
    fc.property(fc.constantFrom('requests', 'tensorflow', 'matplotlib', 'typescript', 'cryptography'), fc.nat(20), (name, n) => {
      const at = n % (name.length - 1)
      const swapped = `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}`
      expect(imitatedPackage(swapped)).toBe(swapped === name ? null : name)
    }),
  )
})
