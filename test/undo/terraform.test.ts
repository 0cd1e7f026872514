/**
 * The state of a Terraform workspace, kept and put back: by a real client where there is one, and everywhere by a program that speaks its command
 * line, with the rules of the real one for lineages and serials.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openGate } from '../../src/open.ts'
import { captureIn, openCaptures } from '../../src/undo/captures.ts'
import { exportKept } from '../../src/undo/export.ts'
import { keepCurrent, stepsOf, take, type UndoParts } from '../../src/undo/undo.ts'
import { bash } from '../support/calls.ts'
import { revealed } from '../support/private-store.ts'
import { temporaryDirectory } from '../support/records.ts'
import { policyOf } from '../support/workplace.ts'

const POLICY = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n'

/** The parts of the command line that are asked for; the rest is an error, as at the real one. In Perl, which starts in a fifth of Node's time. */
const CLIENT = String.raw`#!/usr/bin/env perl
use strict;
my @words = grep { $_ ne '-auto-approve' } @ARGV;
sub fail { print STDERR "$_[0]\n"; exit 1 }
if (@words && $words[0] =~ /^-chdir=(.*)/s) { chdir $1 or fail("no directory $1"); shift @words }
sub text { open my $from, '<', $_[0] or return undef; local $/; return scalar <$from> }
my $at = text('workspace') // 'default';
my $file = "$at.tfstate";
my $state = text($file);
sub write_state { open my $to, '>', $file or fail("$file: $!"); print $to $_[0] and close $to or fail("$file: $!") }
sub field { my ($of, $name) = @_; $of =~ /"$name"\s*:\s*(?:"([^"]*)"|(\d+))/ or fail("the state has no $name"); return $1 // $2 }
sub next_state {
  my $changed = shift;
  defined $state or fail('there is no state');
  $state =~ s/("serial"\s*:\s*)(\d+)/$1 . ($2 + 1)/e or fail('the state has no serial');
  $state =~ s/("resources"\s*:\s*\[)(.*?)\]/$1 . join(',', $changed->(split ',', $2)) . ']'/se or fail('the state has no resources');
  write_state($state);
}
my $line = join ' ', @words;
if ($line eq 'workspace show') { print "$at\n" }
elsif ($line eq 'state pull') { print $state // '' }
elsif ($line eq 'state push -') {
  my $given = do { local $/; <STDIN> };
  my ($lineage, $serial) = (field($given, 'lineage'), field($given, 'serial'));
  fail(qq(cannot import state with lineage "$lineage")) if defined $state && $lineage ne field($state, 'lineage');
  fail("cannot import state with serial $serial over newer state") if defined $state && $serial < field($state, 'serial');
  write_state($given);
}
elsif ($line =~ /^state rm (.*)/s) { my $name = $1; next_state(sub { grep { !/"name"\s*:\s*"\Q$name\E"/ } @_ }) }
elsif ($line eq 'apply') { next_state(sub { @_, '{"name":"new"}' }) }
elsif ($line eq 'destroy') { next_state(sub { () }) }
else { fail("unknown: $line") }
`

function place(client: 'terraform' | 'tofu' | 'terragrunt', section = 'undo: {}\n') {
  const root = realpathSync(temporaryDirectory())
  const [bin, work, home] = [join(root, 'bin'), join(root, 'work'), join(root, 'home')]
  for (const directory of [bin, join(work, 'infra')]) mkdirSync(directory, { recursive: true })
  writeFileSync(join(bin, client), CLIENT, { mode: 0o755 })
  const path = process.env.PATH ?? ''
  process.env.PATH = `${bin}:${path}`
  onTestFinished(() => {
    process.env.PATH = path
  })
  const file = join(work, 'infra/default.tfstate')
  const set = (change: object = {}) =>
    writeFileSync(
      file,
      JSON.stringify({ version: 4, serial: 7, lineage: 'l-1', outputs: {}, resources: [{ name: 'a' }, { name: 'b' }], ...change }),
    )
  set()
  const { gate, close } = openGate({ home, policy: () => ({ policy: policyOf(`${POLICY}${section}`), degraded: null }) })
  onTestFinished(() => close())
  const parts: UndoParts = { store: openCaptures(home), ways: null, now: Date.now, variable: () => null }
  return {
    home,
    work,
    parts,
    set,
    state: () => JSON.parse(readFileSync(file, 'utf8')) as { readonly serial: number; readonly resources: readonly object[] },
    decide: (command: string) => gate.decide(bash(command, { cwd: work, session: null })),
    run: (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: work }),
    plan: async (id: unknown) => stepsOf(captureIn(parts.store.read(String(id)) ?? ''), parts),
  }
}

const WAY = (name: string) => [{ name, exercised: name === 'terraform:state' }]

