/** A real Chromium for the console's tests: every error of a page fails the test, every picture is kept. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/chromium.ts'
import { ROOT } from '../hosts/harness.ts'

const PICTURES = join(ROOT, 'test-results/console')

/** Why there is no browser here; null where there is one. In CI a missing one is a failure. */
export function noBrowser(): string | null {
  if (findChromium() !== null) return null
  if (process.env.CI) throw new Error('CI has no Chromium; `tsx scripts/chromium.ts` installs one')
  return 'no Chromium on this machine; install one, or name it in CHROMIUM_PATH'
}

export async function openBrowser(): Promise<Browser> {
  mkdirSync(PICTURES, { recursive: true })
  return chromium.launch({ executablePath: findChromium() ?? '', headless: true, args: [...CHROMIUM_FLAGS] })
}

export interface Look {
  readonly page: Page
  readonly context: BrowserContext
  /** What the page complained of since the last look. */
  readonly complaints: string[]
}

export interface LookOptions {
  readonly dark?: boolean
  readonly mobile?: boolean
}

/** A browser profile of its own with one page. */
export async function newLook(browser: Browser, { dark = false, mobile = false }: LookOptions = {}): Promise<Look> {
  const context = await browser.newContext({
    viewport: mobile ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    deviceScaleFactor: 1,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    const own = new URL(page.url() === 'about:blank' ? request.url() : page.url()).origin
    if (new URL(request.url()).origin !== own) complaints.push(`asked another origin: ${request.url()}`)
  })
  return { page, context, complaints }
}

/** Keeps a picture as `test-results/console/<name>.png`. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage })
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[]
}

/** Serious and critical violations of accessibility on the page as it stands; of one rule alone where it is named. */
export async function violations(page: Page, rule?: 'color-contrast'): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const options = { resultTypes: ['violations'], ...(rule === undefined ? {} : { runOnly: [rule] }) }
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as { readonly violations: readonly Violation[] }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 4)
          .map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary ?? ''})`)
          .join('; ')}`,
    )
}
