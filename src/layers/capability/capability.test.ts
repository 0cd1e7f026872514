import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { callOf, NOBODY } from '../../../test/support/calls.ts'
import { NOTE } from '../../../test/support/records.ts'
import { newStateDirectory } from '../../../test/support/state-base.ts'
import { auditVerify } from '../../audit/log.ts'
import { COMPILE } from '../../cli/open.ts'
import type { ToolCall } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Asked, addGrant, GrantError, takeBack } from '../../grants/mint.ts'
import { readGrants } from '../../grants/store.ts'
import { openGate } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { sha256 } from '../../policy/file.ts'
import type { Policy } from '../../policy/policy.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { type EmbeddedStore, openStore } from '../../store/sqlite/open.ts'
import { createFixedView } from '../../view/fixed.ts'

let home: string
let store: EmbeddedStore
beforeEach(() => {
  home = newStateDirectory()
  store = openStore({ directory: home })
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true, force: true })
})

const SEVEN = 'git:push, npm:publish, pypi:publish, gh:release, gh:pr-create, gh:repo-edit, pages:deploy'
const BASE = 'version: 1\ntool_families: [claude-code, mcp-github]\nhazards: { packs: [] }\n'

interface Setting {
  /** The `capabilities` section; null: none. */
  readonly section?: string | null
  /** Content of `capabilities.json`. */
  readonly manifest?: string
}

const COMPILED = new Map<string, Policy>()

function policyOf(setting: Setting): Policy {
  const key = JSON.stringify([setting.section === undefined, setting.section, setting.manifest])
  const known = COMPILED.get(key) ?? compile(setting)
  COMPILED.set(key, known)
  return known
}

function compile({ section = `gate: [${SEVEN}]`, manifest }: Setting): Policy {
  const text = section === null ? BASE : `${BASE}capabilities: { ${section} }\n`
  const readFile = () => (manifest === undefined ? { problem: 'there is no such file' } : { text: manifest })
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256, readFile })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  return compiled.policy
}

const WORLD = {
  home: '/home/user',
  cwd: '/home/user/project',
  gate: ['/home/user/.countersign'],
  git: {
    '/home/user/project': {
      top: '/home/user/project',
      branch: 'main',
      remotes: { origin: 'https://git.example/a/b' },
      aliases: { p: 'push' },
    },
  },
}

function call(tool: string, args: JsonObject, principal: Partial<ToolCall['principal']> = {}): ToolCall {
  const made = callOf(tool.split('/').at(-1) ?? '', args, { principal: { ...NOBODY, ...principal }, cwd: WORLD.cwd })
  return tool.includes('/') ? { ...made, tool: { ...made.tool, server: tool.split('/')[0] ?? null } } : made
}
const bash = (command: string): ToolCall => call('Bash', { command })

async function decide(made: ToolCall, setting: Setting = {}) {
  const policy = policyOf(setting)
  const { gate } = openGate({ home, store, policy: () => ({ policy, degraded: null }), view: () => createFixedView(WORLD) })
  const decision = await gate.decide(made)
  const raised = decision.findings.filter((each) => each.layer === 'capability' && each.verdict !== 'allow').map((each) => each.rule)
  return { decision, raised }
}

const raisedBy = async (command: string, setting: Setting = {}) => (await decide(bash(command), setting)).raised