describe.each(['terraform', 'tofu', 'terragrunt'] as const)('%s', (client) => {
  test.each([`${client} -chdir=infra state rm a`, `cd infra && ${client} state rm a`])(
    '%s is taken back, and that as well',
    async (command) => {
      const { state, decide, run, plan, parts } = place(client)
      const { decision, undo } = await decide(command)
      expect([decision, undo?.ways]).toEqual(['allow', WAY('terraform:state')])
      await run(command)
      expect(state()).toMatchObject({ serial: 8, resources: [{ name: 'b' }] })
      const steps = await plan(undo?.id)
      expect(steps.map(({ lines, problem }) => [lines, problem])).toEqual([[[`${client} state push -`], null]])
      const [current] = await keepCurrent(steps, parts)
      for (const step of steps) expect(await take(step, parts)).toEqual([])
      expect(state()).toMatchObject({ serial: 9, resources: [{ name: 'a' }, { name: 'b' }] })
      expect((await plan(undo?.id)).map(({ lines }) => lines)).toEqual([[]])
      const again = await stepsOf({ id: 'und_1', at: 0, until: 0, cwd: null, ways: current === undefined ? [] : [current] }, parts)
      for (const step of again) expect(await take(step, parts)).toEqual([])
      expect(state()).toMatchObject({ serial: 10, resources: [{ name: 'b' }] })
    },
  )
})

test('what was applied is a person`s to take back, who is told where the state of before lies', async () => {
  const { home, work, parts, decide, run, plan } = place('terraform')
  const { decision, undo } = await decide('terraform -chdir=infra apply -auto-approve')
  expect([decision, undo?.ways]).toEqual(['allow', WAY('terraform:apply')])
  await run('terraform -chdir=infra apply -auto-approve')
  const [step] = await plan(undo?.id)
  expect(step?.problem).toMatch(/the state of before: `countersign undo <id> --export <directory>`$/)
  const [file = ''] = exportKept(captureIn(parts.store.read(String(undo?.id)) ?? ''), join(work, 'out'), parts.store.vault)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ serial: 7, resources: [{ name: 'a' }, { name: 'b' }] })
  expect(revealed(home, ['resources', 'default.tfstate'])).toEqual([])
})

const REAL = ['terraform', 'tofu'].filter((client) => spawnSync(client, ['version'], { env: settings() }).status === 0)

/** Nothing of whoever runs the tests, and no question to the network: the resources are the client's own. */
function settings(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: '/', TF_CLI_CONFIG_FILE: '/dev/null', CHECKPOINT_DISABLE: '1' }
}

const CONFIGURATION = 'resource "terraform_data" "a" { input = "one" }\nresource "terraform_data" "b" { input = "two" }\n'

describe.each(REAL)('a real %s', (client) => {
  function stack() {
    const work = realpathSync(temporaryDirectory())
    const home = temporaryDirectory()
    writeFileSync(join(work, 'main.tf'), CONFIGURATION)
    const before = { ...process.env }
    Object.assign(process.env, { TF_CLI_CONFIG_FILE: '/dev/null', CHECKPOINT_DISABLE: '1' })
    onTestFinished(() => {
      for (const name of ['TF_CLI_CONFIG_FILE', 'CHECKPOINT_DISABLE']) delete process.env[name]
      Object.assign(process.env, before)
    })
    const run = async (command: string) => (await promisify(execFile)('sh', ['-c', command], { cwd: work })).stdout
    const { gate, close } = openGate({ home, policy: () => ({ policy: policyOf(`${POLICY}undo: {}\n`), degraded: null }) })
    onTestFinished(() => close())
    const parts: UndoParts = { store: openCaptures(home), ways: null, now: Date.now, variable: () => null }
    return {
      parts,
      run,
      decide: (command: string) => gate.decide(bash(command, { cwd: work, session: null })),
      plan: async (id: unknown) => stepsOf(captureIn(parts.store.read(String(id)) ?? ''), parts),
      /** What the state says that there is, without the count of states. */
      resources: async () => (JSON.parse(await run(`${client} state pull`)) as { readonly resources: unknown }).resources,
    }
  }

  test.each([
    `${client} state rm terraform_data.a`,
    `${client} state mv terraform_data.a terraform_data.c`,
    `${client} taint terraform_data.b`,
  ])(
    '%s is taken back, and that as well',
    async (command) => {
      const { parts, run, decide, plan, resources } = stack()
      await run(`${client} init && ${client} apply -auto-approve`)
      const before = await resources()
      const { decision, undo } = await decide(command)
      expect([decision, undo?.ways]).toEqual(['allow', WAY('terraform:state')])
      await run(command)
      const after = await resources()
      expect(after).not.toEqual(before)
      const steps = await plan(undo?.id)
      const [current] = await keepCurrent(steps, parts)
      for (const step of steps) expect([step.problem, await take(step, parts)]).toEqual([null, []])
      expect(await resources()).toEqual(before)
      const again = await stepsOf({ id: 'und_1', at: 0, until: 0, cwd: null, ways: current === undefined ? [] : [current] }, parts)
      for (const step of again) expect(await take(step, parts)).toEqual([])
      expect(await resources()).toEqual(after)
    },
    30_000,
  )

  test('the state of before an apply is kept, and a person goes the way back', async () => {
    const { parts, run, decide, plan, resources } = stack()
    await run(`${client} init && ${client} apply -auto-approve`)
    const before = await resources()
    await run('printf \'resource "terraform_data" "new" {}\\n\' >> main.tf')
    const { undo } = await decide(`${client} apply -auto-approve`)
    expect(undo?.ways).toEqual(WAY('terraform:apply'))
    await run(`${client} apply -auto-approve`)
    expect((await plan(undo?.id)).map(({ problem }) => problem)).toEqual([expect.stringContaining('a person has to do it')])
    const [file = ''] = exportKept(captureIn(parts.store.read(String(undo?.id)) ?? ''), temporaryDirectory(), parts.store.vault)
    expect((JSON.parse(readFileSync(file, 'utf8')) as { readonly resources: unknown }).resources).toEqual(before)
  }, 30_000)
})

