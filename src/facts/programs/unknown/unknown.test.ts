import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'

/** What unknown programs are taken to do beyond running. */
const claims = (text: string): readonly string[] => lines(text).filter((found) => found.includes('cli:'))

describe('an unknown program that says what it changes', () => {
  for (const [text, expected] of [
    ['acme users delete u-7', ['likely delete cli:delete acme users delete']],
    ['acme rm x', ['likely delete cli:delete acme rm']],
    ['acme deletefile a.txt', ['likely delete cli:delete acme deletefile']],
    ['acme remove-secret prod KEY', ['likely delete cli:delete acme remove-secret']],
    ['acme context remove-secret prod KEY', ['likely delete cli:delete acme context remove-secret']],
    ['acme --region eu topics purge', ['likely delete cli:delete acme eu topics purge']],
    ['acme topics --delete', ['likely delete cli:delete acme --delete']],
    ['acme --delete-offsets -g x', ['likely delete cli:delete acme --delete-offsets']],
    ['acme --purge=all', ['likely delete cli:delete acme --purge=all']],
    ['acme forget --keep-last 1 --prune', ['likely delete cli:delete acme forget']],
    ['acme deploy', ['likely publish cli:publish acme deploy']],
    ['acme app deploy:prod', ['likely publish cli:publish acme app deploy:prod']],
    ['acme send mail', ['likely publish cli:publish acme send']],
    ['acme add button', []],
    ['acme install', []],
    ['acme sync', []],
    ['acme login', ['likely change cli:change acme login']],
    ['acme apps create', ['likely change cli:change acme apps create']],
    ['acme api put clients/1', ['likely change cli:change acme api put']],
    ['acme roles perms add r-1', ['likely change cli:change acme roles perms add']],
    ['xargs -I {} acme uninstall --all', ['likely delete cli:delete acme uninstall']],
    ['acme users delete --help u-7', ['likely delete cli:delete acme users delete']],
    ['sudo acme destroy', ['likely delete cli:delete acme destroy']],
  ] as const) {
    test(text, () => expect(claims(text)).toEqual(expected))
  }
})

describe('an unknown program that says nothing of the kind', () => {
  for (const text of [
    'acme',
    'acme users list',
    'acme status',
    'acme --version',
    'acme users delete --help',
    'acme --purge --help',
    'acme -x delimited',
    'acme report deletions.csv',
    'acme --no-delete',
    'acme --format json',
    'acme ./delete',
    'acme "please delete it"',
    'acme a b c d delete',
    'acme settings show',
    'acme dropbox list',
    'acme "$VERB" x',
  ]) {
    test(text, () => expect(claims(text)).toEqual([]))
  }
})

test('a known program is judged by its table only', () => expect(claims('git remote remove origin')).toEqual([]))
