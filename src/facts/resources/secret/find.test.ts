import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { random, secretKinds } from '../../../../test/secret-kinds.ts'
import { findSecrets } from './find.ts'
import { TOKEN_RULES } from './rules.ts'

const found = (text: string) => findSecrets(text, '/c').map(({ rule, span }) => `${rule}: ${text.slice(span.start, span.end)}`)
const word = (length: number, seed = 1) => random('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', length, seed)

describe('every kind', () => {
  for (const { kind, text, secret } of secretKinds()) {
    test(`${kind} is found, whole`, () => {
      const spans = findSecrets(text, '')
      const at = text.indexOf(secret)
      expect(spans.some(({ span }) => span.start <= at && span.end >= at + secret.length)).toBe(true)
    })
  }

  test('stands out between other text, on any line', () => {
    for (const { text, secret } of secretKinds(2)) {
      for (const [before, after] of [
        ['first line\n', '\nlast line'],
        ['echo "', '"'],
        ['a b ', ' c d'],
        ["x='", "'"],
        ['(', ')'],
        ['héllo 漢字 ', ' ünd'],
      ] as const) {
        const whole = `${before}${text}${after}`
        const at = whole.indexOf(secret)
        expect([whole, findSecrets(whole, '').some(({ span }) => span.start <= at && span.end >= at + secret.length)]).toEqual([
          whole,
          true,
        ])
      }
    }
  })
})

describe('the seed vectors', () => {
  proves('FUL-39', 'a word that merely ends in key is no key', () => {
    for (const text of ['monkey=banana12', 'MONKEY=banana12', 'turkey: istanbul34', 'hotkey=Ctrl+F1234', 'keyboard=qwerty123']) {
      expect(found(text)).toEqual([])
    }
  })

  proves('FUL-40', 'a database password of three characters is left alone', () => {
    expect(found('postgres://app:abc@db/app')).toEqual([])
  })

  proves('FUL-41', 'a database password with an unescaped at-sign is covered whole', () => {
    expect(found('postgres://app:P@ss@w0rd@db:5432/app')).toEqual(['url-password: P@ss@w0rd'])
    expect(found('mysql+pymysql://u:p/ss#w@rd@host/x')).toEqual(['url-password: p/ss#w@rd'])
  })

  proves('FUL-42', 'a GitHub server token that looks like a JWT is covered whole', () => {
    const token = `${'ghs'}_eyJ${word(30)}.eyJ${word(60, 2)}.${word(43, 3)}`
    expect(found(`token is ${token} ok`)).toEqual([`github-token: ${token}`])
  })

  proves('FUL-43', 'a lower-case key name counts', () => {
    expect(found('api_key=abcdefgh12345678')).toEqual(['token-value: abcdefgh12345678'])
    expect(found('apikey: "abcdefgh12345678"')).toEqual(['token-value: abcdefgh12345678'])
  })

  proves('FUL-44', 'a private key block is covered from its first dash to its last', () => {
    const block = `-----BEGIN ${'EC PRIVATE'} KEY-----\n${word(64)}\n${word(30)}\n-----END ${'EC PRIVATE'} KEY-----`
    expect(found(`before\n${block}\nafter`)).toEqual([`private-key: ${block}`])
    const pgp = `-----BEGIN PGP ${'PRIVATE'} KEY BLOCK-----\nxx\n-----END PGP ${'PRIVATE'} KEY BLOCK-----`
    expect(found(pgp)).toEqual([`private-key: ${pgp}`])
    expect(found(`-----BEGIN ${'PRIVATE'} KEY-----\ncut off`)).toEqual([`private-key: -----BEGIN ${'PRIVATE'} KEY-----\ncut off`])
    expect(found('-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----')).toEqual([])
    expect(found('-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----')).toEqual([])
  })

  proves('FUL-46', 'zero-width characters inside a token do not hide it', () => {
    const token = `${'ghp'}_${word(36)}`
    const apart = [...token].join('\u200b')
    expect(findSecrets(`x ${apart} y`, '/c')).toEqual([
      { rule: 'github-token-like', span: { pointer: '/c', start: 2, end: 2 + apart.length + 0 } },
    ])
    const wide = [...token].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join('')
    expect(found(wide)).toEqual([`github-token-like: ${wide}`])
  })
})

