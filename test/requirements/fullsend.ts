import type { Requirement } from '../requirements.ts'

export const fullsend: readonly Requirement[] = [
  {
    id: 'FUL-W1',
    text:
      'Uncaught exceptions ({"action":null} from Tirith, list payload, tool_input not an object, command not a string) → ' +
      'traceback, exit 1, no JSON → non-blocking in Claude Code',
  },
  {
    id: 'FUL-W2',
    text:
      'SSRF: scheme-less curl 169.254.169.254/latest, $U, ws/ssh/sftp/smb schemes, --resolve, -x proxy, --connect-to, ' +
      'redirects, DNS TOCTOU, decimal/octal/hex IPs where resolvers differ, NAT64, 6to4; MCP and Read tools unseen',
  },
  { id: 'FUL-W3', text: 'Canary: base64, hex, reversal, split, URL-encoding, non-ASCII.' },
  {
    id: 'FUL-W4',
    text:
      'Tirith only for the tool literally named Bash. Tirith has an inline bypass prefix (TIRITH=0 cmd) for interactive use; ' +
      'its non-interactive bypass is off by default, so a wrapper must keep --non-interactive',
  },
  { id: 'FUL-W5', text: 'Allowlist by name only: same MCP name, other endpoint.' },
  {
    id: 'FUL-W6',
    text:
      'Log: hooks write unhashed rows; VerifyChain skips rows without hashes; lastHash returns the seed after an unhashed row, ' +
      'so mixed use breaks the chain; the hash is unkeyed; the file lives in the agent-writable workspace; write errors are ' +
      'swallowed',
  },
  { id: 'FUL-W7', text: 'Redaction by fixed prefixes; the post phase passes the original when it errors.' },
  { id: 'FUL-W8', text: 'Commas inside MCP names cannot be expressed in FULLSEND_TOOL_ALLOWLIST.' },
  { id: 'FUL-1', text: 'variable unset → deny' },
  { id: 'FUL-2', text: 'variable "" → deny' },
  { id: 'FUL-3', text: '"Read,Grep", tool Read → allow' },
  { id: 'FUL-4', text: '"Read,Grep", tool Bash → deny' },
  { id: 'FUL-5', text: 'malformed JSON on stdin → deny' },
  { id: 'FUL-6', text: 'empty stdin → source: allow. Countersign: deny (stricter)' },
  { id: 'FUL-7', text: 'tool_name "" → deny' },
  { id: 'FUL-8', text: 'tool_name missing → deny' },
  { id: 'FUL-9', text: 'token in a Bash command → deny' },
  { id: 'FUL-10', text: 'token in nested MCP input → deny' },
  { id: 'FUL-11', text: 'token in other letter case → deny' },
  { id: 'FUL-12', text: 'token absent → allow' },
  { id: 'FUL-13', text: 'no token configured → allow' },
  { id: 'FUL-14', text: 'malformed stdin → deny' },
  { id: 'FUL-15', text: 'empty stdin → source: allow. Countersign: deny (stricter)' },
  { id: 'FUL-16', text: 'input > 10 MiB → deny' },
  { id: 'FUL-17', text: 'post phase: token in the result → CANARY_LEAKED' },
  { id: 'FUL-18', text: 'http://169.254.169.254/… → deny' },
  { id: 'FUL-19', text: 'http://10.0.0.1 → deny' },
  { id: 'FUL-20', text: 'http://172.16.0.1 → deny' },
  { id: 'FUL-21', text: 'http://192.168.1.1 → deny' },
  { id: 'FUL-22', text: 'http://127.0.0.1:8080 → deny' },
  { id: 'FUL-23', text: 'file:///etc/passwd → deny' },
  { id: 'FUL-24', text: 'gopher:// → deny' },
  { id: 'FUL-25', text: 'http://metadata.google.internal. (trailing dot) → deny' },
  { id: 'FUL-26', text: 'http://localhost (resolves to loopback) → deny' },
  { id: 'FUL-27', text: 'http://no-such.invalid (DNS failure) → deny' },
  { id: 'FUL-28', text: 'https://github.com → allow' },
  { id: 'FUL-29', text: 'redirect hop to 192.168.1.100 → deny' },
  { id: 'FUL-30', text: 'Bash with two URLs, one bad → deny' },
  {
    id: 'FUL-31',
    text:
      'Bash: a: no network target; b (stricter): a scheme-less target, curl 169.254.169.254/latest → a: allow; b: source allow, ' +
      'Countersign deny',
  },
  { id: 'FUL-32', text: 'rc 0 → allow' },
  { id: 'FUL-33', text: 'rc 1 + critical finding → deny' },
  { id: 'FUL-34', text: 'rc 2 + medium finding, threshold high, action warn → allow (flag)' },
  { id: 'FUL-35', text: 'rc 1, action:block, no finding → deny' },
  { id: 'FUL-36', text: 'rc 1, not JSON → deny' },
  {
    id: 'FUL-37',
    text:
      "binary missing: a: default; b: required → source: a allow, b block. Countersign: a: the layer's on_error, at least ask; " +
      'b: deny',
  },
  { id: 'FUL-38', text: 'timeout: a: default; b: required → as FUL-37 (stricter)' },
  { id: 'FUL-39', text: 'monkey=banana12 → not redacted' },
  { id: 'FUL-40', text: 'db password "abc" → not redacted' },
  { id: 'FUL-41', text: 'db password "P@ss@w0rd" → redacted' },
  { id: 'FUL-42', text: 'ghs_… that looks like a JWT → redacted' },
  { id: 'FUL-43', text: 'lower-case api_key=… → redacted' },
  { id: 'FUL-44', text: 'private key block → replaced' },
  { id: 'FUL-45', text: 'tag-character text → removed; decoded only in the log' },
  { id: 'FUL-46', text: 'zero-width characters inside a token → removed, then the token is redacted' },
  { id: 'FUL-47', text: 'bidi controls → removed' },
  { id: 'FUL-48', text: 'fullwidth ｃｕｒｌ → curl' },
  { id: 'FUL-49', text: 'ESC rebuilt by NFKC → removed in the second pass' },
  { id: 'FUL-50', text: 'default plan → 3 pre groups + 2 post groups; allowlist only when enabled' },
  { id: 'FUL-51', text: 'edit row 1 of the trace → BrokenAt 1' },
  { id: 'FUL-52', text: 'delete row 1 of the trace → BrokenAt 1' },
  { id: 'FUL-53', text: 'low → allow, logged' },
  { id: 'FUL-54', text: 'medium → flag: allow, logged with elevated visibility' },
  { id: 'FUL-55', text: 'high → deny, the agent continues' },
  { id: 'FUL-56', text: 'critical → halt' },
  {
    id: 'FUL-57',
    text: 'behavioural baseline per role: tool mix, shapes of arguments, frequency, sequences; a call far from it is flagged',
  },
  { id: 'FUL-58', text: 'risk of a run: blocked and flagged calls of a session add up, and decide who is asked' },
  { id: 'FUL-59', text: 'metrics of effectiveness: what was stopped rightly and what was interrupted for nothing, per rule' },
]
