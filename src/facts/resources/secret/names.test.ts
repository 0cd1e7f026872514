import { describe, expect, test } from 'vitest'
import { secretCollection, secretName } from './names.ts'

describe('names of secrets', () => {
  for (const [kind, names] of [
    [
      'password',
      [
        'password',
        'PASSWORD',
        'db_password',
        'dbPassword',
        'DB_PASS',
        'dbpassword',
        'user.passwd',
        'pwd',
        'passphrase',
        'new-password',
        'PASSWORD_2',
        'pin',
        'cardCvv',
        '--password',
      ],
    ],
    [
      'token',
      [
        'token',
        'access_token',
        'accessToken',
        'accesstoken',
        'X-Api-Key',
        'apiKey',
        'APIKey',
        'apikey',
        'AWS_SECRET_ACCESS_KEY',
        'aws.secretAccessKey',
        'client_secret',
        'clientSecret',
        'SECRET_KEY_BASE',
        'signingKey',
        'private_key',
        'authorization',
        'Authorization',
        'set-cookie',
        'GITHUB_TOKEN',
        '_authToken',
        'AccountKey',
        'webhook_secret_value',
        'api_key_test',
      ],
    ],
    [
      null,
      [
        '',
        'key',
        'keys',
        'monkey',
        'turkey',
        'hotkey',
        'primary_key',
        'publicKey',
        'sortKey',
        'keyboard',
        'compass',
        'bypass',
        'passed',
        'passenger',
        'tokenizer',
        'tokenCount',
        'max_token',
        'maxTokens',
        'next_page_token',
        'pageToken',
        'password_file',
        'secret_name',
        'is_secret',
        'hasPassword',
        'requirePassword',
        'secretary',
        'pinned',
        'spin',
        'author',
        'authority',
        '123',
        '---',
        'constructor',
        '__proto__',
      ],
    ],
  ] as const) {
    for (const name of names) test(`${JSON.stringify(name)} is ${kind ?? 'none'}`, () => expect(secretName(name)).toBe(kind))
  }

  test('a name of any length is read in bounded steps, by its end', () => {
    expect(secretName(`${'A'.repeat(100_000)}_PASSWORD`)).toBe('password')
    expect(secretName(`password_${'a'.repeat(100_000)}`)).toBe(null)
  })
})

describe('collections of secrets', () => {
  for (const name of [
    'secrets',
    'credentials',
    'creds',
    'apiKeys',
    'api_keys',
    'passwords',
    'tokens',
    'cookies',
    'auth_tokens',
    'secret',
    'private_keys',
  ]) {
    test(`${name} is one`, () => expect(secretCollection(name)).toBe(true))
  }
  for (const name of ['keys', 'primary_keys', 'items', 'max_tokens', 'monkeys', 'env', 'headers', '']) {
    test(`${JSON.stringify(name)} is none`, () => expect(secretCollection(name)).toBe(false))
  }
})
