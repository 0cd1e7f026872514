import { describe, expect, test } from 'vitest'
import { errorsOf, policy } from '../testing/compiled.ts'

describe('mcp_proxy', () => {
  test('the name of a header is told in lower case', () => {
    const { mcpProxy } = policy('mcp_proxy: { certificates: { header: X-Client-Cert, callers: [{ subject: CN=a, agent: a }] } }\n')
    expect(mcpProxy.certificates).toMatchObject({ header: 'x-client-cert', holders: [{ subject: 'CN=a', agent: 'a', tenant: null }] })
  })

  test('a name that no header can have', () => {
    const text = 'version: 1\nmcp_proxy: { certificates: { header: "x y", callers: [{ subject: CN=a, agent: a }] } }\n'
    expect(errorsOf(text)).toContain('`x y` is no name of a header')
  })
})
