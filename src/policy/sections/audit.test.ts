import { describe, expect, test } from 'vitest'
import { errorsOf, policy } from '../testing/compiled.ts'

const copies = (text: string) => policy(`audit: { head_copies: [${text}] }\n`).audit.headCopies

describe('copies of the head', () => {
  test('are paths and addresses', () => {
    expect(policy('default: ask\n').audit.headCopies).toEqual([])
    expect(copies('/mnt/backup/gate.head, "https://heads.example.com/a?b=c", "http://127.0.0.1:9/h"')).toEqual([
      { to: '/mnt/backup/gate.head', required: false, tokenEnv: null },
      { to: 'https://heads.example.com/a?b=c', required: false, tokenEnv: null },
      { to: 'http://127.0.0.1:9/h', required: false, tokenEnv: null },
    ])
    expect(copies('{ to: "https://heads.example.com/a", required: true, token_env: T }')).toEqual([
      { to: 'https://heads.example.com/a', required: true, tokenEnv: 'T' },
    ])
  })

  for (const [written, expected] of [
    ['gate.head', 'this is no place for a copy'],
    ['~/gate.head', 'this is no place for a copy'],
    ['"ftp://heads.example.com/a"', 'this is no place for a copy'],
    ['/mnt/../etc/passwd', 'this is no plain path of a file'],
    ['/mnt/backup/', 'this is no plain path of a file'],
    ['"https://user:pass@heads.example.com/a"', 'the address holds a password'],
    ['"https://heads.example.com/a#b"', 'the address has a fragment'],
    ['"http://heads.example.com/a"', 'the address is not https'],
    ['"http://169.254.169.254/a"', 'the address is a metadata service'],
    ['{ to: /mnt/gate.head, token_env: T }', '`token_env` is for addresses'],
    ['{ required: true }', 'the field `to` is missing'],
    ['{ to: /mnt/gate.head, needed: true }', 'unknown field `needed`'],
  ] as const) {
    test(`${written}: ${expected}`, () => expect(errorsOf(`version: 1\naudit: { head_copies: [${written}] }\n`)).toContain(expected))
  }
})
