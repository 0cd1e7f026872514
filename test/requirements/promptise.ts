import type { Requirement } from '../requirements.ts'

export const promptise: readonly Requirement[] = [
  { id: 'PRO-W1', text: 'A deny-rule predicate that raises = no match (fail-open).' },
  { id: 'PRO-W2', text: 'The webhook poll answer is unsigned; approved:"false" as a string is truthy → approved.' },
  {
    id: 'PRO-W3',
    text:
      'The signed set leaves out context, metadata and annotations; used_request_ids is only added to, never checked (replay ' +
      'protection is a no-op)',
  },
  { id: 'PRO-W4', text: 'Name-only read-only: query_* with DROP, fetch_* to exfiltrate, read_file of ~/.ssh/id_rsa.' },
  { id: 'PRO-W5', text: 'The word split misses run-on or plural names (fetch_purgecache, get_deletes), homoglyphs, other languages.' },
  { id: 'PRO-W6', text: 'A readOnlyHint from the server is trusted by default.' },
  { id: 'PRO-W7', text: 'When redaction fails the reviewer sees raw arguments.' },
  { id: 'PRO-W8', text: 'fnmatch case rules depend on the platform.' },
  { id: 'PRO-W9', text: 'Substring variants (rm -rf, rm -fr, rm -r -f).' },
  { id: 'PRO-W10', text: 'The queue is lost on restart; on_timeout="allow" exists.' },
  { id: 'PRO-W11', text: 'Cached responses bypass approval.' },
  { id: 'PRO-W12', text: 'The LLM sees raw arguments (injectable); an LLM "allow" is final.' },
  {
    id: 'PRO-W13',
    text:
      'Agent side: reviewer-edited arguments run without a new decision; the reviewer may see redacted arguments while the ' +
      'unredacted ones run; the denial counter is per tool name',
  },
  { id: 'PRO-1', text: 'tool "get_*": a: get_user; b: set_user → a: match; b: no match' },
  { id: 'PRO-2', text: 'user filter → exact match only' },
  { id: 'PRO-3', text: 'argument_contains → needs the substring' },
  { id: 'PRO-4', text: 'several filters → AND of all' },
  { id: 'PRO-5', text: 'empty rule → matches all' },
  {
    id: 'PRO-6',
    text:
      'predicate a: true; b: false; c: raises (stricter) → a: match; b: no match; c: source no match, Countersign: a raising ' +
      'deny rule denies, any other raises to at least ask',
  },
  { id: 'PRO-7', text: 'send_email with an allow rule → allow' },
  { id: 'PRO-8', text: 'exec_shell with a deny rule → deny' },
  { id: 'PRO-9', text: 'exec_safe matched by allow and deny → deny (1.3 and default); with order: first-match allow' },
  { id: 'PRO-10', text: 'admin allow "*" against deny delete_customer → deny; with order: first-match allow' },
  {
    id: 'PRO-11',
    text:
      'a: get_users; b: list_files; c: read_config; d: search_docs → read-only layer allows (option on; effect findings still ' +
      'join, D10)',
  },
  { id: 'PRO-12', text: 'read-only layer disabled → fallback' },
  {
    id: 'PRO-13',
    text: 'LLM a: allow; b: deny; c: escalate; d: raises → a: llm_allow; b: llm_deny; c: fallback; d: fallback and errors+1',
  },
  { id: 'PRO-14', text: 'modify_data, nothing matches → fallback, which denies' },
  { id: 'PRO-15', text: 'fallback missing → error' },
  { id: 'PRO-16', text: 'get_payroll in ask rules → fallback although get_*' },
  { id: 'PRO-17', text: 'wire_*: a: "offshore" in a deny rule; b: "acme" in an ask rule → a: deny; b: ask' },
  {
    id: 'PRO-18',
    text:
      'a: substring in the style "path": "/etc"; b: non-ASCII substring; c: key order → a: matches JSON, not repr; b: matches; ' +
      'c: stable',
  },
  { id: 'PRO-19', text: 'a: fetch_and_purge_cache; b: show_and_delete; c: getAndDeleteUser; d: list_then_drop_tables → fallback' },
  { id: 'PRO-20', text: 'a: get_order; b: get_settings; c: list_addresses; d: show_cart → read-only allow' },
  {
    id: 'PRO-21',
    text: 'order_status with readOnlyHint → source: read-only allow. Countersign: only for a pinned, trusted server, else fallback',
  },
  { id: 'PRO-22', text: 'purge_cache with readOnlyHint → fallback' },
  { id: 'PRO-23', text: 'get_x with a: readOnlyHint false; b: destructiveHint true → fallback' },
  { id: 'PRO-24', text: 'custom verb list → replaces the default list' },
  {
    id: 'PRO-25',
    text: 'timeout: a: default; b (stricter): on_timeout allow → a: deny; b: source allow, Countersign has no such value: deny',
  },
  {
    id: 'PRO-26',
    text:
      'a: third denial, then a fourth call; b: window over; c: after an approval; d: scope user versus session → a: not asked; ' +
      'b: asked again; c: counter reset; d: counted in that scope',
  },
  { id: 'PRO-27', text: 'handler error → not counted' },
  {
    id: 'PRO-28',
    text:
      'modified_arguments: a: invalid by schema; b: redacted value echoed back; c (stricter): valid → a: deny; b: unchanged; c: ' +
      'source runs them, Countersign decides the changed call from the start',
  },
  {
    id: 'PRO-29',
    text:
      'a: max_pending reached; b: per-client cap; c: own approval; d: modified arguments; e: elicitation timeout; f: declared ' +
      'but ungated tool → a, b: deny; c, d: refused; e: deny; f: build error',
  },
  {
    id: 'PRO-30',
    text:
      'a: edit line 3; b: delete seq 2 and 3; c: drop the first; d: swap; e: forged row; f: copy; g: bad JSON; h: no hmac; i: ' +
      'other key; j: anchor absent; k (stricter): tail cut; l: half last line; m: restart with a fresh chain; n: rotation ' +
      'across files → a: modified; b: two entries deleted, seq 1 → 4; c: missing_start; d: reordered; e: inserted; f: ' +
      'duplicate; g: malformed; h: unsigned; i: wrong_key; j: anchor_missing; k: source warning truncated, Countersign fails; ' +
      'l: crash_fragment; m: chain_reset; n: ok',
  },
  { id: 'PRO-31', text: '50 parallel requests → each carries its own trace; counters sum to 50' },
]
