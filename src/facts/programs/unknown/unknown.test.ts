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
    ['acme publishPlugins', ['likely publish cli:publish acme publishPlugins']],
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
    // The thing before the verb, and both in one word.
    ['acme orders order:cancel o-1', ['likely change cli:change acme orders order:cancel']],
    ['acme order:approve o-1', ['likely change cli:change acme order:approve']],
    ['acme account updateEmail a', ['likely change cli:change acme account updateEmail']],
    ['acme users deleteSessions', ['likely delete cli:delete acme users deleteSessions']],
    ['acme org scratch_delete o', ['likely delete cli:delete acme org scratch_delete']],
    ['acme functions rmall', ['likely delete cli:delete acme functions rmall']],
    ['acme shipping_method:reset_circuit s', ['likely delete cli:delete acme shipping_method:reset_circuit']],
    ['acme search indexes delete i', ['likely delete cli:delete acme search indexes delete']],
    // What is everyday of a project is grave of people, and what is nothing of a file is grave of a store.
    ['acme add member ann', ['likely change cli:change acme add']],
    ['acme create user ann', ['likely change cli:change acme create']],
    ['acme project invite', ['likely change cli:change acme project invite']],
    ['acme queue clear', ['likely delete cli:delete acme queue clear']],
    ['acme db clean', ['likely delete cli:delete acme db clean']],
    ['acme schema:fresh', ['likely delete cli:delete acme schema:fresh']],
    ['acme machine isolate m-7', ['likely change cli:change acme machine isolate']],
    ['acme secret edit s', ['likely change cli:change acme secret edit']],
    // What an option is given may be unknown.
    ['acme --key "$KEY" reset shop/de', ['likely delete cli:delete acme reset']],
    ['acme -u ops -p "$PW" Systems reset ForceOff', ['likely delete cli:delete acme ops Systems reset']],
    ['acme client post /api/job', ['likely change cli:change acme client post']],
    ['acme tx gov vote 88', ['likely publish cli:publish acme tx']],
    ["acme -c 'configure terminal' -c 'router bgp 65010'", ['likely change cli:change acme configure terminal']],
    ["acme -x 'topics delete orders'", ['likely delete cli:delete acme topics delete orders']],
    ['acme copy reads/ me@upload.archive.example:in/', ['likely change cli:change acme copy reads/ me@upload.archive.example:in/']],
    ['acme order:refresh o-1 --access-token "$TOKEN"', ['likely change cli:change acme order:refresh o-1']],
    // Said in somebody's name, whatever the verb is.
    ['acme order:refresh o-1 --access-token T', ['likely change cli:change acme order:refresh o-1']],
    ['acme shipment on-hold --organization shop', ['likely change cli:change acme shipment on-hold']],
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
    'acme help delete topic',
    'acme help apps deploy',
    'acme list deleted users',
    'acme get users delete',
    'acme cache delete',
    'acme clear-cache',
    'acme publishToMavenLocal',
    'acme build release',
    'acme build --clear-cache',
    'acme build --remove-comments',
    'acme clear',
    'acme clean',
    'acme isolate 8.3',
    'acme init:fresh',
    'acme imports:list',
    'acme cleanups:types',
    'acme theme set dark',
    'acme telemetry disable',
    'acme create_test orders',
    'acme completion install',
    'acme add component card',
    'acme create app shop',
    'acme webhooks w-1 --access-token T',
    "acme -c 'show ip bgp summary'",
    "acme -e 'set number'",
    'acme api get /jobs',
    'acme --output "$OUT" build release',
    'acme webhooks:details w-1 --access-token T',
    'acme build web --api-key K',
    'acme start image-delete',
  ]) {
    test(text, () => expect(claims(text)).toEqual([]))
  }
})

test('a known program is judged by its table only', () => expect(claims('git remote remove origin')).toEqual([]))
