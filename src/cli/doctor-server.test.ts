import { expect, test } from 'vitest'
import { startServer } from '../../test/support/server.ts'
import { loopbackChecks } from './doctor-server.ts'

for (const openLoopback of [true, false]) {
  test(`${openLoopback ? 'open' : 'closed'} loopback: ${openLoopback ? 'a warning' : 'nothing to say'}`, async () => {
    const server = await startServer({ openLoopback })
    expect((await loopbackChecks(server.daemon.socket)).map(({ name, state }) => [name, state])).toEqual(
      openLoopback ? [['loopback', 'warn']] : [],
    )
    await server.stop()
    expect(await loopbackChecks(server.daemon.socket)).toEqual([])
  })
}
