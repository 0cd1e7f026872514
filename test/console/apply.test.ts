/** "Apply exactly this" in a real Chromium: a person looks at what a command would leave, presses, and the files are what was shown. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { perlHere } from '../../src/sandbox/attributes.ts'
import { triedOut } from '../support/trials.ts'
import { type Look, newLook, noBrowser, openBrowser, picture, violations } from './browser.ts'
import { type ConsoleGate, startConsoleGate } from './gate.ts'

const POLICY = `version: 1
unregistered: ask
tool_families: [claude-code]
hazards: { packs: [] }
preview: { apply: {} }
rules: { ask: [{ tool: Bash, reason: careful }] }
`
const reason = noBrowser()

/** Names and contents that would be markup, end a line, or turn text around. */
const HOSTILE_NAMES = ['<img src=x onerror="window.hit=1">', 'x\u202egnp.sh', 'line\nnext', '"><svg onload=window.hit=1>']
const HOSTILE_TEXT = '<script>window.hit=1</script>\n</pre><iframe src="javascript:parent.hit=1"></iframe>\n\u202ehsup tig\n\u001b[2Kgone\n'

describe.skipIf(reason !== null)(`the changes of a preview in a browser${reason === null ? '' : `: ${reason}`}`, () => {
  let browser: Browser
  let gate: ConsoleGate
  let look: Look
  let page: Page
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'cs-apply-console-')))
  const at = (name: string): string => join(work, name)

  beforeAll(async () => {
    ;[browser, gate] = await Promise.all([openBrowser(), startConsoleGate(POLICY)])
    look = await newLook(browser)
    page = look.page
    await page.goto(`${gate.url}/`)
    await page.fill('#token', gate.token())
    await page.keyboard.press('Enter')
    await page.waitForSelector('.side')
    mkdirSync(at('build'))
    writeFileSync(at('build/a.js'), 'one\n')
    writeFileSync(at('run.sh'), 'echo 1\n', { mode: 0o644 })
    writeFileSync(at('notes.txt'), 'first\n')
  })
  afterAll(async () => {
    await browser.close()
    await gate.stop()
    gate.remove()
    rmSync(work, { recursive: true, force: true })
    // The browser itself tells of the answer to what drifted.
    expect(look.complaints.filter((text) => !text.includes('409 (Conflict)'))).toEqual([])
  })

  const propose = (command: string) => gate.propose({ tool: 'Bash', args: { command }, cwd: work, session: 's-apply' })

  /** The page of the call, once it is asked about. */
  async function waiting(command: string): Promise<string> {
    const { body } = await propose(command)
    expect([body.decision, body.approval?.id]).toEqual(['ask', expect.stringMatching(/^apr_/)])
    const id = body.approval?.id ?? ''
    await page.goto(`${gate.url}/#/approvals/${id}`)
    await page.getByRole('heading', { name: 'What would change' }).waitFor()
    return id
  }

  /** A yes needs a call that was seen whole. */
  async function applyExactlyThis(): Promise<void> {
    await page.getByRole('heading', { name: 'Bound to' }).scrollIntoViewIfNeeded()
    await page.locator('.scopes summary').click()
    await page.locator('.scopes label').filter({ hasText: 'that the preview shows' }).click()
    const answered = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/approve'))
    await page.getByRole('button', { name: 'Apply exactly this' }).click()
    await answered
  }

  const stored = async (id: string) => (await gate.as(gate.token(), 'GET', `/v1/approvals/${id}`)).body

  /** What is drawn as a difference, line by line. */
  const shownLines = (): Promise<readonly string[]> => page.locator('.diff-line').allTextContents()

  triedOut('the difference stands above the button, and the files become byte for byte what it shows', async () => {
    const command = 'rm -r build; echo second >> notes.txt; chmod 755 run.sh; curl -s http://203.0.113.9/ || true'
    const id = await waiting(command)
    for (const text of [
      `deleted ${at('build/a.js')}`,
      `changed ${at('notes.txt')}`,
      'permissions 0644 → 0755',
      'Tried to reach the network, packets without a way out: ',
    ])
      expect(await page.locator('.page-approval').innerText()).toContain(text)
    const started = await page.locator('.started code').allTextContents()
    if (perlHere() !== null)
      expect(started.map((line) => line.split(': ')[1])).toEqual(expect.arrayContaining(['rm -r build', 'chmod 755 run.sh']))
    expect(await shownLines()).toEqual(expect.arrayContaining(['-one', ' first', '+second']))
    const [diff, button] = [await page.locator('.diff-line').first().boundingBox(), await page.locator('#approve').boundingBox()]
    // On the same screen: who presses sees what is pressed.
    expect([diff === null, button !== null && button.y + button.height <= 900]).toEqual([false, true])
    expect(await violations(page)).toEqual([])
    await picture(page, 'apply-exactly-this')
    await applyExactlyThis()
    expect((await stored(id)).status).toBe('consumed')
    expect(readFileSync(at('notes.txt'), 'utf8')).toBe('first\nsecond\n')
    expect([existsSync(at('build/a.js')), statSync(at('run.sh')).mode & 0o777]).toEqual([false, 0o755])
    const { body } = await propose(command)
    expect([body.decision, body.code]).toEqual(['deny', 'approval.applied'])
  })

  triedOut('what changed in between is refused, and the call is shown anew', async () => {
    const command = 'sed -i s/first/third/ notes.txt'
    const id = await waiting(command)
    writeFileSync(at('notes.txt'), 'first, by somebody else\n')
    await applyExactlyThis()
    await page.getByRole('alert').getByText('changed since it was previewed').waitFor()
    expect(readFileSync(at('notes.txt'), 'utf8')).toBe('first, by somebody else\n')
    const again = await waiting(command)
    expect([again === id, (await stored(id)).status]).toEqual([false, 'cancelled'])
    expect(await shownLines()).toEqual(expect.arrayContaining(['-first, by somebody else', '+third, by somebody else']))
    await applyExactlyThis()
    expect(readFileSync(at('notes.txt'), 'utf8')).toBe('third, by somebody else\n')
  })

  triedOut('hostile names and contents are drawn as text, 10 MB of them are told and applied', async () => {
    writeFileSync(at('names'), HOSTILE_NAMES.map((name) => `${name}\0`).join(''))
    writeFileSync(at('text'), HOSTILE_TEXT)
    const command = `while IFS= read -r -d '' name; do cp text "hostile-$name"; done < names
head -c 10000000 /dev/zero | tr '\\0' '<' > big.html; yes '<b onclick=window.hit=1>' | head -n 9000 > long.html`
    const id = await waiting(command)
    const shown = await page.locator('.page-approval').innerText()
    for (const text of ['hostile-<img src=x onerror="window.hit=1">', '<script>window.hit=1</script>', 'big.html'])
      expect(shown).toContain(text)
    expect(await page.evaluate(MARKUP)).toEqual({ markup: [], hidden: 0, hit: null })
    await applyExactlyThis()
    expect((await stored(id)).status).toBe('consumed')
    for (const name of HOSTILE_NAMES) expect(readFileSync(at(`hostile-${name}`), 'utf8')).toBe(HOSTILE_TEXT)
    expect([statSync(at('big.html')).size, readdirSync(work).filter((name) => name.startsWith('.countersign'))]).toEqual([10_000_000, []])
  })
})

/** What of the page came from text that was to be shown. */
const MARKUP = `(() => {
  const found = [...document.querySelectorAll('.page-approval script, .page-approval iframe, .page-approval img, .page-approval svg[onload]')]
  const hidden = (document.querySelector('.page-approval').textContent.match(/[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]/gu) ?? []).length
  return { markup: found.map((element) => element.outerHTML.slice(0, 80)), hidden, hit: window.hit ?? null }
})()`
