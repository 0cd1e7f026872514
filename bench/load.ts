/** How long a policy takes from its text to being in force: 10 to 10,000 rules, with and without conditions. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cli, makeHome } from '../test/hosts/harness.ts'
import { policyOf } from './gates.ts'
import { type Report, SAMPLE_COLUMNS, sample, sampleRows, summary } from './measure.ts'
import { makeRules, policyText } from './rules.ts'

/** Times in microseconds like everywhere else; the aim is a second for the largest. */
export async function load(): Promise<readonly Report[]> {
  const samples = []
  for (const size of [10, 100, 1_000, 10_000]) {
    const text = policyText(makeRules(size))
    samples.push(
      await sample(
        `${size.toLocaleString('en')} rules, ${(text.length / 1024).toFixed(0)} KiB`,
        { count: 40, milliseconds: 6_000, warm: 3 },
        () => policyOf(text),
      ),
    )
  }
  const conditions = withConditions(1_000)
  samples.push(await sample('1,000 rules with a condition each', { count: 20, milliseconds: 6_000, warm: 2 }, () => policyOf(conditions)))
  const warm = {
    title: 'Policy load: text to compiled, checked and indexed',
    columns: SAMPLE_COLUMNS,
    rows: sampleRows(samples),
    notes: [],
  }
  return [warm, cold()]
}

const ROUNDS = 12

/** `policy lint` as a process of its own: starting Node, reading the file, loading it once, saying so. */
function cold(): Report {
  const home = makeHome()
  try {
    const sizes = [10, 10_000]
    const times = sizes.map((size): number[] => {
      const path = join(home.user, `${size}.yaml`)
      writeFileSync(path, policyText(makeRules(size)))
      return Array.from({ length: ROUNDS }, () => {
        const started = performance.now()
        const { status, stderr } = cli(home, ['policy', 'lint', path])
        if (status !== 0) throw new Error(`${stderr}\nrun \`npm run build\` first`)
        return (performance.now() - started) * 1000
      })
    })
    const rows = sampleRows(sizes.map((size, at) => summary(`${size.toLocaleString('en')} rules`, times[at] ?? [])))
    const notes = ['The first row is what starting costs; the difference is the policy. Nothing is warm: each process loads it once.']
    return { title: 'Policy load, cold: `policy lint` in a process of its own', columns: SAMPLE_COLUMNS, rows, notes }
  } finally {
    home.remove()
  }
}

function withConditions(count: number): string {
  const rules = Array.from(
    { length: count },
    (_, i) =>
      `    - { tool: "tool_${i % 500}", when: 'effects.exists(e, e.verb == "send" && e.target.value.endsWith("@team-${i}.example"))', reason: bench }`,
  )
  const tools = Array.from({ length: 500 }, (_, i) => `  tool_${i}: { risk_tier: low }`)
  return ['version: 1', 'default: ask', 'tools:', ...tools, 'rules:', '  ask:', ...rules, ''].join('\n')
}
