/** Taking back in a real Chromium: a call ran, a person looks at what its way back would do, and presses. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Look, newLook, noBrowser, openBrowser, violations } from './browser.ts'
import { type ConsoleGate, startConsoleGate } from './gate.ts'

const POLICY = `version: 1
unregistered: ask
tool_families: [claude-code]
undo: { require_way_back: false }
rules: { allow: [{ tool: Bash, when: "true", reason: fine }] }
`
const reason = noBrowser()

describe.skipIf(reason !== null)(`taking back in a browser${reason === null ? '' : `: ${reason}`}`, () => {
  let browser: Browser
  let gate: ConsoleGate
  let look: Look
  let page: Page
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'cs-undo-console-')))
  const file = join(work, 'notes')

  beforeAll(async () => {
    ;[browser, gate] = await Promise.all([openBrowser(), startConsoleGate(POLICY)])
    look = await newLook(browser)
    page = look.page
    await page.goto(`${gate.url}/`)
    await page.fill('#token', gate.token())
    await page.keyboard.press('Enter')
    await page.waitForSelector('.side')
  })
  afterAll(async () => {
    await browser.close()
    await gate.stop()
    gate.remove()
    rmSync(work, { recursive: true, force: true })
    // The browser itself tells of the answer to what was not shown.
    expect(look.complaints.filter((text) => !text.includes('409 (Conflict)'))).toEqual([])
  })

  /** An agent's call that the gate lets run, and what it then does. */
  async function ran(command: string, act: () => void, session: string): Promise<void> {
    const { body } = await gate.propose({ tool: 'Bash', args: { command }, cwd: work, session })
    expect(body.decision).toMatch(/allow|flag/)
    act()
  }

  async function press(name: string): Promise<void> {
    await page.getByRole('button', { name }).click()
  }

  test('a decision: shown, taken back, linked, and the way back is taken back', async () => {
    writeFileSync(file, 'old')
    await ran('echo new > notes', () => writeFileSync(file, 'new'), 's-one')
    await page.goto(`${gate.url}/#/sessions/s-one`)
    await page.locator('.timeline a').first().click()
    await press('Show what would be taken back')
    await page.getByText(`restore ${file}`).waitFor()
    expect([readFileSync(file, 'utf8'), await violations(page)]).toEqual(['new', []])
    await press('Take it back')
    await page.getByRole('status').getByText('Taken back').waitFor()
    expect(readFileSync(file, 'utf8')).toBe('old')
    await page.getByRole('status').getByRole('link').click()
    await page.getByText('It took back').waitFor()
    await press('Show what would be taken back')
    await press('Take it back')
    await page.getByRole('status').getByText('Taken back').waitFor()
    expect(readFileSync(file, 'utf8')).toBe('new')
  }, 60_000)

  test('what changed since it was shown is not taken back before it is shown again', async () => {
    writeFileSync(file, 'old')
    await ran('echo new > notes', () => writeFileSync(file, 'new'), 's-two')
    await page.goto(`${gate.url}/#/sessions/s-two`)
    await press('Show what would be taken back')
    await page.getByText(`restore ${file}`).waitFor()
    rmSync(file)
    mkdirSync(file)
    rmSync(file, { recursive: true })
    await press('Take it back')
    await page.getByRole('alert').getByText('look again').waitFor()
    await press('Show what would be taken back')
    await page.getByText(`bring back ${file}`).waitFor()
    await press('Take it back')
    await page.getByRole('status').getByText('Taken back').waitFor()
    expect(readFileSync(file, 'utf8')).toBe('old')
  }, 60_000)

  test('a session: everything of it, from its end', async () => {
    writeFileSync(file, '1')
    await ran('echo 2 > notes', () => writeFileSync(file, '2'), 's-three')
    await ran('echo 3 > notes', () => writeFileSync(file, '3'), 's-three')
    await page.goto(`${gate.url}/#/sessions/s-three`)
    await page.getByText('Take back 2 calls').waitFor()
    await press('Show what would be taken back')
    await press('Take it back')
    await page.getByText('Taken back: the record').nth(1).waitFor()
    expect(readFileSync(file, 'utf8')).toBe('1')
  }, 60_000)
})
