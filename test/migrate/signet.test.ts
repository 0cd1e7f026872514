/** `countersign import signet`: a pipeline file in the seed's own shape decides as the seed's inspector does. */
import { describe, expect, test } from 'vitest'
import { decide, imported } from './harness.ts'

const FILE = `"""A pipeline."""
from signet.checks import ToolCallInspectorCheck, ToolSpec, RiskTier, RateLimitCheck, SandboxPreviewCheck
from signet.core.pipeline import Pipeline

MAIL = ToolSpec(risk_tier=RiskTier.HIGH, irreversible=True, dryrun_supported=False)
READS = {"list_files": ToolSpec(risk_tier=RiskTier.LOW), 'echo': ToolSpec()}

pipeline = Pipeline(checks=[
    RateLimitCheck(capacity=60, refill_per_second=1.0),
    SandboxPreviewCheck(runner=run),
    House(),
    HouseCheck(),
    ToolCallInspectorCheck(
        registry={
            **READS,
            "write_file": ToolSpec(RiskTier.HIGH),            # reversible
            "send_email": MAIL,
            "by_number": ToolSpec(risk_tier=3, irreversible=True),
            "by_name": {"risk_tier": " High ", "irreversible": True},
            "computed": make_spec("x"),
            "lookup": ToolSpec(risk_tier=TIERS["x"]),
            "maybe": ToolSpec(risk_tier=RiskTier.HIGH, irreversible=is_final()),
        },
        max_allowed_tier=RiskTier.HIGH,    # CRITICAL is opt-in only
        allow_critical=False,
        escalation_threshold=RiskTier.HIGH,
    ),
])
READS["late"] = ToolSpec()
`

describe('a pipeline file', () => {
  const file = imported('signet', FILE, 'pipeline.py')

  for (const [tool, want, code] of [
    ['echo', 'allow', 'registry.permitted'],
    ['list_files', 'allow', 'registry.permitted'],
    ['Echo', 'deny', 'registry.unregistered'],
    ['rm_rf', 'deny', 'registry.unregistered'],
    ['write_file', 'allow', 'registry.permitted'],
    ['send_email', 'ask', 'registry.irreversible'],
    ['by_number', 'deny', 'registry.critical'],
    ['by_name', 'ask', 'registry.irreversible'],
    ['computed', 'deny', 'registry.unregistered'],
    ['lookup', 'deny', 'registry.unregistered'],
    ['late', 'deny', 'registry.unregistered'],
    ['maybe', 'ask', 'registry.irreversible'],
  ] as const) {
    test(`${tool}: ${want}`, async () => {
      const { decision, findings } = await decide(file, { tool, args: {} })
      expect([decision, findings.map((finding) => finding.code)]).toEqual([want, expect.arrayContaining([code])])
    })
  }

  test('every line that was not carried over is named', () => {
    expect(file.lines).toEqual([
      '9 RateLimitCheck left',
      '10 SandboxPreviewCheck differs',
      '12 HouseCheck left',
      '20 registry["computed"] left',
      '21 registry["lookup"] left',
      '22 ToolSpec.irreversible left',
      '29 READS left',
    ])
  })
})

describe('the settings of the inspector', () => {
  for (const [title, source, registry, lines] of [
    ['defaults', 'ToolCallInspectorCheck()', { unregistered: 'deny' }, []],
    ['qualified', 'checks.ToolCallInspectorCheck(registry={})', { unregistered: 'deny' }, []],
    ['an open registry', 'ToolCallInspectorCheck(allow_unregistered=True)', { unregistered: 'allow' }, ['1 allow_unregistered differs']],
    [
      'a computed ceiling is the strictest one',
      'ToolCallInspectorCheck(max_allowed_tier=config.ceiling)',
      { unregistered: 'deny', registry: { max_allowed_tier: 'low' } },
      ['1 max_allowed_tier differs'],
    ],
    ['a computed registry', 'ToolCallInspectorCheck(registry=load())', { unregistered: 'deny' }, ['1 registry left']],
    [
      'a registry that is assigned twice',
      'r = {}\nr = {"a": ToolSpec()}\nToolCallInspectorCheck(registry=r)',
      { unregistered: 'deny' },
      ['3 registry left'],
    ],
    [
      'arguments that nobody knows',
      'ToolCallInspectorCheck({}, allow_critical=maybe, **more, colour="red")',
      { unregistered: 'deny' },
      ['1 ToolCallInspectorCheck.** left', '1 ToolCallInspectorCheck.allow_critical left', '1 ToolCallInspectorCheck.colour left'],
    ],
  ] as const) {
    test(title, () => {
      const { data, lines: found } = imported('signet', source)
      expect(data).toEqual({ version: 1, default: 'ask', ...registry })
      expect([...found].sort()).toEqual([...lines].sort())
    })
  }

  for (const [title, args, preview, lines] of [
    ['as it is there by default', 'run', { run: 'always', require_dryrun_supported: true }, []],
    [
      'with its settings',
      'runner=run, only_for_tools=["write_file"], require_dryrun_supported=False, registry=REG',
      { run: 'always', only_for_tools: ['write_file'], require_dryrun_supported: false },
      [],
    ],
    [
      'what cannot be read asks for more',
      'run, require_dryrun_supported=maybe',
      { require_dryrun_supported: true },
      ['require_dryrun_supported left'],
    ],
    ['a policy is code', 'run, is_safe', { run: 'always' }, ['policy left']],
  ] as const) {
    test(`a preview ${title}`, () => {
      const { data, lines: found } = imported('signet', `p = [ToolCallInspectorCheck(registry={}), SandboxPreviewCheck(${args})]`)
      expect(data.preview).toMatchObject(preview)
      expect(found).toEqual(
        expect.arrayContaining(['1 SandboxPreviewCheck differs', ...lines.map((line) => `1 SandboxPreviewCheck.${line}`)]),
      )
      expect(found).toHaveLength(lines.length + 1)
    })
  }

  test('the second of a check is named: the policy has one', () => {
    const tribunal = 'TribunalCheck(judge_a_url="https://a.example/v1", judge_b_url="https://b.example/v1")'
    const checks = ['ToolCallInspectorCheck(registry={})', 'SandboxPreviewCheck(run)', 'SandboxPreviewCheck(run)', tribunal, tribunal]
    const { lines } = imported('signet', `p = [\n${checks.join(',\n')}]`)
    expect(lines).toEqual([
      '3 SandboxPreviewCheck differs',
      '4 SandboxPreviewCheck left',
      '5 TribunalCheck differs',
      '6 TribunalCheck left',
    ])
  })

  test('a tribunal becomes two judges that every call must pass', async () => {
    const file = imported(
      'signet',
      'p = [ToolCallInspectorCheck(registry={"echo": ToolSpec()}), TribunalCheck(judge_a_url="https://a.example/v1", judge_b_url="https://b.example/v1", judge_b_model="guard", timeout_seconds=5)]',
    )
    expect(file.data).toMatchObject({
      judges: {
        'judge-a': { provider: 'openai', url: 'https://a.example/v1' },
        'judge-b': { provider: 'openai', model: 'guard' },
        tribunal: { judges: ['judge-a', 'judge-b'], timeout_seconds: 5 },
      },
      tool_validation: [{ type: 'semantic', judge_agent: 'tribunal' }],
    })
  })

  for (const [title, source] of [
    ['nothing to import', 'x = 1'],
    ['no Python', 'def ('],
    ['two inspectors', 'ToolCallInspectorCheck()\nToolCallInspectorCheck()'],
  ] as const) {
    test(`${title} is refused`, () => expect(() => imported('signet', source)).toThrow())
  }
})
