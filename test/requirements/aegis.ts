import type { Requirement } from '../requirements.ts'

export const aegis: readonly Requirement[] = [
  { id: 'AEG-W1', text: 'Padding the arguments over 256 bytes hides the dangerous value from the judge.' },
  { id: 'AEG-W2', text: 'Fence injection: the first fenced JSON in text that echoes the attacker wins; a score of 99 is accepted.' },
  { id: 'AEG-W3', text: 'A failed agent lookup skips the judge.' },
  { id: 'AEG-W4', text: 'skip_judge name collision; skip on mutating tools.' },
  { id: 'AEG-W5', text: '"fs.*" is the prefix "fs": fsx.write matches.' },
  {
    id: 'AEG-W6',
    text:
      '/workspace/../etc/passwd passes a starts-with test, and ../etc/passwd is turned into exactly that before the check (a ' +
      'later layer canonicalises)',
  },
  { id: 'AEG-W7', text: 'Only path is constrained; source, destination and target arguments are not.' },
  { id: 'AEG-W8', text: 'cargo build && curl … | sh passes the command list when there is no subcommand list.' },
  { id: 'AEG-W9', text: 'The specific violation is lost; the caller sees only "not allowed".' },
  { id: 'AEG-W10', text: 'Score and minimum are shown to the agent: an oracle with unlimited retries.' },
  { id: 'AEG-W11', text: 'An allow verdict is not recorded outside the child execution.' },
  { id: 'AEG-W12', text: 'approved_by is supplied by the client; errors return HTTP 200; pending approvals live in memory only.' },
  { id: 'AEG-W13', text: 'The judge shares context: task and reasoning come from the worker.' },
  { id: 'AEG-1', text: 'cmd.run, command list [cargo], sub {cargo:[build,check]}: a: cargo [build]; b: cargo [check] → allow' },
  {
    id: 'AEG-2',
    text: 'same: a: npm [install]; b: cargo [publish]; c: cargo without args → deny; a: command not allowed; b, c: subcommand not allowed',
  },
  { id: 'AEG-3', text: 'cmd.run without a command → deny, missing argument' },
  {
    id: 'AEG-4',
    text: 'fs.*, paths [/workspace]: a: solution.py; b: /workspace/solution.py; c: ../etc/passwd; d: empty list → a, b: allow; c, d: deny',
  },
  {
    id: 'AEG-5',
    text: 'a: /workspace/../etc/passwd; b: /workspace2/x → source: a passes the prefix test. Countersign: deny both (stricter)',
  },
  {
    id: 'AEG-6',
    text:
      'domain example.com: a: example.com; b: foo.example.com; c: deep.foo.example.com; d: evilexample.com; e: ' +
      'example.com.evil.io; f: FOO.Example.com. → a, b, c, f: allow; d, e: deny',
  },
  { id: 'AEG-7', text: 'deny list against a "*" capability → deny, explicitly denied' },
  { id: 'AEG-8', text: 'no capability matches → deny (default)' },
  {
    id: 'AEG-9',
    text:
      'verdict score/confidence against minimum: a: .92/.88 vs .85/.0; b: .85 vs .85; c: .84 vs .85; d: confidence .5 vs .6 → ' +
      'a, b: allow; c, d: deny',
  },
  { id: 'AEG-10', text: 'fields omitted → .7 / 0 / 300' },
  { id: 'AEG-11', text: 'a: malformed JSON; b: empty output; c: timeout; d: cancelled; e: no reasoning → deny' },
  {
    id: 'AEG-12',
    text:
      'a: fenced json block; b: upper-case JSON tag; c: bare JSON; d (stricter): two fenced blocks; e (stricter): score 1.2 → ' +
      'a, b, c: parsed; d, e: deny',
  },
  { id: 'AEG-13', text: 'two judges, the first rejects → second not called' },
  { id: 'AEG-14', text: 'skip_judge tool → judge not called, policy still evaluated' },
  { id: 'AEG-15', text: 'only multi_judge configured → source: no gate. Countersign: config error (stricter)' },
  { id: 'AEG-16', text: 'attempts for a: (1 s, 1000 ms); b: (1, 600); c: (5, 2000) → a: 1; b: 2; c: 3' },
  {
    id: 'AEG-17',
    text: 'payload → a: no output key (Countersign: but what a preview shows, where there is one); b: compacted payload < 15 000 bytes',
  },
  { id: 'AEG-18', text: 'a: policy violation; b: internal error → a: policy feedback to the agent; b: recoverable' },
  { id: 'AEG-19', text: 'judge depth 3 → a deeper child is refused' },
  {
    id: 'AEG-20',
    text:
      'a: approve; b: reject; c: no answer in 1 s; d: unknown or other-tenant id; e: second decision → a: approved with ' +
      'feedback; b: rejected with reason; c: timed out; d: not found; e: source not found, Countersign per D15',
  },
]
