/**
 * Every row of the table of dry runs, at a real gate. On the search path stands a script under the program's name. It takes the options of
 * the program's manual and refuses others. Started with its dry run it prints how it was started; started without, it leaves a file.
 */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bash } from '../test/support/calls.ts'
import { ROWS, type Row } from '../test/support/dry-run-rows.ts'
import { temporaryDirectory } from '../test/support/records.ts'
import { stateDirectoryOfTest } from '../test/support/state.ts'
import { triedOut } from '../test/support/trials.ts'
import { policyOf } from '../test/support/workplace.ts'
import type { JsonObject } from './core/json.ts'
import { openGate } from './open.ts'
import { DRY_RUN_PROGRAMS } from './policy/preview/model.ts'

const OTHERS = 'ask: [{ tool: Bash, when: \'effects.exists(e, e.verb != "read" && e.verb != "fetch")\', reason: it does more than read }]'
const READS = `hazards: { packs: [] }\nrules: { ${OTHERS}, allow: [{ tool: Bash, when: "true", reason: it reads }] }\n`
const NO_READS = `hazards: { packs: [] }
rules: { ${OTHERS}, deny: [{ tool: Bash, when: 'effects.all(e, e.verb == "read" || e.verb == "fetch")', reason: nothing reads here }] }
`

/** In Perl, which starts in a fifth of Node's time; it can read the regular expressions of the rows. */
const SCRIPT = String.raw`#!/usr/bin/env perl
use strict;
my ($dir) = $0 =~ m{^(.*)/};
sub text { open my $from, '<', "$dir/$_[0]" or return ''; local $/; return scalar(<$from>) // '' }
sub leave { open my $to, '>>', "$dir/$_[0]" or return; print $to "$_[1]\n" }
sub quoted { my $text = shift; $text =~ s/([\\"])/\\$1/g; $text =~ s/([\x00-\x1f])/sprintf '\\u%04x', ord $1/ge; return qq("$text") }
sub list { return '[' . join(',', map { quoted($_) } @_) . ']' }
my ($options, $dry) = (text('options'), text('dry'));
my ($bad) = grep { /^-/ && $_ ne '--' && !/$options/ } @ARGV;
my $is_dry = join(' ', @ARGV) =~ /$dry/s;
my $started = '{"argv":' . list(@ARGV) . ',"cwd":' . quoted(readlink '/proc/self/cwd') . ',"env":' . list(sort keys %ENV) . '}';
leave('started', $started);
exit 3 if -e "$dir/fails";
if (defined $bad) { print STDERR "unknown option $bad\n"; exit 64 }
if (!$is_dry) { leave('acted', $started); open my $to, '>', 'acted' }
if (length text('stderr')) { print STDERR text('stderr') . "\n"; exit 3 }
print +($is_dry ? 'STARTED ' : 'ACTED '), "$started\n";
print text('stdout') . "\n" if length text('stdout');
exit($is_dry ? text('exit') : 0);
`

interface Started {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: readonly string[]
}

const SECRET = 'TABLE_TEST_TOKEN'

function place(row: Row, section: string, rules = READS) {
  const [home, work, bin] = [stateDirectoryOfTest(), realpathSync(temporaryDirectory()), realpathSync(temporaryDirectory())]
  writeFileSync(join(bin, row.name), SCRIPT, { mode: 0o755 })
  const { stdout = '', stderr = '', exit = 0 } = row.answer ?? {}
  const said = { options: row.options, dry: row.isDry, stdout, stderr, exit: String(exit) }
  for (const [name, text] of Object.entries(said)) writeFileSync(join(bin, name), text)
  const { PATH = '' } = process.env
  Object.assign(process.env, { PATH: `${bin}:${PATH}`, [SECRET]: 'secret' })
  const { gate, queue, close } = openGate({ home, policy: () => ({ policy: policyOf(`${rules}${section}`), degraded: null }) })
  onTestFinished(() => {
    close()
    process.env.PATH = PATH
    delete process.env[SECRET]
  })
  const left = (name: string): readonly Started[] =>
    existsSync(join(bin, name))
      ? readFileSync(join(bin, name), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Started)
      : []
  const decided = async () => {
    const decision = await gate.decide(bash(row.call, { cwd: work }))
    const shown = (queue.show(decision.approval?.id ?? '', { tenant: null })?.sheet.preview ?? {}) as JsonObject
    return { decision, shown }
  }
  return { work, bin, left, decided, acted: () => [...left('acted'), ...(existsSync(join(work, 'acted')) ? ['here'] : [])] }
}

