/** Every page of the console in a real Chromium: what it shows, how it looks, whether everybody can use it. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { CLIENT, type Provider, startProvider } from '../support/oidc-provider.ts'
import { type Look, newLook, noBrowser, openBrowser, picture, violations } from './browser.ts'
import { type ConsoleGate, startConsoleGate } from './gate.ts'

const POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [claude-code]
rules:
  deny:
    - when: 'effects.exists(e, e.action == "git:push" && has(e.attributes.force) && e.attributes.force == true)'
      reason: nobody rewrites shared history
  read_only: { auto_allow: true }
approvals: { approve_within: 15m, use_within: 5m }
`

const WORK: readonly (readonly [tool: string, args: JsonObject, session: string, agent: string])[] = [
  ['Bash', { command: 'npm publish --access public && curl -s https://deploy.example.com/hook -d @build.json' }, 's-web-17', 'claude-code'],
  [
    'Bash',
    { command: `git push origin main # \u202e enod\u001b[2K\n\nnpm publish${' '.repeat(2_000)}&& git tag v1` },
    's-web-17',
    'claude-code',
  ],
  ['send_email', { to: 'bob@example.com', subject: 'Invoice 1', body: 'Hello' }, 's-mail-3', 'support-bot'],
  ['send_email', { to: 'eve@example.com', subject: 'Invoice 2', body: 'Hello' }, 's-mail-3', 'support-bot'],
  ['Bash', { command: 'git push --force origin main' }, 's-web-17', 'claude-code'],
  ['Bash', { command: 'ls -la src' }, 's-web-17', 'claude-code'],
  ['Read', { file_path: '/repo/README.md' }, 's-docs-2', 'claude-code'],
]

const EVERYWHERE = [
  ['inbox', '.item'],
  ['sessions', 'tbody tr'],
  ['sessions/s-web-17', '.timeline li'],
  ['roles', '.empty'],
  ['audit', '.records li'],
  ['decisions', 'tbody tr'],
  ['policy', '.policy-text'],
  ['overview', '.chart svg'],
] as const

const reason = noBrowser()

describe.skipIf(reason !== null)(`the console's pages${reason === null ? '' : `: ${reason}`}`, () => {
  let browser: Browser
  let gate: ConsoleGate
  let provider: Provider
  let policy: string
  let light: Look
  let page: Page

  beforeAll(async () => {
    provider = await startProvider('ES256')
    policy = `${POLICY}server: { rates: { logins: 600 }, oidc: { issuer: "${provider.issuer}", client_id: ${CLIENT}, roles: { approvers: approver } } }\n`
    ;[browser, gate] = await Promise.all([openBrowser(), startConsoleGate(policy)])
    light = await newLook(browser)
    page = light.page
  })

  afterAll(async () => {
    await browser.close()
    await Promise.all([gate.stop(), provider.close()])
    gate.remove()
  })

  async function open(path: string, ready: string, on: Page = page): Promise<void> {
    await on.goto(`${gate.url}/#/${path}`)
    await on.waitForSelector(ready)
  }

  test('without a session there is a login; a wrong token is told so, a link signs in once', async () => {
    await page.goto(`${gate.url}/`)
    await page.waitForSelector('#token')
    await picture(page, 'login')
    expect(await violations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, 'color-contrast')).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.fill('#token', 'cst_wrong')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.problem')
    expect(light.complaints.splice(0)).toEqual([expect.stringContaining('401')])
    await page.goto(gate.loginUrl)
    await page.waitForSelector('.side')
    expect(page.url()).not.toContain('login')
    const other = await newLook(browser)
    await other.page.goto(gate.loginUrl)
    await other.page.waitForSelector('.problem')
    expect(await other.page.locator('.side').count()).toBe(0)
    await other.context.close()
  })

  test('an organisation signs its people in, there and back; who leaves is out', async () => {
    const look = await newLook(browser)
    provider.claims = { email: 'alice@example.com', email_verified: true, groups: ['approvers'] }
    await look.page.goto(gate.url)
    await look.page.click('.login-provider')
    await look.page.waitForSelector('.side')
    expect(await look.page.textContent('.me')).toBe('human:alice@example.comapprover')
    await look.page.reload()
    await look.page.click('.side-buttons button:has-text("Sign out")')
    await look.page.waitForSelector('#token')
    expect(await look.context.cookies()).toEqual([])
    await look.page.reload()
    await look.page.waitForSelector('.login-provider')
    provider.claims = { email: 'mallory@example.com', email_verified: true, groups: ['others'] }
    await look.page.click('.login-provider')
    await look.page.waitForSelector('.problem')
    expect(await look.page.textContent('.problem')).toContain('no role')
    await picture(look.page, 'login-refused')
    // Whoever comes back without a session is asked who they are, and is nobody.
    expect(look.complaints.filter((said) => !said.includes(provider.issuer) && !said.includes('401'))).toEqual([])
    await look.context.close()
  })

  test('a session ends with the token that it was opened with, and says so', async () => {
    const look = await newLook(browser)
    await look.page.goto(gate.url)
    await look.page.fill('#token', gate.token('human:eve'))
    await look.page.keyboard.press('Enter')
    await look.page.waitForSelector('.live-live')
    gate.revoke('human:eve')
    await look.page.click('.nav a:has-text("Decisions")')
    await look.page.waitForSelector('#token')
    expect(await look.page.textContent('.problem')).toContain('the session is over')
    expect(look.complaints.filter((said) => !said.includes('401'))).toEqual([])
    await look.context.close()
  })

  test('before the first call every page says what will be there', async () => {
    for (const [path, words] of [
      ['decisions', 'No decisions here'],
      ['sessions', 'No sessions yet'],
      ['overview', 'No decisions in this time'],
      ['audit?q=kind%3Adecision', 'No records match'],
      ['approvals/apr_none', 'there is no such approval'],
    ] as const) {
      await open(path, `.main:has-text("${words}")`)
    }
    expect(await violations(page)).toEqual([])
    light.complaints.splice(0)
    await picture(page, 'missing')
  })

  test('an empty inbox says so; a call appears in it by itself', async () => {
    await open('inbox', '.empty')
    await picture(page, 'inbox-empty')
    expect(await violations(page)).toEqual([])
    await page.waitForSelector('.live-live')
    for (const [tool, args, session, agent] of WORK) {
      const principal = { agent, role: 'coder', user: 'alice', tenant: 'default', chain: ['human:alice'] }
      await gate.propose({ tool, args, session, cwd: '/repo', principal })
    }
    await page.waitForSelector('.item >> nth=3')
    expect(await page.textContent('.nav-count')).toBe('4')
    await page.waitForFunction('document.title === "(4) Countersign"')
    await picture(page, 'inbox')
    expect(await violations(page)).toEqual([])
  })

  test('one call in full: effects in words, marked in the command, why, who, digest, history', async () => {
    await page.click('.item >> nth=0')
    await page.waitForSelector('.page-approval .timeline a')
    const text = (await page.textContent('.page-approval')) ?? ''
    for (const part of [
      'npm publish --access public',
      'publishes the package in .',
      'cannot be undone',
      'sends local files to another machine',
      'hazard / send-file',
      'hazard.exfiltration',
      'claude-code',
      'for alice',
      's-web-17',
      '/repo',
      'sha256:',
      'ls -la src',
    ])
      expect(text).toContain(part)
    expect(await page.locator('.value .mark').allTextContents()).toContain('npm publish --access public')
    await picture(page, 'call')
    expect(await violations(page)).toEqual([])
  })

  test('what hides stands in the open', async () => {
    await page.click('.item:has-text("U+202E")')
    await page.waitForSelector('.page-approval .escape:has-text("U+202E")')
    const shown = await page.locator('.value .raw').first().textContent()
    expect(shown).toBe('git push origin main # ⟨U+202E⟩ enod⟨ESC⟩[2K⟨LF⟩⟨LF⟩npm publish⟨SPACE×2000⟩&& git tag v1')
    await picture(page, 'hostile')
  })

  for (const [path, ready, expected] of [
    ['decisions', 'tbody tr >> nth=6', ['npm publish', 'nobody', 'bob@example.com']],
    ['decisions?decision=deny', 'tbody tr', ['git push --force origin main']],
    ['decisions?q=README', 'tbody tr', ['/repo/README.md']],
    ['sessions', 'tbody tr >> nth=2', ['s-web-17', 's-mail-3', 's-docs-2', 'support-bot']],
    ['sessions/s-web-17', '.timeline li >> nth=3', ['ls -la src']],
    ['audit', '.records li >> nth=5', ['decision']],
    ['audit?q=decision%3Adeny', '.records li', ['deny']],
    ['policy', '.policy-text li >> nth=5', ['nobody rewrites shared history', 'enforce']],
    ['overview', '.chart svg', ['decisions', 'hazard', 'registry.permitted']],
  ] as const) {
    test(`${path} shows what it is about, for everybody`, async () => {
      await open(path, ready)
      const text = (await page.textContent('.main')) ?? ''
      for (const part of expected.filter((each) => each !== 'nobody')) expect(text).toContain(part)
      // A search shows the same as the page that it is on.
      if (path.includes('?')) return
      expect(await violations(page)).toEqual([])
      if (!path.includes('/')) await picture(page, path)
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violations(page, 'color-contrast')).toEqual([])
      if (path === 'policy' || path === 'audit') await picture(page, `${path}-dark`)
      await page.emulateMedia({ colorScheme: 'light' })
    })
  }

  test('the numbers behind a bar stand where the pointer is', async () => {
    await open('overview', '.chart svg')
    const first = "[...document.querySelectorAll('.bar-allow')].findIndex((bar) => Number(bar.getAttribute('height')) > 0)"
    await page
      .locator('.bar-room')
      .nth(Number(await page.evaluate(first)))
      .hover()
    await page.waitForSelector('.chart-head:has-text("7 decisions")')
    expect(await page.textContent('.chart-head')).toMatch(/allow 2.*ask 4.*deny 1/)
    await page.click('.tile-deny')
    await page.waitForSelector('tbody .verdict-deny')
    expect(await page.locator('tbody tr').count()).toBe(1)
  })

  test('a decision carries its findings and every field', async () => {
    await open('decisions?decision=deny', 'tbody a')
    await page.click('tbody a')
    await page.waitForSelector('.page-approval .findings li')
    expect(await page.textContent('.main')).toContain('nobody rewrites shared history')
    await page.click('summary')
    await page.waitForSelector('.argument-key:has-text("call_digest")')
    await picture(page, 'decision')
    expect(await violations(page)).toEqual([])
  })

  test('the chain is verified on the page', async () => {
    await open('audit', '.verify button')
    await page.click('.verify button')
    await page.waitForSelector('.verify-holds')
    expect(await page.textContent('.verify-holds')).toMatch(/Holds: \d+ records/)
  })

  test('another policy is linted and replayed, and nothing comes in force', async () => {
    await open('policy', '.section-aside button')
    await page.click('.section-aside button')
    await page.fill('#policy-text', policy.replace('default: ask', 'defualt: ask'))
    await page.click('#lint')
    await page.waitForSelector('.try .findings .status-denied')
    expect(await page.textContent('.try .findings')).toContain('defualt')
    await page.fill('#policy-text', policy.replace('deny:', 'ask:'))
    await page.click('#replay')
    await page.waitForSelector('.replayed .lines a')
    expect(await page.textContent('.replayed')).toContain('1 of 7 recorded calls')
    await picture(page, 'replay')
    expect(await violations(page)).toEqual([])
    expect((await gate.as(gate.token(), 'GET', '/v1/policy')).body.text).toBe(policy)
  })

  test('a call of a server says under which other name rules held for it', async () => {
    gate.settings('.config/opencode/opencode.json', { mcp: { crm: { url: 'https://crm.example' } } })
    await gate.hear('opencode', { event: 'before', session: 's', call: 'c', directory: '/', tool: 'crm_delete_customer', args: { id: 7 } })
    await open('decisions', 'tbody a')
    await page.click('tbody tr:has-text("delete_customer") a')
    await page.waitForSelector('dt:has-text("Also named")')
    expect(await page.textContent('dt:has-text("Also named") + dd')).toContain('crm_delete_customer')
  })

  test('the keys are shown by `?`, and lead to every page', async () => {
    await page.keyboard.press('Escape')
    await open('overview', '.chart')
    await page.click('.side-keys')
    await page.waitForSelector('dialog[open]')
    await page.click('dialog button')
    await page.waitForSelector('dialog[open]', { state: 'detached' })
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[open]')
    await picture(page, 'keys')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog[open]', { state: 'detached' })
    for (const [key, title] of [
      ['d', 'Decisions'],
      ['s', 'Sessions'],
      ['l', 'Audit log'],
      ['p', 'Policy'],
      ['o', 'Overview'],
      ['i', 'Inbox'],
    ] as const) {
      // The second key counts within a second of the first, which a busy machine may miss.
      const reached = async () => {
        await page.keyboard.press('g')
        await page.keyboard.press(key)
        await page.waitForSelector(`h1:has-text("${title}")`, { timeout: 5_000 })
      }
      await vi.waitFor(reached, { timeout: 60_000 })
    }
  })

  for (const [name, options] of [
    ['dark', { dark: true }],
    ['mobile', { mobile: true }],
  ] as const) {
    test(`${name}: every page can be read and used`, async () => {
      const look = await newLook(browser, options)
      await look.page.goto(`${gate.url}/`)
      await look.page.fill('#token', gate.token())
      await look.page.keyboard.press('Enter')
      await look.page.waitForSelector('.item')
      await picture(look.page, `inbox-${name}`)
      // Colours of the dark were looked at above, page by page; widths are of the phone.
      for (const [path, ready] of name === 'mobile' ? EVERYWHERE : EVERYWHERE.slice(-1)) {
        await open(path, ready, look.page)
        expect([path, await look.page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([path, true])
        if (path === 'decisions' || path === 'sessions') await picture(look.page, `${path}-${name}`)
      }
      await picture(look.page, `overview-${name}`)
      await open('inbox', '.item', look.page)
      await look.page.click('.item >> nth=0')
      await look.page.waitForSelector('#deny')
      await look.page.waitForSelector('.timeline a')
      await picture(look.page, `call-${name}`)
      expect(await violations(look.page)).toEqual([])
      expect(look.complaints).toEqual([])
      await look.context.close()
    })
  }

  test('a lost gate is told at once, a new one is found again', async () => {
    expect(light.complaints).toEqual([])
    await open('inbox', '.live-live')
    await gate.stop()
    await page.waitForSelector('.banner')
    await picture(page, 'offline')
    expect(await violations(page)).toEqual([])
    await gate.restart()
    // Sessions of browsers do not outlive the server: the page says so and asks to sign in again.
    await page.waitForSelector('#token')
    expect(await page.textContent('.problem')).toContain('the session is over')
    await page.fill('#token', gate.token())
    await page.keyboard.press('Enter')
    await page.waitForSelector('.live-live')
    await page.waitForSelector('.item >> nth=3')
    const unexpected = light.complaints.filter(
      (said) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_ABORTED|401/.test(said),
    )
    expect(unexpected).toEqual([])
  })
})
