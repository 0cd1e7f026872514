/** The words for acts that are marked because a person may want to see them. Pure data. */
export const NOTED_ACTS: readonly (readonly [string, string])[] = [
  ['read seek:secrets', 'searches for secrets in'],
  ['read seek:names', 'lists'],
  ['read browser:kept', 'reads what is kept in'],
  ['change exposed:secret', 'shows in its words'],
  ['change exposed:login', 'gives to a server'],
  ['write key:new', 'makes'],
  ['change git:secret', 'puts under version control'],
  ['change shell:rename', 'lets something else stand for the program'],
  ['change shell:trace', 'records all that is done in'],
  ['change shell:deaf', 'ignores the signals that end'],
  ['change history:off', 'keeps less of the'],
  ['change env:place', 'puts where everybody may write what is found by'],
  ['change ci:command', 'prints a command to'],
  ['change settings:lowered', 'switches off, in settings,'],
  ['execute code:foreign', 'gives, where code belongs, a command of'],
]
