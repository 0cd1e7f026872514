/** A home with a gate in it, and the real gate over it, for suites that try ways around it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { COMPILE } from '../../src/cli/open.ts'
import type { Decision } from '../../src/core/decision.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { DEFAULT_POLICY } from '../../src/policy/default.ts'
import { sha256 } from '../../src/policy/file.ts'
import { createNodeView } from '../../src/view/node.ts'

/** Everything that a policy can loosen, loosened. */
const LOOSE = `version: 1
mode: shadow
default: ask
unregistered: allow
tool_families: [claude-code, mcp-filesystem]
hazards: { packs: [] }
rules:
  allow: [{ tool: "*", reason: anything goes }]
`

export interface Machine {
  readonly home: string
  readonly repository: string
  /** The verdict under the policy that ships, and under one that loosens everything; `protected` where the gate protects itself. */
  readonly verdicts: (tool: string, args: object) => Promise<readonly [shipped: string, loose: string]>
  readonly put: (file: string, text: string) => void
  readonly remove: () => void
}

/** Files by their names below the home. */
export function machine(files: Readonly<Record<string, string>>): Machine {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'cs-machine-')))
  const repository = join(home, 'repository')
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), text)
  }
  put('repository/.git/HEAD', 'ref: refs/heads/main\n')
  put('.countersign/countersign.yaml', 'x')
  for (const [file, text] of Object.entries(files)) put(file, text)
  const gates = [DEFAULT_POLICY, LOOSE].map((text) => gateUnder(text, home))
  const verdicts = async (tool: string, args: object): Promise<readonly [string, string]> => {
    const read = callFromJson({ tool, args, cwd: repository, session: 's' } as never, { digester })
    if (!read.ok) throw new Error(read.refusal.message)
    const [shipped, loose] = await Promise.all(gates.map((gate) => gate.decide(read.call)))
    return [said(shipped), said(loose)]
  }
  return { home, repository, verdicts, put, remove: () => rmSync(home, { recursive: true, force: true }) }
}

function gateUnder(text: string, home: string) {
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const { policy } = compiled
  const environment = { HOME: home, PATH: process.env.PATH, COUNTERSIGN_HOME: join(home, '.countersign') }
  return openGate({
    home: join(home, '.countersign'),
    record: false,
    policy: () => ({ policy, degraded: null }),
    view: ({ cwd }) => createNodeView({ cwd, home, environment, gate: [join(home, '.countersign')] }),
  }).gate
}

function said(decision: Decision | undefined): string {
  if (decision === undefined) return 'nothing'
  const own = decision.findings.some(({ code }) => code === 'integrity.self_protection')
  return decision.decision === 'deny' && own ? 'protected' : decision.decision
}