test('a state that was changed where it lies is not pushed', async () => {
  const { home, decide, run, plan } = place('terraform')
  const { undo } = await decide('terraform -chdir=infra state rm a')
  await run('terraform -chdir=infra state rm a')
  const blobs = join(home, 'undo/blobs')
  const [name = ''] = readdirSync(blobs)
  const bytes = readFileSync(join(blobs, name))
  bytes[40] = (bytes[40] ?? 0) ^ 1
  writeFileSync(join(blobs, name), bytes)
  expect((await plan(undo?.id)).map(({ problem }) => problem)).toEqual(['what was kept of it is damaged'])
})

describe('a stack that is destroyed', () => {
  const COMMANDS = [
    ['terraform', 'terraform -chdir=infra destroy -auto-approve'],
    ['terraform', 'cd infra && terraform apply -destroy -auto-approve'],
    ['tofu', 'cd infra && tofu destroy -auto-approve'],
    ['terragrunt', 'terragrunt destroy -auto-approve --terragrunt-working-dir infra'],
    ['terragrunt', 'terragrunt --working-dir infra destroy -auto-approve'],
  ] as const
  test.each(COMMANDS)('by %s has no way back, and is asked about: %s', async (client, command) => {
    const { decide } = place(client)
    expect(await decide(command)).toMatchObject({ decision: 'ask', code: 'undo.no_way_back' })
  })

  test.each(COMMANDS)(
    'by %s where the policy does not ask has its state kept, and says that this brings nothing back: %s',
    async (client, command) => {
      const { home, work, parts, decide, plan } = place(client, 'undo: { require_way_back: false }\n')
      const { decision, undo } = await decide(command)
      expect([decision, undo?.ways, undo?.no_way_back]).toEqual(['allow', WAY('terraform:destroy'), ['tf:destroy']])
      expect((await plan(undo?.id)).map(({ problem }) => problem)).toEqual([
        expect.stringMatching(
          /^nothing brings back what was destroyed; a person .* the state of before: `countersign undo <id> --export <directory>`$/,
        ),
      ])
      const [file = ''] = exportKept(captureIn(parts.store.read(String(undo?.id)) ?? ''), join(work, 'out'), parts.store.vault)
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ serial: 7, resources: [{ name: 'a' }, { name: 'b' }] })
      expect(revealed(home, ['resources', 'default.tfstate'])).toEqual([])
    },
  )

  test.each([
    'terragrunt run-all destroy',
    'terragrunt run --all destroy',
    'terragrunt destroy --all',
    'terragrunt destroy-all',
    'pulumi destroy --yes',
  ])('in several directories, or by another client, has nothing kept: %s', async (command) => {
    const { undo } = await place('terragrunt', 'undo: { require_way_back: false }\n').decide(command)
    expect(undo).toEqual({ id: null, ways: [], no_way_back: [expect.stringMatching(/:destroy$/)] })
  })

  test.each([
    'terraform destroy -state=other.tfstate',
    'TF_WORKSPACE=x terraform -chdir=infra destroy',
    'terraform -chdir="$X" destroy',
    'terragrunt destroy --terragrunt-config other.hcl',
    'TG_WORKING_DIR=other terragrunt destroy',
  ])('elsewhere than is known before does not run: %s', async (command) => {
    const { decide } = place('terraform', 'undo: { require_way_back: false }\n')
    expect((await decide(command)).code).toBe('undo.capture_failed')
  })
})

test('another history, another workspace, and a state that the client does not answer with', async () => {
  const { work, set, decide, run, plan } = place('terraform')
  const command = 'terraform -chdir=infra state rm a'
  const { undo } = await decide(command)
  await run(command)
  set({ lineage: 'l-2' })
  expect((await plan(undo?.id)).map(({ problem }) => problem)).toEqual([expect.stringContaining('another history')])
  writeFileSync(join(work, 'infra/workspace'), 'stage')
  expect((await plan(undo?.id)).map(({ problem }) => problem)).toEqual([expect.stringContaining('the workspace is `stage` now')])
  for (const [away, changed] of [
    ['terraform -chdir="$X" state rm a', 'l-1'],
    ['terraform state rm -state=other.tfstate a', 'l-1'],
    ['TF_WORKSPACE=other terraform -chdir=infra state rm a', 'l-1'],
    [command, 5],
  ] as const) {
    writeFileSync(join(work, 'infra/workspace'), 'default')
    set({ lineage: changed })
    expect([away, (await decide(away)).code]).toEqual([away, 'undo.capture_failed'])
  }
})
