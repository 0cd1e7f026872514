/** A real Redis server: a call that a gate lets run changes it, and the way back leaves every database of it as it was. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseUndo } from '../test/support/database-undo.ts'
import { revealed } from '../test/support/private-store.ts'
import { hasRedis, startRedis } from '../test/support/redis.ts'

const FILLED = String.raw`SET "plain" "one"
SET "bytes\x00\xff\n\" '" "\x00\x01\xfe\xff\r\n"
SET "lasting" "x" PX 100000000
HSET h f1 v1 f2 "\xc3\x28"
RPUSH l a b c
SADD s 1 2 3 word
ZADD z 1.5 a 2 b
XADD x 1-1 field value
SELECT 3
SET "elsewhere" "3"
`

async function place(more = '') {
  const { port, run } = await startRedis()
  process.env.TEST_CACHE_URL = `redis://:a%20secret@127.0.0.1:${port}/0`
  onTestFinished(() => {
    delete process.env.TEST_CACHE_URL
  })
  const { home, decide, back } = databaseUndo(
    `databases: { cache: { engine: redis, url_env: TEST_CACHE_URL, names: ["*"], hosts: ["*"] } }${more}`,
  )
  /** Digests of each database, and the times of the key that has one. */
  const whole = (): string => run('DEBUG DIGEST\nDBSIZE\nPEXPIRETIME lasting\nSELECT 3\nDBSIZE\n')
  return { home, run, decide, back, whole }
}

/** Missing in CI it is a failure; elsewhere it is said before the run (test/support/missing.ts). */
describe.skipIf(!hasRedis && process.env.CI !== 'true')('Redis', () => {
  test.each<[string, string]>([
    ['redis-cli flushall', 'FLUSHALL'],
    ['redis-cli -n 3 flushdb', 'SELECT 3\nFLUSHDB'],
    ['redis-cli del plain h', 'DEL plain h'],
    ['redis-cli set made 1', 'SET made 1\nSET "made\\x00too" 2\nSELECT 7\nSET there 1'],
    ['redis-cli set plain 2', 'SET plain 2\nAPPEND "bytes\\x00\\xff\\n\\" \'" more\nPERSIST lasting\nLPUSH l z\nRENAME s t'],
  ])('%s: every database is kept before, and the same after', async (command, act) => {
    const { home, run, decide, back, whole } = await place()
    run(FILLED)
    const before = whole()
    const { decision, undo } = await decide(command)
    expect([decision, undo?.ways]).toEqual(['allow', [{ name: 'database:redis', exercised: true }]])
    expect(revealed(home, ['RESTORE', 'SELECT'])).toEqual([])
    run(act)
    expect(whole()).not.toBe(before)
    expect((await back(undo?.id)).problems).toEqual([])
    expect(whole()).toBe(before)
  })

  test('a server that cannot be dumped is one without a way back', async () => {
    const { run, decide } = await place('\n  on_failure: deny')
    run(`${FILLED}ACL SETUSER default -eval`)
    const { decision, findings } = await decide('redis-cli flushall')
    expect([decision, findings.map(({ code }) => code)]).toEqual(['deny', expect.arrayContaining(['undo.capture_failed'])])
  })
})
