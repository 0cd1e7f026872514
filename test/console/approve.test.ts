/** The scripted run of approvals: a real `countersign serve`, an agent over HTTP, people in a real Chromium. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { proves } from '../proves.ts'
import { type Look, newLook, noBrowser, openBrowser, picture, violations } from './browser.ts'
import { type ConsoleGate, startConsoleGate } from './gate.ts'

const POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [claude-code]
rules: { read_only: { auto_allow: true } }
approvals: { approve_within: 15m, use_within: 5m }
`
const TWO = POLICY.replace('approvals: {', 'approvals: { quorum: 2,')

const reason = noBrowser()

describe.skipIf(reason !== null)(`approving in a browser${reason === null ? '' : `: ${reason}`}`, () => {
  let browser: Browser
  let gate: ConsoleGate
  const looks: Look[] = []

  beforeAll(async () => {
    ;[browser, gate] = await Promise.all([openBrowser(), startConsoleGate(POLICY)])
  })

  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    for (const [index, { page }] of looks.entries()) await picture(page, `failed-${index}`)
  })

  afterAll(async () => {
    await browser.close()
    await gate.stop()
    gate.remove()
    expect(looks.flatMap(({ complaints }) => complaints)).toEqual([])
  })

  const people = new Map<string, Page>()

  /** The page of a person, the operator's without a name; one page each for the whole run. */
  async function signedIn(name = ''): Promise<Page> {
    const known = people.get(name)
    if (known !== undefined) return known
    const look = await newLook(browser)
    looks.push(look)
    await enter(look.page, name)
    people.set(name, look.page)
    return look.page
  }

  async function enter(page: Page, name = ''): Promise<void> {
    await page.goto(`${gate.url}/`)
    await page.fill('#token', name === '' ? gate.token() : gate.token(name))
    await page.keyboard.press('Enter')
    await page.waitForSelector('.side')
  }

  let sessions = 0
  function call(command: string, more: JsonObject = {}): JsonObject {
    sessions++
    const principal = { agent: 'claude-code', role: 'coder', user: 'u-17', tenant: 'default', chain: ['human:u-17'] }
    return { tool: 'Bash', args: { command }, principal, session: `s-${sessions}`, cwd: '/repo', ...more }
  }

  /** Asks, and gives what the agent needs to come again. */
  async function asked(proposed: JsonObject): Promise<{ readonly id: string; readonly token: string }> {
    const { status, body, headers } = await gate.propose(proposed)
    const { id = '', token = '' } = body.approval ?? {}
    expect([status, body.decision, headers.get('location')]).toEqual([202, 'ask', `/v1/approvals/${id}`])
    expect(id).toMatch(/^apr_/)
    return { id, token }
  }

  async function answer(page: Page, id: string, button: 'approve' | 'deny', comment = ''): Promise<void> {
    await page.goto(`${gate.url}/#/approvals/${id}`)
    if (comment !== '') await page.fill('#comment', comment)
    await page.click(`#${button}`)
    await shows(page, id, `.approval-head .status-${button === 'approve' ? 'approved' : 'denied'}`)
  }

  /** After an answer the next call that waits opens by itself; this goes back to the one that was answered. */
  async function shows(page: Page, id: string, selector: string): Promise<void> {
    const back = `.last-answer a[href$="${id}"]`
    await page.waitForSelector(`${selector}, ${back}`)
    if ((await page.locator(back).count()) > 0) await page.click(back)
    await page.waitForSelector(selector)
  }

  /** Nothing waits after it. */
  async function denyAll(): Promise<void> {
    const { body } = await gate.as(gate.token(), 'GET', '/v1/approvals?status=pending&limit=50')
    const ids = (body.approvals as readonly { readonly id: string }[]).map(({ id }) => id)
    if (ids.length > 0) await gate.as(gate.token(), 'POST', '/v1/approvals/batch', { ids, verdict: 'deny' })
  }

  /** Accessible as it stands, and in the colours of the dark. */
  async function readable(page: Page): Promise<void> {
    expect(await violations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, 'color-contrast')).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }

  /** Changes the policy, and waits until the server has taken it up. */
  async function inForce(policy: string): Promise<void> {
    const before = await digestInForce()
    gate.setPolicy(policy)
    while ((await digestInForce()) === before) await new Promise((resolve) => setTimeout(resolve, 25))
  }

  async function digestInForce(): Promise<string> {
    const { status, body } = await gate.as(gate.token(), 'GET', '/v1/policy')
    expect(status).toBe(200)
    return String(body.digest)
  }

  /** Calls whatever the page's own script may call, past every button, as the person who is signed in there. */
  function past(page: Page, path: string): Promise<unknown> {
    return page.evaluate(`(async () => {
      const who = await (await fetch('/v1/whoami')).json()
      const answer = await fetch('${path}', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-countersign-csrf': who.csrf },
        body: '{}',
      })
      return [answer.status, (await answer.json()).error]
    })()`)
  }

  proves(
    ['SIG-35', 'P6', 'P7', 'P8', 'T01', 'T21', 'T25'],
    'the scripted run, from the first call to the second of two approvers',
    async () => {
      const operator = await signedIn()
      const push = call('git push --force origin main')

      // It waits, is approved in Chromium, runs once, and is asked again.
      const first = await asked(push)
      expect((await gate.propose(push, first.token)).status).toBe(202)
      await answer(operator, first.id, 'approve', 'the branch is mine')
      const ran = await gate.propose(push, first.token)
      expect(ran.status).toBe(200)
      // A yes within two seconds is told (T23), so the call runs with a flag.
      expect(['allow', 'flag']).toContain(ran.body.decision)
      const again = await gate.propose(push, first.token)
      expect(again.status).toBe(202)
      const used = await gate.as(gate.token(), 'GET', `/v1/approvals/${first.id}`)
      expect(used.body).toMatchObject({ status: 'consumed', answers: [{ verdict: 'approve', reason: 'the branch is mine' }] })

      // Arguments that differ by one byte are another call; the first is still free to run.
      const second = { id: again.body.approval?.id ?? '', token: again.body.approval?.token ?? '' }
      expect(second.id).not.toBe(first.id)
      await answer(operator, second.id, 'approve')
      const other = { ...push, args: { command: 'git push --force origin maim' } }
      expect((await gate.propose(other, second.token)).status).toBe(202)
      expect((await asked(other)).id).not.toBe(second.id)
      expect((await gate.propose(push, second.token)).status).toBe(200)

      // A yes does not outlive the policy under which it was given.
      const third = await asked(push)
      await answer(operator, third.id, 'approve')
      await inForce(`${POLICY}mode: enforce\n`)
      const stale = await gate.propose(push, third.token)
      expect([stale.status, stale.body.decision]).toEqual([202, 'ask'])
      await inForce(POLICY)

      // Who asked cannot approve: not by the button, not past it.
      const mine = call('git push --force origin main', {
        principal: { agent: null, role: 'coder', user: 'alice', tenant: 'default', chain: [] },
      })
      const fourth = await asked(mine)
      const alice = await signedIn('human:alice')
      await alice.goto(`${gate.url}/#/approvals/${fourth.id}`)
      await alice.waitForSelector('#blocked:has-text("You asked for this call")')
      expect(await alice.isDisabled('#approve')).toBe(true)
      await picture(alice, 'requester')
      expect(await past(alice, `/v1/approvals/${fourth.id}/approve`)).toEqual([403, 'approval.requester'])
      looks.at(-1)?.complaints.splice(0)
      expect((await gate.propose(mine, fourth.token)).status).toBe(202)

      // Where two have to agree, one yes waits for the other, and the first approver sees the second without doing anything.
      await inForce(TWO)
      const fifth = await asked(push)
      const bob = await signedIn('human:bob')
      await bob.goto(`${gate.url}/#/approvals/${fifth.id}`)
      await bob.click('#approve')
      await shows(bob, fifth.id, '.approval-head .steps:has-text("1 of 2")')
      expect(await bob.isDisabled('#approve')).toBe(true)
      expect((await gate.propose(push, fifth.token)).status).toBe(202)
      await answer(await signedIn('human:carol'), fifth.id, 'approve')
      await bob.waitForSelector('.approval-head .status-approved')
      expect((await gate.propose(push, fifth.token)).status).toBe(200)
      await inForce(POLICY)
    },
  )

  test('what one answers, the other sees without a reload; who comes second is told how it stands', async () => {
    const [bob, carol] = [await signedIn('human:bob'), await signedIn('human:carol')]
    const { id } = await asked(call('git push --force origin main'))
    const seen = `a.item[href$="${id}"]`
    await bob.goto(`${gate.url}/#/inbox`)
    await bob.waitForSelector(seen)
    // Carol's page is kept from hearing of it, as on a slow line: she presses a button that is no longer right.
    await carol.goto(`${gate.url}/#/approvals/${id}`)
    await carol.waitForSelector('#approve')
    await carol.route(`**/v1/approvals/${id}`, (way) => way.abort())
    await answer(await signedIn(), id, 'deny', 'not now')
    await bob.waitForSelector(seen, { state: 'detached' })
    await carol.click('#approve')
    expect(await carol.textContent('.answer .failure')).toMatch(/Not taken: .*denied.* how it stands/s)
    await picture(carol, 'second')
    await carol.unroute(`**/v1/approvals/${id}`)
    await carol.reload()
    await carol.waitForSelector('.approval-head .status-denied')
    expect(await carol.textContent('.answers')).toContain('not now')
    expect(await carol.locator('#approve').count()).toBe(0)
    for (const { page, complaints } of looks) if (page === carol) complaints.splice(0)
  })

  test('a no is final, whatever comes after', async () => {
    const page = await signedIn()
    const push = call('git push --force origin main')
    const { id, token } = await asked(push)
    await answer(page, id, 'deny', 'not on a Friday')
    expect(await page.locator('#deny').count()).toBe(0)
    const again = await gate.propose(push, token)
    expect([again.status, again.body.decision]).toEqual([403, 'deny'])
    expect(JSON.stringify(again.body.agent_reason)).not.toContain('Friday')
  })

  proves('T23', 'keys open what has the focus, and answer nothing before a call was seen and stood for a moment', async () => {
    // Its moment is one of its own clock, which stands still but where it is told to go on: the machine may be as slow as it likes.
    const look = await newLook(browser)
    looks.push(look)
    const { page } = look
    await page.clock.install()
    await enter(page)
    /** Until it is there, by steps that are short beside the moment. */
    const shown = async (selector: string): Promise<void> => {
      while ((await page.locator(selector).count()) === 0) await page.clock.runFor(20)
    }
    await denyAll()
    const [first, second] = [await asked(call('git push --force origin main')), await asked(call('git push --force origin other'))]
    await page.goto(`${gate.url}/#/inbox`)
    await page.waitForSelector(`a.item[href$="${second.id}"]`)
    await page.click('.page-head h1 >> visible=true')
    // Without a call that has the focus, Enter opens none.
    await page.keyboard.press('Enter')
    expect(page.url()).toMatch(/#\/inbox$/)
    await page.keyboard.press('j')
    await page.waitForSelector(`a.item-cursor[href$="${first.id}"]:focus`)
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await page.keyboard.press('Enter')
    await shown('#deny')
    // Just opened: no button has the focus, none can be pressed, and no key answers.
    for (const key of ['d', 'Enter', 'a', 'Enter']) await page.keyboard.press(key)
    expect((await gate.as(gate.token(), 'GET', `/v1/approvals/${first.id}`)).body).toMatchObject({ status: 'pending', answers: [] })
    await shown('.answer[data-ready="yes"]')
    await page.keyboard.press('a')
    expect(await page.evaluate('document.activeElement.id')).toBe('approve')
    await page.keyboard.press('d')
    expect(await page.evaluate('document.activeElement.id')).toBe('deny')
    await page.keyboard.press('Enter')
    // The next one is open, nothing of it has the focus, and the keys of the answer before it do nothing here.
    await shown(`.last-answer a[href$="${first.id}"]`)
    await shown('.approval-head h1:focus')
    expect(await page.getAttribute('.answer', 'data-ready')).toBe('no')
    for (const key of ['Enter', 'd', 'Enter']) await page.keyboard.press(key)
    expect(page.url()).toContain(second.id)
    const states = await Promise.all(
      [first, second].map(async ({ id }) => (await gate.as(gate.token(), 'GET', `/v1/approvals/${id}`)).body.status),
    )
    expect(states).toEqual(['denied', 'pending'])
    await picture(page, 'next')
  })

  proves(['PIT-15', 'T23'], 'what decides stands first: money as amount, payee and account; a file as a difference; the task', async () => {
    const page = await signedIn()
    const context = { task: 'pay the rent', recent: [] }
    const pays = await asked(
      call('', { tool: 'pay_invoice', args: { payee: 'ACME', iban: 'DE89', amount: 500, currency: 'EUR' }, context }),
    )
    await page.goto(`${gate.url}/#/approvals/${pays.id}`)
    await page.waitForSelector('.approval-head h1')
    expect(await page.textContent('.approval-head h1')).toContain('500 EUR to ACME')
    expect(await page.textContent(`a.item[href$="${pays.id}"]`)).toMatch(/500 EUR to ACME.*pay_invoice.*money/s)
    const order = await page.locator('.approval-body h2').allTextContents()
    expect(order.slice(0, 2)).toEqual(['Why it asks', 'The task, as the agent says'])
    expect(order.indexOf('The session so far')).toBeLessThan(order.indexOf('Bound to'))
    expect(await page.textContent('.task')).toBe('pay the rent')
    await picture(page, 'money')
    await readable(page)
    const write = await asked(call('', { tool: 'Write', args: { file_path: '/nowhere/of/mine/a.txt', content: 'hello\n' } }))
    await page.goto(`${gate.url}/#/approvals/${write.id}`)
    await page.waitForSelector('.diff-added')
    expect(await page.textContent('.file-change')).toMatch(/created.*\/nowhere\/of\/mine\/a\.txt.*\+hello/s)
    await picture(page, 'diff')
    await readable(page)
    await denyAll()
  })

  proves('T24', 'a call that is cut cannot be approved before all of it was on the page', async () => {
    const page = await signedIn()
    const { id } = await asked(call(`git push --force origin main # ${'a'.repeat(9_000)}\n rm -rf build`))
    await page.goto(`${gate.url}/#/approvals/${id}`)
    await page.waitForSelector('.value-cut')
    expect(await page.isDisabled('#approve')).toBe(true)
    expect(await page.textContent('#blocked')).toContain('Show the whole call first')
    expect(await page.textContent('.arguments')).not.toContain('rm -rf build')
    await picture(page, 'cut')
    await page.click('.value-cut .more')
    expect(await page.textContent('.arguments')).toContain('rm -rf build')
    // All of it is on the page now, but its end is below what the window shows.
    await page.waitForSelector('#blocked:has-text("goes on below")')
    expect(await page.isDisabled('#approve')).toBe(true)
    // `a` reads on by half a screen at a time, and is at Approve once there is no more.
    while (await page.isDisabled('#approve')) await page.keyboard.press('a')
    await page.keyboard.press('a')
    expect(await page.evaluate('document.activeElement.id')).toBe('approve')
    await denyAll()
  })

  proves('T24', 'names are never cut where a call is shown in full', async () => {
    const page = await signedIn()
    const end = `${'x'.repeat(3_000)} the end`
    const { id } = await asked(
      call('', { tool: 'send_email', args: { to: 'a@example.com', [`key ${end}`]: 1 }, cwd: `/${'deep/'.repeat(200)}end` }),
    )
    await page.goto(`${gate.url}/#/approvals/${id}`)
    await page.waitForSelector('.arguments')
    expect(await page.textContent('.arguments')).toContain(end)
    expect(await page.textContent('.facts')).toContain('deep/deep/end')
    await denyAll()
  })

  test('the glass is broken alone, with a reason, and everybody sees it', async () => {
    await inForce(TWO.replace('quorum: 2,', 'quorum: 2, break_glass: ["human:bob"],'))
    const push = call('git push --force origin main')
    const { id, token } = await asked(push)
    const bob = await signedIn('human:bob')
    await bob.goto(`${gate.url}/#/approvals/${id}`)
    await bob.check('.check input')
    expect([await bob.isDisabled('#approve'), await bob.textContent('#blocked')]).toEqual([true, expect.stringContaining('needs a reason')])
    await bob.fill('#comment', 'production is down')
    await picture(bob, 'break-glass')
    await bob.click('#approve')
    await shows(bob, id, '.answers .status-broken')
    expect(await bob.textContent('.answers')).toContain('production is down')
    expect((await gate.propose(push, token)).status).toBe(200)
    const operator = await signedIn()
    await operator.goto(`${gate.url}/#/approvals/${id}`)
    await operator.waitForSelector('.answers .status-broken')
    await inForce(POLICY)
  })

  proves(
    'T23',
    'calls to the same target are answered together, each listed and each ticked; one to another is not among them',
    async () => {
      const page = await signedIn()
      const mail = (to: string, body: string) => call('', { tool: 'send_email', args: { to, subject: 'Invoice', body } })
      const ids: string[] = []
      for (const body of ['one', 'two', 'three']) ids.push((await asked(mail('a@example.com', body))).id)
      const other = await asked(mail('b@example.com', 'four'))
      await page.goto(`${gate.url}/#/inbox`)
      await page.click('.group:has-text("send_email") .group-head a')
      await page.waitForSelector('.batch-call:nth-child(3)')
      for (const body of ['one', 'two', 'three']) expect(await page.textContent('.batch')).toContain(body)
      expect(await page.textContent('.batch')).not.toContain('b@example.com')
      const both = await gate.as(gate.token(), 'POST', '/v1/approvals/batch', { ids: [ids[2] ?? '', other.id], verdict: 'approve' })
      expect(both.body).toMatchObject({ results: [{ ok: true }, { ok: false, error: { error: 'approval.not_alike' } }] })
      // The page hears of it a moment later, and its rows move.
      await page.waitForSelector('.batch-call:nth-child(3)', { state: 'detached' })
      expect(await page.isDisabled('#approve')).toBe(true)
      await page.check('.batch-call:nth-child(1) input')
      await page.check('.batch-call:nth-child(2) input')
      await picture(page, 'batch-ticked')
      await readable(page)
      await page.click('#approve')
      await page.waitForSelector('.batch-call:nth-child(2)', { state: 'detached' })
      const states = await Promise.all(ids.map(async (id) => (await gate.as(gate.token(), 'GET', `/v1/approvals/${id}`)).body.status))
      expect(states).toEqual(['approved', 'approved', 'approved'])
      await denyAll()
    },
  )

  test('a yes for the session lets the same through again, and nothing else', async () => {
    const page = await signedIn()
    const push = call('docker push registry.example.com/acme/app:1')
    const { id } = await asked(push)
    await page.goto(`${gate.url}/#/approvals/${id}`)
    await page.click('.scopes summary')
    await page.click('.scope:has-text("session")')
    expect(await page.textContent('.scopes summary')).toContain('up to 20 times within 60 minutes')
    await picture(page, 'scopes')
    await readable(page)
    await page.click('#approve')
    await shows(page, id, '.approval-head .status-approved')
    expect([(await gate.propose(push)).status, (await gate.propose(push)).status]).toEqual([200, 200])
    await asked({ ...push, args: { command: 'docker push registry.example.com/acme/app:1 && npm publish --access public' } })
  })

  proves('PRO-28', 'changed arguments are shown as a difference, decided again, and run as changed', async () => {
    const page = await signedIn()
    const mail = call('', { tool: 'send_email', args: { to: 'all@example.com', subject: 'Invoice', body: 'Hello' } })
    const { id } = await asked(mail)
    await page.goto(`${gate.url}/#/approvals/${id}`)
    await page.click('#edit')
    const text = await page.inputValue('#edited')
    await page.fill('#edited', text.replace('    "to"', ' "to"').replace('all@example.com', 'bob@example.com'))
    expect(await page.textContent('.changes')).toMatch(/\/to.*all@example\.com.*bob@example\.com/)
    await picture(page, 'edit')
    await readable(page)
    await page.fill('#edited', '{ "to": "bob@example.com" }')
    expect([await page.isDisabled('#decide'), await page.textContent('.edit .problem')]).toEqual([
      true,
      expect.stringContaining('taken away: '),
    ])
    await page.fill('#edited', text.replace('all@example.com', 'bob@example.com'))
    await page.click('#decide')
    await page.waitForSelector('.section:has-text("Changed by a person") .changes')
    expect((await gate.propose(mail)).status).toBe(202)
    await page.click('#approve')
    await shows(page, id, '.approval-head .status-approved')
    await picture(page, 'edited')
    const told = await gate.propose(mail)
    expect([told.status, told.body.code]).toEqual([403, 'approval.with_changes'])
    expect(told.body.agent_reason).toContain('bob@example.com')
    const changed = { ...mail, args: { to: 'bob@example.com', subject: 'Invoice', body: 'Hello' } }
    expect([(await gate.propose(changed)).status, (await gate.propose(changed)).status]).toEqual([200, 202])
  })

  test('a viewer sees everything and answers nothing', async () => {
    const { id } = await asked(call('git push --force origin main'))
    const look = await newLook(browser)
    looks.push(look)
    await look.page.goto(`${gate.url}/`)
    await look.page.fill('#token', gate.token('human:vera', 'viewer'))
    await look.page.keyboard.press('Enter')
    await look.page.click(`a.item[href$="${id}"]`)
    await look.page.waitForSelector('#blocked:has-text("not answer")')
    expect(await look.page.locator('.answer button, .answer input').count()).toBe(0)
    await picture(look.page, 'viewer')
    await look.page.keyboard.press('a')
    await look.page.keyboard.press('Enter')
    for (const verdict of ['approve', 'deny'])
      expect(await past(look.page, `/v1/approvals/${id}/${verdict}`)).toEqual([403, 'http.forbidden'])
    look.complaints.splice(0)
    expect((await gate.as(gate.token(), 'GET', `/v1/approvals/${id}`)).body).toMatchObject({ status: 'pending', answers: [] })
  })
})
