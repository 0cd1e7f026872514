import type { Requirement } from '../requirements.ts'

export const roleOs: readonly Requirement[] = [
  { id: 'ROS-W1', text: 'Only the first matching action is evaluated: with npm:publish granted, npm publish && git push --force passes.' },
  { id: 'ROS-W2', text: "The grants file is writable by the agent and located by the caller's cwd; a cd elsewhere changes the manifest." },
  { id: 'ROS-W3', text: 'Only the tool named Bash: PowerShell, MCP GitHub tools, Task subagents and WebFetch POST are ungated.' },
  {
    id: 'ROS-W4',
    text:
      "Regex evasion, each string verified NOT matched: git pu''sh, g''it push, git $(echo pu)sh, P=push; git $P, git " +
      "\\<newline> push, git -c core.x='a;b' push (separator inside quotes), npm pu\\blish, GIT push (matters on case-insensitive " +
      'file systems), echo Z2l0IHB1c2g= | base64 -d | sh, git send-pack o, a pre-existing alias (git p). Still matched: $(echo ' +
      'git) push, git -c alias.p=push p, /usr/bin/git push, tabs',
  },
  {
    id: 'ROS-W5',
    text:
      'Same effect by another verb: gh api -X POST .../releases, gh workflow run, gh pr merge, gh release upload|delete|edit, ' +
      'npx semantic-release, npx np, lerna publish, bun publish, cargo publish, gem push, docker push, poetry publish, hatch ' +
      'publish, npm unpublish (no word boundary before "publish"), npm deprecate, npm dist-tag, git push from inside a script ' +
      '(documented limit)',
  },
  {
    id: 'ROS-W6',
    text: 'False positives: git stash push, git commit -m "push later", grep "git push" README, echo npm publish, npm run publish-docs',
  },
  {
    id: 'ROS-W7',
    text: 'Malformed stdin in the generated hook: uncaught JSON.parse → exit 1, which is non-blocking in Claude Code (fail-open).',
  },
  { id: 'ROS-W8', text: 'Two copies of the gate drifted (module versus generated hook).' },
  { id: 'ROS-W9', text: 'Presence uses in, so a parameter called constructor or toString always counts as present.' },
  { id: 'ROS-W10', text: 'A blind-authored catalogue contained contradictory constraints (cmp ge 1 with eq 0).' },
  { id: 'ROS-W11', text: 'Date.parse("2026-07-01") is midnight UTC: the grant ends at the start of that day, which surprises authors.' },
  { id: 'ROS-1', text: 'Read: a: limit 0; b: offset -1; c: no file_path → flag' },
  { id: 'ROS-2', text: 'Read with a relative path → not flagged (known gap)' },
  { id: 'ROS-3', text: 'Edit: a: old_string == new_string; b: replace_all "true" → flag' },
  { id: 'ROS-4', text: 'Bash timeout a: 600000; b: 700000; c: -1; d: command 12345 → a: ok; b, c, d: flag' },
  { id: 'ROS-5', text: 'Grep: a: output_mode "matches"; b: -A -1 → flag' },
  { id: 'ROS-6', text: 'AskUserQuestion: a: 0 or 5 questions; b: 1 to 4 → a: flag; b: ok' },
  { id: 'ROS-7', text: 'Agent: a: model "gpt-4"; b: isolation "branch" → flag' },
  { id: 'ROS-8', text: 'tool with sources {text, file, paths}: a: none, two or three given; b: exactly one → a: flag; b: ok' },
  {
    id: 'ROS-9',
    text: 'a: threshold 1.7; b: threshold -0.1; c: per_file 999; d: per_file 200001; e: 1000 and 200000 → a to d: flag; e: ok',
  },
  { id: 'ROS-10', text: 'Write with an unknown extra append → not flagged' },
  { id: 'ROS-11', text: 'Glob pattern null → flag (type)' },
  { id: 'ROS-12', text: 'cmp lt start,end: a: 5,3; b: 3,5 → a: flag; b: ok' },
  { id: 'ROS-13', text: 'cmp le top_n,{len:docs}: 3 of 2 → flag' },
  { id: 'ROS-14', text: 'cmp eq {len:a},{len:b}: lengths differ → flag' },
  { id: 'ROS-15', text: 'sum alloc versus 1000: a: 600+400; b: 600+300 → a: ok; b: flag' },
  { id: 'ROS-16', text: 'sum .4+.35+.25 versus 1 → ok (epsilon)' },
  { id: 'ROS-17', text: 'sum [x,width] le W=1920: a: 100+800; b: 1500+800 → a: ok; b: flag' },
  { id: 'ROS-18', text: 'present [ip,cname]: a: both; b: neither; c: one → a, b: flag; c: ok' },
  { id: 'ROS-19', text: 'requires ca_path when mode=mtls: a: missing; b: other mode → a: flag; b: ok' },
  { id: 'ROS-20', text: 'distinct [src,dst], equal values → flag' },
  { id: 'ROS-21', text: 'member seat in {state: free}: a: object state without the seat; b: prose state → a: flag; b: defers' },
  {
    id: 'ROS-22',
    text:
      'char_at: a: ACGT[0]=="A"; b: ACGT[0]=="T"; c: offset -1, pos 5, in ACGTTAGCCA → a: ok; b: flag; c: index pos+offset = 4 ' +
      'is compared (T)',
  },
  {
    id: 'ROS-23',
    text: 'a: unknown kind (stricter); b: undefined operand → source: null for both. Countersign: a is a load error; b defers',
  },
  { id: 'ROS-24', text: 'gate disabled, git push → not denied by this layer' },
  { id: 'ROS-25', text: 'npm publish --access public, no grant → deny npm:publish' },
  { id: 'ROS-26', text: 'a: granted true; b: granted false; c: granted "true" → a: allow; b, c: deny' },
  { id: 'ROS-27', text: 'a: Read tool; b: ls -la && git status → allow' },
  { id: 'ROS-28', text: 'a: git push -u origin main; b: git -C d push; c: gh release create v1; d: gh release -R o/r create v1 → deny' },
  { id: 'ROS-29', text: 'expires a: 2020; b: 2030; c: "soon"; d: 1767225600000; e: null → b: allow; others: deny' },
  { id: 'ROS-30', text: 'manifest malformed: a: gated; b: ungated → a: deny; b: allow' },
  {
    id: 'ROS-31',
    text:
      'hook answer: a: deny; b: allow → source: a: exit 2 + stderr, b: exit 0. Countersign: a: native deny JSON, exit 0 (D5); ' +
      'b: exit 0',
  },
  {
    id: 'ROS-32',
    text:
      'a: every unmatched string of ROS-W4; b: every string of ROS-W6 → a: source allow, Countersign deny, or ask as ' +
      'incomplete; b: source deny, Countersign raises nothing at this layer (npm run … may still be opaque to the shell layer)',
  },
  { id: 'ROS-33', text: 'npm publish && git push, only npm:publish granted → source: allow. Countersign: deny git:push (stricter)' },
  { id: 'ROS-35', text: 'every irreversible action names a compensator: who undoes it, how, by when; shown before approval' },
  { id: 'ROS-34', text: '{expires:"2026-07-01"} at 2026-07-01T12:00Z → deny, as the source (D17)' },
]
