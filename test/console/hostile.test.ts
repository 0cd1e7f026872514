/** Text of an attacker in every place where it can appear, and pages of an attacker beside the console (T24, T63). */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { type Look, newLook, noBrowser, openBrowser, picture } from './browser.ts'
import { type ConsoleGate, startConsoleGate } from './gate.ts'

const POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [claude-code]
hazards: { packs: [] }
rules:
  ask:
    - { tool: "*", reason: '<img src=x onerror="window.hit=1"> [click](javascript:window.hit=1) \\u202e txet' }
# <script>window.hit=1</script>
`

/** Each would do harm to one kind of viewer. */
const CORPUS: readonly string[] = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  '"><svg onload=window.hit=1>',
  "'-window.hit=1-'",
  '<iframe src="javascript:parent.hit=1"></iframe>',
  '<style>*{display:none}</style>',
  '</textarea><script>window.hit=1</script>',
  '<a href="javascript:window.hit=1">Approve</a>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '[Approve](javascript:window.hit=1)',
  '![x](https://evil.example/x.png)',
  '{{constructor.constructor("window.hit=1")()}}',
  '\u001b[2K\u001b[1A\u001b[31mapproved\u001b[0m',
  '\u001b]8;;https://evil.example\u0007safe\u001b]8;;\u0007',
  'invoice\u202egpj.exe',
  '\u2066\u2067\u2069\u200f',
  'zero\u200bwidth\ufeff\u00ad',
  '\u{e0041}\u{e0050}\u{e0050}',
  `ls${' '.repeat(10_000)}; rm -rf build`,
  `ls${'\n'.repeat(300)}; rm -rf build`,
  '\r\rallowed',
  '\u2028\u2029',
  'nul\u0000nul',
  '\u0085\u009b31m',
  'e\u0301 \u0430pprove \uff52\uff4d',
  '\u0440\u0430\u0443\u0440\u0430l.com',
  `${'\u202e'.repeat(40)}hsup tig${'\u202c'.repeat(40)}`,
  `${'long '.repeat(3_000)}end`,
  '\u2800\u3000\u00a0\u180e',
  '__proto__',
  'constructor',
  'javascript:window.hit=1',
  '../../v1/approvals',
  '%2e%2e%2f?x=1#/inbox',
]

const reason = noBrowser()

describe.skipIf(reason !== null)(`hostile text and pages${reason === null ? '' : `: ${reason}`}`, () => {
  let browser: Browser
  let gate: ConsoleGate
  let look: Look
  let page: Page
  const ids: string[] = []

  beforeAll(async () => {
    ;[browser, gate] = await Promise.all([openBrowser(), startConsoleGate(POLICY)])
    look = await newLook(browser)
    page = look.page
    await page.goto(gate.loginUrl)
    await page.waitForSelector('.side')
  })

  afterAll(async () => {
    await browser.close()
    await gate.stop()
    gate.remove()
  })

  /** What no page may hold, whatever it shows. */
  async function clean(): Promise<unknown> {
    return page.evaluate(`(() => {
      const odd = [...document.querySelectorAll('script:not([src]),iframe,object,embed,base,style,meta[http-equiv],svg [onload],img')]
        .filter((element) => !(element.tagName === 'IMG' && element.src.includes('/assets/icon-')))
        .map((element) => element.outerHTML.slice(0, 80))
      const handlers = [...document.querySelectorAll('*')].filter((element) => [...element.attributes].some(({ name }) => name.startsWith('on'))).length
      const links = [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href')).filter((href) => !href.startsWith('#/'))
      const hidden = (document.body.textContent.match(/[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]|[\\u{e0000}-\\u{e007f}]/gu) ?? []).length
      return { odd, handlers, links, hidden, hit: window.hit ?? null }
    })()`)
  }
  const NOTHING = { odd: [], handlers: 0, links: [], hidden: 0, hit: null }

  /** Three texts in one call, each in a value, a name of a member and deep inside; and in every name around it, where ingress takes it. */
  async function propose(texts: readonly string[], index: number): Promise<void> {
    const [a = '', b = a, c = b] = texts
    const args = Object.fromEntries(
      texts.flatMap((text, at) => [
        [at === 0 ? 'command' : `value ${at}`, text],
        [`key ${text}`, { deep: [text] }],
      ]),
    )
    const person = { agent: `agent ${a}`, role: b, user: c, tenant: 'default', chain: texts.map((text) => `human:${text}`) }
    const full = {
      tool: `tool ${b}`,
      server: c,
      args,
      principal: person,
      session: `session ${index} ${a}`,
      cwd: '/repo',
      context: { task: a, recent: [] },
    }
    const { body } = await gate.propose(texts.every(isName) ? full : { tool: 'send_email', args, session: `plain ${index}` })
    expect([texts, body.decision]).toEqual([texts, texts.some(isTagged) ? 'deny' : 'ask'])
    if (body.decision === 'ask') ids.push(body.approval?.id ?? '')
  }

  /** The gate itself denies tag characters; they stand in its log. */
  const isTagged = (text: string): boolean => /[\u{e0000}-\u{e007f}]/u.test(text)

  /** Ingress refuses names that are long or hold what a reader cannot see. */
  function isName(text: string): boolean {
    return text.length < 300 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800\u3000\u00a0]/u.test(text)
  }

  proves(['T24', 'T63'], 'hostile text is text on every page where it can appear', async () => {
    const names = CORPUS.filter(isName)
    expect(names.length).toBeGreaterThan(15)
    const others = CORPUS.filter((text) => !isName(text) && !isTagged(text))
    let calls = 0
    for (const group of [names, others, CORPUS.filter(isTagged)])
      for (let at = 0; at < group.length; at += 3) await propose(group.slice(at, at + 3), calls++)
    await page.waitForSelector('.item >> nth=8')
    for (const [path, ready] of [
      ['inbox', '.item'],
      ['decisions', 'tbody tr >> nth=10'],
      ['sessions', 'tbody tr >> nth=10'],
      ['audit', '.records li >> nth=10'],
      ['policy', '.policy-text'],
      ['overview', '.bars'],
    ] as const) {
      await page.goto(`${gate.url}/#/${path}`)
      await page.waitForSelector(ready)
      expect([path, await clean()]).toEqual([path, NOTHING])
    }
    await picture(page, 'hostile-overview')
  })

  proves(['T24', 'T63'], 'hostile text is text in each call in full, and in its record', async () => {
    for (const id of ids) {
      await page.goto(`${gate.url}/#/approvals/${id}`)
      await page.waitForSelector(`.page-approval .arguments`)
      while ((await page.locator('.arguments .more').count()) > 0) await page.click('.arguments .more')
      expect([id, await clean()]).toEqual([id, NOTHING])
    }
    await page.goto(`${gate.url}/#/decisions`)
    await page.click('tbody a >> nth=2')
    await page.click('summary')
    await page.waitForSelector('.argument-key:has-text("sequence")')
    expect(await clean()).toEqual(NOTHING)
  })

  proves(['T24', 'T63'], 'hostile text is text in what opens: rows of the log, a session, an edit, a batch, another policy', async () => {
    await page.goto(`${gate.url}/#/audit`)
    await page.waitForSelector('.records li >> nth=10')
    for (const row of await page.locator('.records summary').all()) await row.click()
    await page.waitForSelector('.records li:nth-child(10) .argument')
    expect(await clean()).toEqual(NOTHING)
    await page.goto(`${gate.url}/#/sessions/${encodeURIComponent(`session 0 ${CORPUS[0]}`)}`)
    await page.waitForSelector('.timeline li')
    expect(await page.textContent('h1')).toBe(`session 0 ${CORPUS[0]}`)
    expect(await clean()).toEqual(NOTHING)
    await page.goto(`${gate.url}/#/approvals/${ids[0]}`)
    await page.waitForSelector('.arguments-end', { state: 'attached' })
    await page.evaluate(`document.querySelector('.arguments-end').scrollIntoView({ block: 'center' })`)
    await page.click('#edit')
    const text = await page.inputValue('#edited')
    await page.fill('#edited', text.replace('window.hit=1', `window.hit=1 ${CORPUS[1]?.replaceAll('"', "'")} \u202e`))
    await page.waitForSelector('.changes .escape:has-text("U+202E")')
    expect(await clean()).toEqual(NOTHING)
    await page.goto(`${gate.url}/#/policy`)
    await page.click('.section-aside button')
    await page.fill(
      '#policy-text',
      `version: 1\n${JSON.stringify(`${CORPUS[1]} \u202e`)}: 1\nrules: { ask: [{ tool: "<b>*" , reason: "<script>window.hit=1</script>" }] }`,
    )
    await page.click('#lint')
    await page.waitForSelector('.try .findings li')
    expect(await page.textContent('.try .findings')).toContain('<img src=x onerror=')
    expect(await clean()).toEqual(NOTHING)
    const TO = '<img src=x onerror=window.hit=1>\u202e'
    const alike = (body: string) => gate.propose({ tool: 'send_email', args: { to: TO, body }, session: 'alike' })
    for (const body of ['<img src=x onerror=window.hit=1>', CORPUS[2] ?? '']) await alike(body)
    await page.goto(`${gate.url}/#/inbox`)
    await page.click('.group:has-text("send_email") .group-head a')
    await page.waitForSelector('.batch-call >> nth=1')
    expect(await clean()).toEqual(NOTHING)
  })

  test('a call among many is looked for', async () => {
    await page.goto(`${gate.url}/#/inbox`)
    await page.waitForSelector('.item >> nth=8')
    await page.keyboard.press('/')
    await page.keyboard.type('constructor.constructor')
    await page.waitForSelector('.item >> nth=1', { state: 'detached' })
    expect(await page.textContent('.split-list')).toContain('constructor.constructor')
    await page.fill('#search', 'nothing has these words')
    await page.waitForSelector('.split-list:has-text("No call that waits matches")')
    await page.fill('#search', '')
    await page.waitForSelector('.item >> nth=8')
  })

  for (const [title, padding, expected] of [
    ['10,000 blanks', ' '.repeat(10_000), 'seen'],
    ['300 line ends', '\n'.repeat(300), 'seen'],
    ['3,000 tabs', '\t'.repeat(3_000), 'seen'],
    ['3,000 zero-width spaces', '\u200b'.repeat(3_000), 'seen'],
    ['3,000 Braille blanks', '\u2800'.repeat(3_000), 'seen'],
    ['400 lines of one blank', ' \n'.repeat(400), 'held'],
    ['blanks of every kind in turn', ' \t\u00a0\u3000'.repeat(800), 'held'],
    ['a word of 30,000 letters', 'x'.repeat(30_000), 'held'],
    ['300 lines that say it is fine', '\n# this is fine'.repeat(300), 'held'],
    ['2,000 accents on one letter', `e${'\u0301'.repeat(2_000)}`, 'seen'],
  ] as const) {
    proves('T24', `what stands behind ${title} is on the screen, or nobody can say yes: ${expected}`, async () => {
      const { body } = await gate.propose({
        tool: 'Bash',
        args: { command: `ls ${padding} ; rm -rf build` },
        session: `padded ${title}`,
        cwd: '/repo',
      })
      await page.goto(`${gate.url}/#/approvals/${body.approval?.id}`)
      await page.waitForSelector(expected === 'seen' ? '#approve:enabled' : '#blocked:has-text("Show the whole call first")')
      const held = await page.isDisabled('#approve')
      // The end of the command, as the reader's eye would find it: not out of the window, and under nothing.
      const seen = await page.evaluate(`(() => {
        const walk = document.createTreeWalker(document.querySelector('.arguments'), NodeFilter.SHOW_TEXT)
        for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
          const at = node.data.indexOf('rm -rf')
          if (at === -1) continue
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 6)
          const { left, right, top, bottom } = range.getBoundingClientRect()
          const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
          return left >= 0 && right <= innerWidth && over !== null && over.closest('.arguments') !== null
        }
        return false
      })()`)
      expect([seen, held]).toEqual(expected === 'seen' ? [true, false] : [false, true])
    })
  }

  proves('T63', 'a comment, an answer and a search are text, too', async () => {
    const id = ids[0] ?? ''
    await page.goto(`${gate.url}/#/approvals/${id}`)
    await page.fill('#comment', `${CORPUS[1]} ${CORPUS[15]}`)
    await page.click('#deny')
    // The next call may be open already; this one is a link away.
    await page.waitForSelector('.answers, .last-answer a')
    if ((await page.locator('.last-answer a').count()) > 0) await page.click('.last-answer a')
    await page.waitForSelector('.answers')
    expect(await page.textContent('.answers')).toContain('<img src=x onerror="window.hit=1"> invoice⟨U+202E⟩gpj.exe')
    expect(await clean()).toEqual(NOTHING)
    await page.goto(`${gate.url}/#/decisions?q=${encodeURIComponent(CORPUS[0] ?? '')}`)
    await page.waitForSelector('tbody tr')
    expect(await clean()).toEqual(NOTHING)
    for (const hash of [
      '#/sessions/%3Cscript%3Ewindow.hit=1%3C/script%3E',
      '#/approvals/..%2F..%2Fwhoami',
      '#/decisions/%00',
      '#/batch/%22%3E%3Cimg%20src=x%20onerror=hit=1%3E',
      '#login-error=%3Cimg%20src=x%20onerror=hit=1%3E',
    ]) {
      await page.goto(`${gate.url}/${hash}`)
      await page.waitForSelector('.page, .split')
      expect([hash, await clean()]).toEqual([hash, NOTHING])
    }
    // Records that do not exist are answered by 404, which the browser notes.
    expect(look.complaints.filter((said) => !/status of 4\d\d/.test(said))).toEqual([])
  })

  describe('pages of others', () => {
    let evil: Server
    let port = 0

    beforeAll(async () => {
      evil = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>evil</title><body>'),
      ).listen(0, '127.0.0.1')
      await new Promise((resolve) => evil.once('listening', resolve))
      port = (evil.address() as AddressInfo).port
    })

    afterAll(() => {
      evil.closeAllConnections()
      evil.close()
    })

    // The cookie is sent between ports of one host (it is the same site), and not between hosts: both have to fail.
    for (const host of ['127.0.0.1', 'localhost']) {
      proves('T63', `a page at ${host} on another port can neither read, nor answer, nor frame`, async () => {
        const { body } = await gate.propose({ tool: 'send_email', args: { to: `${host}@example.com` }, session: `s-${host}` })
        const id = body.approval?.id ?? ''
        const hostile = await look.context.newPage()
        await hostile.goto(`http://${host}:${port}/`)
        const tried = await hostile.evaluate(`(async () => {
          const at = '${gate.url}'
          const told = async (path, init) => {
            try {
              const response = await fetch(at + path, init)
              return response.type === 'opaque' ? 'opaque' : 'read ' + response.status
            } catch { return 'failed' }
          }
          const json = { 'content-type': 'application/json', 'x-countersign-csrf': 'x' }
          const yes = '/v1/approvals/${id}/approve'
          return [
            await told('/v1/approvals', { credentials: 'include' }),
            await told('/v1/whoami', { credentials: 'include' }),
            await told(yes, { method: 'POST', credentials: 'include', headers: json, body: '{}' }),
            await told(yes, { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{}' }),
            await told('/v1/login', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }),
          ]
        })()`)
        // What went out without its answer being read is looked for in the approval itself, below.
        expect((tried as readonly string[]).filter((said) => said !== 'failed' && said !== 'opaque')).toEqual([])
        const framed = await hostile.evaluate(`new Promise((resolve) => {
          const frame = document.createElement('iframe')
          frame.name = 'target'
          frame.onload = () => { let seen = 'closed'; try { seen = frame.contentDocument === null ? 'closed' : 'open' } catch {} resolve(seen) }
          frame.src = '${gate.url}/'
          document.body.append(frame)
        })`)
        expect(framed).toBe('closed')
        expect(await framesOf(hostile)).toEqual([])
        const posted = hostile.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/approve'))
        await hostile.evaluate(`(() => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'POST', action: '${gate.url}/v1/approvals/${id}/approve', target: 'target', enctype: 'text/plain' })
          const field = document.createElement('input')
          Object.assign(field, { name: '{"comment":"', value: '"}' })
          form.append(field)
          document.body.append(form)
          form.submit()
        })()`)
        expect((await posted).status()).toBeGreaterThanOrEqual(400)
        await hostile.close()
        expect((await gate.as(gate.token(), 'GET', `/v1/approvals/${id}`)).body).toMatchObject({ status: 'pending', answers: [] })
      })
    }

    /** Documents of the console that a page holds in frames and that show anything. */
    async function framesOf(hostile: Page): Promise<readonly string[]> {
      const shown: string[] = []
      for (const frame of hostile.frames())
        if (frame.url().startsWith(gate.url) && (await frame.locator('#app').count()) > 0) shown.push(frame.url())
      return shown
    }

    for (const [title, headers] of [
      ['a name that resolves here', { host: 'evil.example' }],
      ['a page without an origin', { origin: 'null' }],
      ['the origin of another', { origin: 'http://evil.example' }],
      ['an origin twice', { origin: ['http://127.0.0.1', 'http://evil.example'] }],
    ] as const) {
      proves('T63', `${title} is turned away, even with a good token`, async () => {
        const status = await new Promise((resolve, reject) => {
          const { hostname, port: at } = new URL(gate.url)
          const sent = { 'content-type': 'application/json', authorization: `Bearer ${gate.token()}`, ...headers }
          request(
            { hostname, port: at, path: `/v1/approvals/${ids[1]}/deny`, method: 'POST', headers: sent as Record<string, string> },
            (response) => resolve(response.resume().statusCode),
          )
            .on('error', reject)
            .end('{}')
        })
        expect([400, 403, 421]).toContain(status)
        expect((await gate.as(gate.token(), 'GET', `/v1/approvals/${ids[1]}`)).body.status).toBe('pending')
      })
    }

    test('the same requests from the console itself are taken: the walls stand where they should', async () => {
      await page.goto(`${gate.url}/#/approvals/${ids[1]}`)
      await page.click('#deny')
      await page.waitForSelector(`.approval-head .status-denied, .last-answer a[href$="${ids[1]}"]`)
    })

    for (const [name, pattern] of [
      ['content-security-policy', /default-src 'self'.*frame-ancestors 'none'|frame-ancestors 'none'.*default-src 'self'/],
      ['x-content-type-options', /nosniff/],
      ['referrer-policy', /no-referrer|same-origin/],
      ['cross-origin-opener-policy', /same-origin/],
    ] as const) {
      proves('T63', `the page is sent with ${name}`, async () => {
        expect((await fetch(`${gate.url}/`)).headers.get(name)).toMatch(pattern)
      })
    }
  })
})
