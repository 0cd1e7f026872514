/** Rules over time and flow that cannot be: what each is told stands in the snapshots. */
const sequence = (when: string, more = ''): string => `version: 1\nsequences:\n  - id: a\n    when: '${when}'\n${more}`

export const SEQUENCE_ERROR_CASES: readonly (readonly [title: string, text: string])[] = [
  ['word of time without its condition', sequence('formerly()')],
  ['window that is none', sequence('count(tool == "a", "soon") > 2')],
  ['label that there is not', sequence('flows_from("to", "untrustd")')],
  ['argument that is no text', sequence('flows_from(args.to, "user")')],
  ['sum of texts', sequence('sum("a", true) > 2')],
  ['condition that is a number', sequence('count(tool == "a")')],
  ['words of time too deep', sequence('formerly(formerly(formerly(tool == "a")))')],
  ['too many words of time', sequence(Array.from({ length: 9 }, (_, i) => `formerly(tool == "t${i}")`).join(' && '))],
  ['misspelt inside of a word of time', sequence('formerly(efects.size() > 0)')],
  ['two rules over time of one name', `${sequence('formerly(tool == "a")')}  - { id: a, when: 'formerly(tool == "b")' }\n`],
  ['session that is not matched', sequence('previous(tool == "a")', '    examples: { match: [[{ tool: b }, { tool: c }]] }\n')],
  ['session that is matched', sequence('previous(tool == "a")', '    examples: { not_match: [[{ tool: a }, { tool: c }]] }\n')],
  [
    'too many rules over time',
    `version: 1\nsequences:\n${Array.from({ length: 51 }, (_, i) => `  - { when: 'formerly(tool == "t${i}")' }\n`).join('')}`,
  ],
  ['built-in rule that there is not', 'version: 1\nbuiltin_sequences: { rule-of-three: off }\n'],
]