describe('Role OS, with its own file', () => {
  const files = `files: [capabilities.json], gate: [${SEVEN}]`

  proves('ROS-24', 'a gate that is off raises nothing', async () => {
    expect(await raisedBy('git push', { section: null })).toEqual([])
    expect(await raisedBy('git push', { section: 'gate: []' })).toEqual([])
  })
  proves('ROS-25', 'without a grant a gated action is denied', async () => {
    expect(await raisedBy('npm publish --access public')).toEqual(['npm:publish'])
  })
  proves(['ROS-26a', 'ROS-26b', 'ROS-26c'], 'only `granted: true` grants', async () => {
    for (const [granted, expected] of [
      ['true', []],
      ['false', ['git:push']],
      ['"true"', ['git:push']],
      ['1', ['git:push']],
      ['null', ['git:push']],
    ] as const) {
      expect([granted, await raisedBy('git push', { section: files, manifest: `{"git:push":{"granted":${granted}}}` })]).toEqual([
        granted,
        expected,
      ])
    }
    expect(await raisedBy('git push', { section: files, manifest: '{"git:push":true}' })).toEqual(['git:push'])
  })
  proves(['ROS-27a', 'ROS-27b'], 'what is not gated is left alone', async () => {
    expect((await decide(call('Read', { file_path: 'git push' }))).raised).toEqual([])
    expect(await raisedBy('ls -la && git status')).toEqual([])
  })
  proves(['ROS-28a', 'ROS-28b', 'ROS-28c', 'ROS-28d'], 'flags and directories hide nothing', async () => {
    for (const [command, action] of [
      ['git push -u origin main', 'git:push'],
      ['git -C d push', 'git:push'],
      ['gh release create v1', 'gh:release'],
      ['gh release -R o/r create v1', 'gh:release'],
    ] as const)
      expect([command, await raisedBy(command)]).toEqual([command, [action]])
  })
  proves(
    ['ROS-29a', 'ROS-29b', 'ROS-29c', 'ROS-29d', 'ROS-29e', 'ROS-34', 'ROS-W11'],
    'an end must be a date that is still to come',
    async () => {
      const day = new Date().toISOString().slice(0, 10)
      for (const [expires, held] of [
        ['"2020-01-01"', false],
        ['"2199-01-01"', true],
        ['"soon"', false],
        ['1767225600000', false],
        ['null', false],
        ['true', false],
        // Midnight UTC of today has passed: the grant ended when the day began.
        [`"${day}"`, false],
      ] as const) {
        const manifest = `{"git:push":{"granted":true,"expires":${expires}}}`
        expect([expires, await raisedBy('git push', { section: files, manifest })]).toEqual([expires, held ? [] : ['git:push']])
      }
    },
  )
  proves(['ROS-30a', 'ROS-30b'], 'a malformed or missing file denies what is gated and nothing else', async () => {
    for (const manifest of ['', '{', '[]', 'null', '{"git:push":{"granted":true},"git:push":{"granted":true}}', undefined]) {
      const setting = { section: files, ...(manifest === undefined ? {} : { manifest }) }
      expect(await raisedBy('git push', setting)).toEqual(['git:push'])
      expect(await raisedBy('git status', setting)).toEqual([])
    }
  })
  proves('ROS-33', 'every gated effect needs its own grant', async () => {
    const manifest = '{"npm:publish":{"granted":true}}'
    expect(await raisedBy('npm publish && git push', { section: files, manifest })).toEqual(['git:push'])
    expect(await raisedBy('npm publish && git push --force', { section: files, manifest })).toEqual(['git:push'])
  })
  proves('ROS-W2', 'its scope is enforced, and the file counts only where the policy names it', async () => {
    const manifest = '{"npm:publish":{"granted":true,"scope":"role-os"}}'
    expect(await raisedBy('npm unpublish role-os', { section: files, manifest })).toEqual([])
    expect(await raisedBy('npm unpublish left-pad', { section: files, manifest })).toEqual(['npm:unpublish'])
    expect(await raisedBy('npm unpublish role-os', { manifest })).toEqual(['npm:unpublish'])
  })
})

