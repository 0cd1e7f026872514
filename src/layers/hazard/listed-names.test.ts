import { family, marked } from './verdict-harness.ts'

/** Names that `ls` shows, handed on. */

family('credentials by names that are shown', {
  meets: 'ask read-credential',
  commands: ['ls -d ~/.ssh/* | xargs cat', "ls -d ~/.ssh/* | xargs -I{} sh -c 'cat {}'"],
  run: ['ls *.md | xargs wc -l', "ls *.ts | head -3 | xargs -I{} sh -c 'echo {}; wc -l {}'", 'ls src | xargs -I{} basename {} .ts'],
})

family('names that are shown, as code', {
  meets: 'ask dynamic-code',
  commands: [
    "ls | xargs -I{} sh -c '{}'",
    "ls *.sh | xargs -I{} sh -c '{}'",
    "ls | xargs -I{} sh -c '{} --version'",
    "ls | sed 's/^/rm -rf /' | xargs -I{} sh -c '{}'",
    "ls | cat - cmds.txt | xargs -I{} sh -c 'echo {}'",
    "git log --format=%s | xargs -I{} sh -c 'echo {}'",
    'ls | xargs -I{} eval {}',
  ],
  run: ["ls -d */ | xargs -I{} sh -c 'cd {} && git status -s'"],
})

family('deletion by names that are shown', {
  meets: 'ask delete-unknown',
  commands: ['ls | xargs rm -rf', 'ls /srv | xargs rm -rf'],
  run: ['ls | xargs -n1 echo'],
})

// The View tells them, and they are names in the directory in effect.
family('deletion by names that are told', {
  meets: 'ask delete-directory',
  commands: ['ls ~ | xargs rm -rf'],
  run: [],
})

marked('names that are shown, in the text of a shell', {
  rule: 'unread-names',
  commands: ['ls *.ts | xargs -n1 -I{} sh -c \'echo "{}: $(wc -c < "{}")"\''],
  silent: ['ls | xargs -I{} echo {}'],
})
