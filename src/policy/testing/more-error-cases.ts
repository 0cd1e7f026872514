/** More policies that do not load: faults inside of conditions, contracts, channels, judges and the server. */
import { SEQUENCE_ERROR_CASES } from './sequence-error-cases.ts'

const judges = (body: string): string => `version: 1\njudges:\n${body}\n`
const LOCAL = '{ provider: openai, model: m, url: "https://judge.example/v1" }'
const rule = (when: string): string => `version: 1\nrules:\n  ask:\n    - { when: '${when}', reason: r }\n`
const channel = (body: string): string => `version: 1\napprovals: { channels: [${body}] }\n`

export const MORE_ERROR_CASES: readonly (readonly [title: string, text: string])[] = [
  ['brackets without end', `version: 1\ntools: ${'['.repeat(300)}${']'.repeat(300)}\n`],
  ['schema without end', `version: 1\ntools: { a: { input_schema: ${'{ properties: { a: '.repeat(60)}{}${' } }'.repeat(60)} } }\n`],
  ['function of a misspelt name', rule('undr(args.path, "/etc")')],
  ['function that nobody has', rule('frobnicate(args.path)')],
  ['pattern that is made up', rule('re(args.path, args.pattern)')],
  ['loops within loops', rule('effects.all(a, effects.all(b, effects.all(c, effects.all(d, effects.all(e, effects.all(f, true))))))')],
  ['variable of a loop with a meaning', rule('effects.exists(args, args.verb == "send")')],
  ['provider of a scheme', 'version: 1\ncontracts: { providers: { p: { tools: [t], http: "ftp://x/{a}" } } }\n'],
  [
    'choices within choices',
    `version: 1\ncontracts: { tools: { t: { constraints: [${'{ kind: any, relations: ['.repeat(12)}` +
      `{ kind: known, of: a }, { kind: known, of: b }${'] }'.repeat(12)}] } } }\n`,
  ],
  [
    'tables without end',
    `version: 1\ncontracts: { state: { ${Array.from({ length: 70 }, (_, i) => `t${i}: [{ tools: [x], key: args.id }]`).join(', ')} } }\n`,
  ],
  ['preview mode of a tool without its server', 'version: 1\npreview: { modes: { transfer: { argument: dry_run } } }\n'],
  ['Slack without a way', channel('{ name: chat, type: slack, approvers: {} }')],
  ['Slack without a channel', channel('{ name: chat, type: slack, token: "env:BOT" }')],
  ['validator that does not gate', `${judges(`  a: ${LOCAL}`)}tool_validation: [{ type: multi_judge, judge: a }]\n`],
  ['judge at no address', judges('  a: { provider: openai, model: m, url: "ftp://x" }')],
  ['score out of range', judges(`  a: ${LOCAL.replace('}', ', min_score: 1.5 }')}`)],
  ['temperature out of range', judges(`  a: ${LOCAL.replace('}', ', temperature: 9 }')}`)],
  ['header that is not free', judges(`  a: ${LOCAL.replace('}', ', headers_env: { host: COUNTERSIGN_JUDGE_X } }')}`)],
  ['header twice', judges(`  a: ${LOCAL.replace('}', ', headers_env: { x-a: COUNTERSIGN_JUDGE_X, X-A: COUNTERSIGN_JUDGE_Y } }')}`)],
  ['variable that is not free', judges(`  a: ${LOCAL.replace('}', ', headers_env: { x-a: HOME } }')}`)],
  ['tools of none', judges(`  a: ${LOCAL.replace('}', ', tools: { allow: [] } }')}`)],
  ['tribunal of one', judges(`  a: ${LOCAL}\n  b: { provider: tribunal, judges: [a] }`)],
  ['tribunal of one twice', judges(`  a: ${LOCAL}\n  b: { provider: tribunal, judges: [a, a] }`)],
  ['tribunal of strangers', judges(`  a: ${LOCAL}\n  b: { provider: tribunal, judges: [a, c] }`)],
  ['tribunal of relatives', judges(`  a: ${LOCAL}\n  c: ${LOCAL}\n  b: { provider: tribunal, judges: [a, c] }`)],
  ['effect without a verb', 'version: 1\ntools: { a: { effects: [{ action: x:y, kind: resource, value: z }] } }\n'],
  ['server at no address', 'version: 1\nserver: { listen: "not an address" }\n'],
  ['server of no host', 'version: 1\nserver: { hosts: ["a b"] }\n'],
  ['proxy that is a name', 'version: 1\nserver: { trusted_proxies: [proxy.example] }\n'],
  ['login over http', 'version: 1\nserver: { oidc: { issuer: "http://x", client_id: c, roles: { a: admin } } }\n'],
  ['login that maps nothing', 'version: 1\nserver: { oidc: { issuer: "https://x.example", client_id: c, roles: {} } }\n'],
  ['link to no console', channel('{ name: ops, type: webhook, url: "https://x.example", secrets: ["env:OPS"], link: "ftp://x" }')],
  ['mount that is relative', judges(`  a: ${LOCAL.replace('}', ', tools: { allow: [read_file], mounts: [src] } }')}`)],
  ['star in the middle', judges(`  a: ${LOCAL.replace('}', ', tools: { allow: [cmd.run], commands: ["node * --test"] } }')}`)],
  ['module that is no package', judges('  a: { provider: ai-sdk, model: m, module: { name: ./mine.js, export: x } }')],
  ['cache of a tribunal', judges(`  a: ${LOCAL}\n  c: ${LOCAL}\n  b: { provider: tribunal, judges: [a, c], price: { input: 1 } }`)],
  ['gate without a judge', `${judges(`  a: ${LOCAL}`)}tool_validation: [{ type: semantic }]\n`],
  ['time without a unit', 'version: 1\napprovals: { approve_within: 99 years }\n'],
  ['graph that nobody makes', 'version: 1\nauthorization: { uncovered: ask }\n'],
  ['graph that nobody makes, by points', 'version: 1\nauthorization: { uncovered: 1.5 }\n'],
  ['points below nothing', `${judges(`  reader: ${LOCAL}`)}authorization: { judge: reader, uncovered: -1 }\n`],
  ['a word for what is not covered', `${judges(`  reader: ${LOCAL}`)}authorization: { judge: reader, uncovered: deny }\n`],
  ['graph of a stranger', `${judges(`  reader: ${LOCAL}`)}authorization: { judge: raeder }\n`],
  ['graph of what writes none', `${judges('  a: { provider: embedded }')}authorization: { judge: a }\n`],
  [
    'end of a declassification that is no date',
    'version: 1\ndeclassify: [{ from: [read_ticket], into: [send_mail], until: "next week", reason: r }]\n',
  ],
  ...SEQUENCE_ERROR_CASES,
]