describe('whichever way', () => {
  proves(['ROS-32a', 'ROS-W4'], 'every evasion is gated, and denied', async () => {
    for (const command of [
      "git pu''sh",
      "g''it push",
      'git $(echo pu)sh',
      'P=push; git $P',
      'git \\\n push',
      "git -c core.x='a;b' push",
      'npm pu\\blish',
      'GIT push',
      'echo Z2l0IHB1c2g= | base64 -d | sh',
      'git send-pack o',
      'git p',
      '$(echo git) push',
      'git -c alias.p=push p',
      '/usr/bin/git push',
      'git\tpush',
    ]) {
      const { decision, raised } = await decide(bash(command))
      expect([command, raised.length > 0, decision.decision]).toEqual([command, true, expect.stringMatching(/^(?:deny|halt)$/)])
    }
  })
  proves(['ROS-32b', 'ROS-W6'], 'what only mentions it raises nothing here', async () => {
    for (const command of [
      'git stash push',
      'git commit -m "push later"',
      'grep "git push" README',
      'echo npm publish',
      'npm run publish-docs',
    ]) {
      expect([command, await raisedBy(command)]).toEqual([command, []])
    }
  })
  proves('ROS-W5', 'the same effect by another verb needs the same grant', async () => {
    for (const command of [
      'gh api -X POST repos/o/r/releases',
      'gh release upload v1 x',
      'gh release delete v1',
      'npx semantic-release',
      'npx np',
      'lerna publish',
      'bun publish',
      'poetry publish',
      'hatch publish',
      'npm unpublish x',
      'npm deprecate x "old"',
      'npm dist-tag add x@1 latest',
    ]) {
      expect([command, (await raisedBy(command)).length > 0]).toEqual([command, true])
    }
  })
  describe('each of them, by whatever tool', () => {
    const http = (method: string, url: string) => call('net/http_request', { method, url, body: '{}' })
    const run = (text: string) => bash(`python3 -c "import subprocess; subprocess.run(${text.replaceAll('"', "'")})"`)
    const post = (method: string, url: string) => bash(`python3 -c "import requests; requests.${method}('${url}', json={})"`)
    const KIN: readonly (readonly [name: string, ways: readonly ToolCall[]])[] = [
      [
        'git:push',
        [
          bash('git push'),
          run('["git","push"]'),
          call('github/push_files', { owner: 'o', repo: 'r', branch: 'b' }),
          call('zeta/git_push', {}),
          http('PUT', 'https://api.github.com/repos/o/r/contents/x'),
        ],
      ],
      [
        'npm:publish',
        [
          bash('npm publish'),
          run('["npm","publish"]'),
          call('zeta/npm_publish', {}),
          http('PUT', 'https://registry.npmjs.org/x'),
          post('put', 'https://registry.npmjs.org/x'),
        ],
      ],
      [
        'pypi:publish',
        [
          bash('twine upload dist/*'),
          run('["uv","publish"]'),
          call('zeta/pypi_upload', {}),
          http('POST', 'https://upload.pypi.org/legacy/'),
          bash('curl -F content=@x.whl https://upload.pypi.org/legacy/'),
        ],
      ],
      [
        'gh:release',
        [
          bash('gh release create v1'),
          run('["gh","release","create","v1"]'),
          call('github/create_release', { owner: 'o', repo: 'r' }),
          http('POST', 'https://api.github.com/repos/o/r/releases'),
          bash('curl -X POST https://api.github.com/repos/o/r/releases'),
        ],
      ],
      [
        'gh:pr-create',
        [
          bash('gh pr create -f'),
          call('github/create_pull_request', { owner: 'o', repo: 'r' }),
          post('post', 'https://api.github.com/repos/o/r/pulls'),
        ],
      ],
      [
        'gh:repo-edit',
        [bash('gh repo edit o/r --visibility public'), bash('gh repo delete o/r'), http('DELETE', 'https://api.github.com/repos/o/r')],
      ],
      [
        'pages:deploy',
        [bash('npx gh-pages -d dist'), call('zeta/deploy_pages', {}), http('POST', 'https://api.netlify.com/api/v1/sites/1/deploys')],
      ],
      [
        'crates:publish',
        [
          bash('cargo publish'),
          bash('cargo yank x'),
          run('["cargo","publish"]'),
          call('zeta/cargo_publish', {}),
          http('PUT', 'https://crates.io/api/v1/crates/new'),
        ],
      ],
      [
        'gems:publish',
        [
          bash('gem push x.gem'),
          run('["gem","push","x.gem"]'),
          call('zeta/gem_push', {}),
          http('POST', 'https://rubygems.org/api/v1/gems'),
        ],
      ],
      [
        'docker:push',
        [
          bash('docker push a/b'),
          bash('podman push a/b'),
          run('["docker","push","a/b"]'),
          call('zeta/docker_push', {}),
          http('PUT', 'https://ghcr.io/v2/a/b/manifests/1'),
        ],
      ],
      [
        'tf:apply',
        [
          bash('terraform apply -auto-approve'),
          bash('tofu destroy'),
          run('["terraform","apply"]'),
          call('zeta/terraform_apply', {}),
          http('POST', 'https://app.terraform.io/api/v2/runs'),
        ],
      ],
      [
        'k8s:apply',
        [
          bash('kubectl apply -f x.yaml'),
          bash('helm upgrade a b'),
          run('["kubectl","apply","-f","x"]'),
          call('zeta/kubectl_apply', {}),
          http('PATCH', 'https://k.example/apis/apps/v1/namespaces/d/deployments/x'),
        ],
      ],
      [
        'k8s:delete',
        [
          bash('kubectl delete pod x'),
          bash('helm uninstall a'),
          call('zeta/kubectl_delete', {}),
          http('DELETE', 'https://k.example/api/v1/namespaces/d/pods/x'),
        ],
      ],
      [
        'db:migrate',
        [
          bash('npx prisma migrate deploy'),
          bash('alembic upgrade head'),
          run('["rails","db:migrate"]'),
          call('db/run_migration', {}),
          call('zeta/run_migrations', {}),
        ],
      ],
      [
        'mail:send',
        [
          bash('mail -s x a@b.example < y'),
          bash(`python3 -c "import smtplib; smtplib.SMTP('x').sendmail('a','b@c.example','x')"`),
          call('mail/send_email', { to: 'a@b.example' }),
          http('POST', 'https://api.sendgrid.com/v3/mail/send'),
          bash('curl smtp://mail.example --mail-rcpt a@b.example -T x'),
        ],
      ],
      [
        'payment',
        [
          bash('stripe charges create --amount 100'),
          bash('bitcoin-cli sendtoaddress a 1'),
          bash('python3 -c "import stripe; stripe.Charge.create(amount=1)"'),
          call('stripe/create_payment', { amount: 1 }),
          call('zeta/refund_order', { amount: 1 }),
          http('POST', 'https://api.stripe.com/v1/refunds'),
          bash('curl https://api.stripe.com/v1/charges -d amount=1'),
        ],
      ],
      ['deploy', [bash('cdk deploy')]],
    ]
    for (const [name, ways] of KIN) {
      for (const way of ways) {
        const said = way.tool.name === 'Bash' ? String(way.args.command) : `${way.tool.name} ${JSON.stringify(way.args)}`
        proves(['ROS-W3', 'ROS-W5'], `${name}: ${said}`, async () => {
          const gated = await decide(way, { section: `gate: ['${name}']` })
          expect([gated.decision.decision, gated.raised.length > 0]).toEqual(['deny', true])
          const granted = await decide(way, { section: `gate: ['${name}'], grants: { '${name}': { scope: { force: true }, reason: r } }` })
          expect(granted.raised).toEqual([])
        })
      }
    }
  })
  proves('ROS-W3', 'a server that does it needs it, too', async () => {
    const { raised } = await decide(call('github/create_pull_request', { owner: 'o', repo: 'r', title: 't', head: 'h', base: 'main' }))
    expect(raised).toEqual(['gh:pr-create'])
  })
})