const startedIn = ({ output }: JsonObject): Started => JSON.parse(/^STARTED (.*)$/m.exec(String(output))?.[1] ?? 'null') as Started
const named = ({ row }: Row, more = ''): string => `preview: { dry_runs: [${row}]${more} }\n`
/** One call of each program. */
const FIRST = DRY_RUN_PROGRAMS.flatMap((program) => ROWS.filter(({ row }) => row === program).slice(0, 1))
const isSql = ({ row }: Row): boolean => row === 'psql' || row === 'mysql'

describe('the table of dry runs', () => {
  test('is tested whole', () => {
    expect([...new Set(ROWS.map(({ row }) => row))].toSorted()).toEqual([...DRY_RUN_PROGRAMS].toSorted())
  })

  for (const row of ROWS) {
    triedOut(`\`${row.call}\`, named: ${row.runs}, with exactly the words of its dry run`, async () => {
      const { work, left, decided, acted } = place(row, named(row))
      const { decision, shown } = await decided()
      expect([decision.decision, acted()]).toEqual(['ask', []])
      expect(shown).toMatchObject({ kind: 'dry_run', program: row.row, sandboxed: row.runs === 'in the sandbox' })
      const started = isSql(row) ? left('started')[0] : startedIn(shown)
      if (typeof row.dry[0] === 'string') expect(started?.argv).toEqual(row.dry)
      else for (const part of row.dry) expect(started?.argv.join(' ')).toMatch(part)
      expect(started?.cwd).toBe(work)
      // Only what the gate let run as it is gets the environment of the gate, and only that leaves a trace outside of the sandbox.
      expect([started?.env.includes(SECRET), left('started').length]).toEqual(row.runs === 'as it is' ? [true, 1] : [false, 0])
    })
  }

  for (const row of FIRST) {
    triedOut(`\`${row.call}\`, not named: nothing starts outside of the sandbox, and keys stay out of it`, async () => {
      const { left, decided, acted } = place(row, 'preview: {}\n')
      const { shown } = await decided()
      expect([left('started'), acted()]).toEqual([[], []])
      if (isSql(row)) expect(shown).toMatchObject({ kind: 'none', note: expect.stringContaining('preview.dry_runs') })
      else {
        expect(shown).toMatchObject({ kind: 'dry_run', sandboxed: true })
        expect(startedIn(shown).env).not.toContain(SECRET)
      }
    })
  }
})

describe('a dry run that the policy denies', () => {
  for (const row of FIRST.filter(({ runs }) => runs === 'as it is'))
    triedOut(`\`${row.call}\`: nothing starts outside of the sandbox`, async () => {
      const { left, decided, acted } = place(row, named(row), NO_READS)
      const { shown } = await decided()
      expect([left('started'), acted()]).toEqual([[], []])
      expect(shown.kind).toBe(isSql(row) ? 'none' : 'dry_run')
      if (!isSql(row)) expect(shown.sandboxed).toBe(true)
    })
})

describe('a dry run that fails', () => {
  for (const row of FIRST)
    triedOut(`\`${row.call}\`: says nothing of the call, which is asked about by its error`, async () => {
      const { bin, decided, acted } = place(row, named(row, ', require_dryrun_supported: true, on_unsupported: deny, on_exit: ask'))
      writeFileSync(join(bin, 'fails'), '')
      const { decision, shown } = await decided()
      expect(acted()).toEqual([])
      const codes = decision.findings.map(({ code }) => code)
      // A statement is never tried out elsewhere; every other command is, in the sandbox.
      if (isSql(row)) expect([decision.decision, codes.includes('preview.unsupported')]).toEqual(['deny', true])
      else
        expect([decision.decision, shown.kind, shown.exit_code, codes.includes('preview.error_exit')]).toEqual(['ask', 'sandbox', 3, true])
    })
})