describe('what is no secret', () => {
  for (const text of [
    '',
    'git push origin main',
    'token',
    'The token is missing; pass one with --token.',
    'password:',
    'password: string',
    'PASS: everything is fine',
    'all tests pass: {all_pass}',
    'self.password = password',
    'raw_password = user["password"]',
    'new_password = user_password',
    'password={password}',
    'Authorization: Bearer {accessToken}',
    'postgres://{user}:{password}@{host}/app',
    'reset the password: https://example.com/reset',
    'PWD=/home/someone/work',
    "alias pwd='echo -n here'",
    'read -p "Password: " -s answer',
    'scan -u http://example.com/path; curl x',
    'password = null',
    'if (password === undefined) return',
    'token: $GITHUB_TOKEN',
    `token=$\{TOKEN}`,
    `password: $\{{ secrets.DB_PASSWORD }}`,
    'curl -H "Authorization: Bearer $TOKEN" https://x',
    `curl -H "Authorization: Bearer $\{TOKEN}" https://x`,
    'curl -u "$USER:$PASS" https://x',
    'api_key = os.environ["API_KEY"]',
    'api_key = get_api_key()',
    'const token = await getToken(request)',
    'secret: config.secret',
    'password=<your password>',
    'api_key=<API_KEY>',
    'token={{token}}',
    'max_tokens=4096000000',
    'max_tokens: 100000000',
    'next_page_token=CAEQAA1234567',
    'public_key=abcdef1234567890',
    'primary_key: id_1234567',
    'author=someone1234',
    'https://example.com/a:b@c',
    'https://example.com:8080/path@1.2.3',
    'https://user@example.com/',
    'ssh://git@github.com:22/a/b.git',
    'postgres://app:$PASSWORD@db/app',
    'postgres://app:****@db/app',
    `AKIA${'IOSFODNN7'}EXAMPLE`,
    'sk-xxxxxxxxxxxxxxxxxxxxxxxx',
    'task-abcdefghijklmnopqrstuvwxyz',
    'risk-free-abcdefghijklmnopqrstuvwxyz',
    'class="hljs-keyword-abcdefghij1234567890"',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'commit 1bae715aa0f5e1c4d0c8cf3bd2d2a4f6c0ffee00',
    'uuid 123e4567-e89b-12d3-a456-426614174000',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA',
    'pin the version: 1.2.3',
    'SKIP=1 make',
    'is_secret=true123456',
    'compass=north1234',
    'bypass: yes1234567',
    'cat ~/.aws/credentials',
    'x:=1; y==2; z=>3',
    '[redacted github-token]',
    'password=[redacted password-value]',
    'Authorization: Bearer [redacted authorization 0a1b]',
    'postgres://app:[redacted url-password]@db/app',
  ]) {
    test(JSON.stringify(text), () => expect(found(text)).toEqual([]))
  }
})

describe('values by name', () => {
  for (const [text, expected] of [
    ['password=hunter2', ['password-value: hunter2']],
    ['password = mypassword', ['password-value: mypassword']],
    ['pass=current', ['password-value: current']],
    ['pass: "quoted"', ['password-value: quoted']],
    ["password='two words'", ['password-value: two words']],
    ['PGPASSWORD=s3cretpw psql -h db', ['password-value: s3cretpw']],
    ['{"password":"a\\"b1234"}', ['password-value: a\\"b1234']],
    ['"{\\"password\\":\\"a\\\\\\"b1234\\",\\"x\\":1}"', ['password-value: a\\\\\\"b1234']],
    ['{"password":"a1234\\\\"}', ['password-value: a1234\\\\']],
    ['password = "p@ss;w&rd"', ['password-value: p@ss;w&rd']],
    ['https://x/?api_key=abc12345678&page=2', ['token-value: abc12345678']],
    ['headers["X-Api-Key"] = "k3y-abcdefgh"', ['token-value: k3y-abcdefgh']],
    ['secretKey: k3yabcdefgh,', ['token-value: k3yabcdefgh']],
    ['foo --api-key  k3yabcdefgh --bar', ['token-value: k3yabcdefgh']],
    ["passphrase => 'open sesame'", ['password-value: open sesame']],
    ['A_TOKEN=aaaa1111bbbb\nB_SECRET=cccc2222dddd', ['token-value: aaaa1111bbbb', 'token-value: cccc2222dddd']],
    ['jdbc:x;user=a;password=Tr0ub4dor;x=1', ['password-value: Tr0ub4dor']],
  ] as const) {
    test(JSON.stringify(text), () => expect(found(text)).toEqual(expected))
  }
})

describe('the table', () => {
  test('a checksum tells a real GitHub token from one that only looks so', () => {
    const published = ['ghp', 'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'].join('_')
    expect(found(published)).toEqual([`github-token: ${published}`])
    expect(found(published.replace('17', '18'))[0]).toMatch(/^github-token-like: /)
  })

  test('every literal begins with two ASCII characters, by which it is looked up', () => {
    for (const { name, literal } of TOKEN_RULES) expect([name, literal, /^[\x00-\x7f]{2}/.test(literal)]).toEqual([name, literal, true])
  })

  test('every literal is part of what its pattern can match', () => {
    const samples = secretKinds().map(({ text }) => text)
    const used = TOKEN_RULES.filter(({ literal, pattern }) => samples.some((text) => text.includes(literal) && text.search(pattern) >= 0))
    expect(used.length).toBeGreaterThan(30)
    for (const { literal, pattern } of TOKEN_RULES) {
      const marks = pattern.source.replaceAll('\\', '').replaceAll(/\(\?:|\(\?<[!=]/g, '(')
      expect([literal, marks.includes(literal) || literal.length <= 5]).toEqual([literal, true])
    }
  })
})

test('spans are in order, inside the text, and do not overlap', () => {
  const kinds = secretKinds(3).map(({ text }) => text)
  const piece = fc.oneof(
    fc.constantFrom(...kinds),
    fc.constantFrom(' ', '\n', '=', ':', '"', "'", '\\', '://', '@', 'password', 'token=', '\u200b', '-----BEGIN '),
    fc.string({ maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      let last = 0
      for (const { span } of findSecrets(text, '')) {
        expect(span.start >= last && span.start < span.end && span.end <= text.length).toBe(true)
        last = span.end
      }
    }),
    { numRuns: 2_000, seed: 11 },
  )
})

proves('T05', 'hostile text of a quarter megabyte is searched in linear steps', () => {
  for (const piece of [
    'password=',
    '://a:b',
    'eyJa.',
    '-----BEGIN PRIVATE KEY-----',
    'token: "',
    '--secret ',
    'sk-',
    'a@',
    '=',
    'Authorization: ',
    'ghp_',
    '\\"',
    '\u200b=',
    'cookie:',
  ]) {
    const text = piece.repeat(Math.floor(262_144 / piece.length))
    expect(findSecrets(text, '').every(({ span }) => span.end <= text.length)).toBe(true)
  }
})