describe('grants that people hand out', () => {
  const asked = (parts: Partial<Asked> = {}): Asked => ({
    action: 'git:push',
    scope: {},
    binding: { session: null, role: null, user: null, agent: null },
    notBefore: null,
    expires: null,
    count: null,
    parent: null,
    reason: 'release',
    ...parts,
  })
  const issuer = () => {
    const { current, ring } = loadKeys(home)
    return { store, signer: current, ring, author: 'user:ann', now: Date.now() }
  }
  const grants = () => store.query((tx) => readGrants(tx, loadKeys(home).ring, Date.now()))

  test('a grant for one use lets exactly one of a hundred calls through', async () => {
    await addGrant(asked({ count: 1 }), issuer())
    const decisions = await Promise.all(Array.from({ length: 100 }, () => decide(bash('git push origin main'))))
    const allowed = decisions.filter(({ decision }) => decision.decision === 'allow')
    expect(allowed).toHaveLength(1)
    expect(new Set(decisions.map(({ decision }) => decision.code))).toEqual(
      new Set(
        [allowed[0]?.decision.code, 'capability.spent', 'capability.not_granted'].filter((code) =>
          decisions.some(({ decision }) => decision.code === code),
        ),
      ),
    )
    expect(grants()[0]?.used).toBe(1)
    expect(auditVerify({ directory: home }).ok).toBe(true)
  })
  test('a denied call spends nothing', async () => {
    await addGrant(asked({ action: 'npm:publish', count: 1 }), issuer())
    expect((await decide(bash('npm publish && git push'))).decision.decision).toBe('deny')
    expect(grants()[0]?.used).toBe(0)
    expect((await decide(bash('npm publish'))).decision.decision).toBe('allow')
    expect(grants()[0]?.used).toBe(1)
  })
  test('revoked at once, with what was narrowed from it', async () => {
    const parent = await addGrant(asked({ count: 5 }), issuer())
    const child = await addGrant(
      asked({ parent: parent.id, count: 1, binding: { session: 's-1', role: null, user: null, agent: null } }),
      issuer(),
    )
    expect((await decide(bash('git push'))).decision.decision).toBe('allow')
    expect(grants().map((each) => [each.id === parent.id, each.used])).toEqual(expect.arrayContaining([[true, 1]]))
    await takeBack(parent.id, 'wrong', issuer())
    expect((await decide(bash('git push'))).raised).toEqual(['git:push'])
    await expect(takeBack(parent.id, 'again', issuer())).rejects.toThrow(GrantError)
    await takeBack(child.id, 'too', issuer())
  })
  test('cannot be widened', async () => {
    const parent = await addGrant(asked({ count: 1, scope: { branch: 'agent/x' } }), issuer())
    for (const parts of [{ count: 2 }, { scope: {} }, { action: 'npm:publish' }, { scope: { branch: 'main' } }]) {
      const wider = asked({ count: 1, scope: { branch: 'agent/x' }, parent: parent.id, ...parts })
      await expect(addGrant(wider, issuer())).rejects.toThrow(/wider/)
    }
    await expect(addGrant(asked({ parent: 'gr_none' }), issuer())).rejects.toThrow(/no grant/)
    await expect(addGrant(asked({ action: 'rm' }), issuer())).rejects.toThrow(/no action/)
    await expect(addGrant(asked({ expires: 1 }), issuer())).rejects.toThrow(/end before/)
    expect(grants()).toHaveLength(1)
  })
  test('a row that was not signed by the key grants nothing', async () => {
    await addGrant(asked({ scope: { branch: 'agent/x' } }), issuer())
    const body = JSON.stringify({ ...JSON.parse(String(store.query((tx) => tx.get('SELECT body FROM grants')?.body))), scope: {} })
    await store.run((tx) => tx.run('UPDATE grants SET body = ?', body), NOTE)
    expect(grants()).toEqual([])
    expect((await decide(bash('git push'))).raised).toEqual(['git:push'])
  })
  test('a grant that was taken back cannot be revived by who has no key', async () => {
    const { id } = await addGrant(asked(), issuer())
    await takeBack(id, 'wrong', issuer())
    expect(grants().map((each) => each.revoked)).toEqual([true])
    await store.run((tx) => tx.run('UPDATE grants SET revoked_at = NULL'), NOTE)
    expect(grants().filter((each) => !each.revoked)).toEqual([])
    expect((await decide(bash('git push'))).raised).toEqual(['git:push'])
  })
  test('answers the ask of a hazard about the very effect, and only within its scope', async () => {
    const compiled = compilePolicy('version: 1\ntool_families: [claude-code]\n', { ...COMPILE, path: null, sha256 })
    if (!compiled.ok) throw new Error('the policy does not compile')
    const policy = () => ({ policy: compiled.policy, degraded: null })
    const { gate } = openGate({ home, store, policy, view: () => createFixedView(WORLD) })
    const hazards = (command: string) => gate.decide(bash(command))
    expect((await hazards('npm publish')).decision).toBe('ask')
    await addGrant(asked({ action: 'npm:publish', count: 1 }), issuer())
    const decision = await hazards('npm publish')
    expect([decision.decision, decision.resolutions[0]?.by]).toEqual(['allow', 'grant'])
    expect((await hazards('npm publish')).decision).toBe('ask')
    await addGrant(asked({ scope: { branch: 'agent/*', force: true } }), issuer())
    expect((await hazards('git push --force origin main')).decision).toBe('ask')
    expect((await hazards('git push --force origin agent/x')).decision).not.toBe('ask')
  })
})

describe('grants of the policy', () => {
  test('scope, count and binding hold', async () => {
    const section = `gate: [${SEVEN}], grants: { "git:push": { scope: { branch: main }, count: 2, role: coder, reason: "docs" } }`
    const push = (command: string, role: string | null) => decide(call('Bash', { command }, { role }), { section })
    expect((await push('git push origin main', 'coder')).raised).toEqual([])
    expect((await push('git push origin other', 'coder')).raised).toEqual(['git:push'])
    expect((await push('git push origin main', 'reviewer')).raised).toEqual(['git:push'])
    expect((await push('git push origin main', 'coder')).raised).toEqual([])
    expect((await push('git push origin main', 'coder')).raised).toEqual(['git:push'])
  })
})
