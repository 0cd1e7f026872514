import type { Requirement } from '../requirements.ts'

export const signet: readonly Requirement[] = [
  {
    id: 'SIG-W1',
    text: 'The tool stage is inert on the main HTTP path; the unary path also skips INSPECTION; only choices[0] is looked at.',
  },
  { id: 'SIG-W2', text: 'No approval binding: nothing ties "approved" to tool and arguments.' },
  {
    id: 'SIG-W3',
    text:
      'The owner is a header the caller asserts. Owner.human(x) makes approval_chain=("human:x",), so approver == requester (a ' +
      'test of theirs asserts it): self-approval by construction',
  },
  { id: 'SIG-W4', text: 'Name-only gate. The tier is per tool, not per (tool, args): http_request GET and DELETE share one tier.' },
  {
    id: 'SIG-W5',
    text:
      'Tribunal: injection through arguments; substring verdicts ("I would not BLOCK" blocks, "NOT ALLOW" allows); the same ' +
      'prompt for both judges',
  },
  { id: 'SIG-W6', text: 'Sandbox safety is a keyword list over prose the runner wrote.' },
  { id: 'SIG-W7', text: 'Preview and escalation cannot compose, and preview output is not attached to the approval request.' },
  { id: 'SIG-W8', text: 'COMMITMENT allow rows carry no arguments hash; request_fingerprint is optional.' },
  {
    id: 'SIG-W9',
    text:
      'Lessons of its bug list worth a test each: tail bypass by scan truncation; malformed body without an audit row; ReDoS ' +
      'hang in a check; chain head read outside the lock (fork); SIGNET_SHADOW=1 not enabling shadow; UTF-8 BOM; bool accepted ' +
      'as timestamp; null hmac crashing the verifier',
  },
  { id: 'SIG-1', text: '{echo: LOW} → echo → allow' },
  { id: 'SIG-2', text: '{} → rm_rf → deny, "not in registry"' },
  { id: 'SIG-3', text: '{}, unregistered: allow → anything → allow, and at least flagged (D3)' },
  { id: 'SIG-4', text: '{nuke: CRITICAL} → nuke → deny (allow_critical=False)' },
  { id: 'SIG-5', text: '{nuke: CRITICAL}, allow_critical, max HIGH → nuke → deny, "exceeds max"' },
  { id: 'SIG-6', text: '{nuke: CRITICAL irreversible}, allow_critical, max CRITICAL → nuke → ask' },
  { id: 'SIG-7', text: '{send_email: HIGH, irreversible, dryrun False} → send_email → ask; metadata dryrun_supported=false' },
  { id: 'SIG-8', text: '{shell: HIGH}, max MEDIUM → shell → deny' },
  { id: 'SIG-9', text: '{write_file: HIGH reversible} → write_file → allow' },
  { id: 'SIG-10', text: '{x: MEDIUM irreversible} → x → a: allow; b: with escalate_at MEDIUM ask' },
  { id: 'SIG-11', text: 'owner chain [manager, ceo], an escalating call → – → requires_approval_from both, current_approver manager' },
  { id: 'SIG-12', text: 'empty chain, an escalating call → – → [] and null' },
  { id: 'SIG-13', text: 'risk_tier "high", 2, RiskTier.HIGH → – → a: all equal; b: " High " accepted' },
  { id: 'SIG-14', text: '{echo: LOW} → "Echo" → deny' },
  { id: 'SIG-15', text: 'both A → allow' },
  { id: 'SIG-16', text: 'both B → deny' },
  { id: 'SIG-17', text: 'split → ask' },
  { id: 'SIG-18', text: 'split, require_unanimous_block → source: allow. Countersign: ask; a split never permits (stricter)' },
  { id: 'SIG-19', text: 'both endpoints fail → deny' },
  { id: 'SIG-20', text: 'a judge URL is missing → construction error' },
  { id: 'SIG-21', text: 'preview is safe → allow' },
  { id: 'SIG-22', text: 'observed effect "DELETE 3 rows" → ask' },
  { id: 'SIG-23', text: 'tool outside only_for_tools → allow (layer abstains)' },
  { id: 'SIG-24', text: 'dry-run not supported → ask' },
  { id: 'SIG-25', text: 'call metadata says dry-run true → previewed' },
  { id: 'SIG-26', text: 'runner throws → deny' },
  { id: 'SIG-27', text: 'registry says true, call metadata false → registry wins: previewed, allow' },
  { id: 'SIG-28', text: 'is_safe with ok=false → false' },
  { id: 'SIG-29', text: 'is_safe of "would destroy table" → false' },
  { id: 'SIG-30', text: 'no runner → construction error' },
  { id: 'SIG-31', text: 'a check times out → deny' },
  { id: 'SIG-32', text: 'two checks in one stage → the lower priority value runs first (in Countersign this never changes the verdict)' },
  {
    id: 'SIG-33',
    text: 'an escalating check before a blocking one → source: first non-allow wins, so escalate. Countersign: join, so deny',
  },
  {
    id: 'SIG-34',
    text:
      'RECORD raises → source: decision stands, synthetic row. Countersign: a deny stands, an allow becomes deny ' +
      'audit_unavailable (P5)',
  },
  { id: 'SIG-35', text: 'ADMISSION escalate → 202 (Countersign: only for callers that opted in, D12)' },
  { id: 'SIG-36', text: 'strict body → carries no reason' },
  { id: 'SIG-37', text: 'edit a field → self_mismatch at that index' },
  { id: 'SIG-38', text: 'delete a row → link_mismatch' },
  { id: 'SIG-39', text: 'swap two rows → not ok' },
  { id: 'SIG-40', text: 'insert a forged row → not ok' },
  { id: 'SIG-41', text: 'flip one prev_hmac → exactly one break when summarised' },
  { id: 'SIG-42', text: 'a: truncated JSON; b: NaN; c: invalid UTF-8; d: unknown decision → malformed_line' },
  { id: 'SIG-43', text: 'leading UTF-8 BOM → tolerated' },
  { id: 'SIG-44', text: 'wrong key → last_known_good_index -1' },
  { id: 'SIG-45', text: 'concurrent appends → the chain does not fork' },
  { id: 'SIG-46', text: '"hmac": null → malformed_line, no crash' },
  { id: 'SIG-47', text: '"ts_ns": true → malformed_line' },
  { id: 'SIG-48', text: 'verify, a: intact; b: broken → exit a: 0; b: source 2, Countersign 1 (2: it could not run)' },
  {
    id: 'SIG-49',
    text:
      'a: last 2 of 6 rows removed; b: all rows removed → source: both verify ok (observed). Countersign: both fail against the ' +
      'last anchored size',
  },
  { id: 'SIG-50', text: 'a caller keeps a signed receipt of a decision, and can have it checked later without the log' },
  { id: 'SIG-51', text: 'a proxy in front of a model or of MCP servers judges the calls that pass through it, those of streams as well' },
]
