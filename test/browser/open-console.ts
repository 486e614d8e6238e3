/**
 * The console in a watched tab: requests may reach only the service and must obey the content
 * security policy.
 */
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** A generous limit for slow shared machines. */
const PATIENCE_MS = 30_000

export type WatchedPage = {
  page: Page
  /**
   * Fails where another host was asked, the page's policy was broken or a script failed; closes the
   * tab.
   */
  close(): Promise<void>
}

/** An empty tab; the caller closes the tab. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, locale: 'en-GB', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const wrong: string[] = []
  let host = ''
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) host = new URL(frame.url()).host
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && host !== '' && url.host !== host) wrong.push(`asked ${request.url()}`)
  })
  page.on('pageerror', (error) => wrong.push(`a script failed: ${error.message}`))
  page.on('dialog', (dialog) => wrong.push(`a dialog opened: ${dialog.message()}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) wrong.push(message.text())
  })
  return {
    page,
    async close() {
      await context.close()
      assert.deepEqual(wrong, [])
    },
  }
}

/** A tab with the console and this key; the caller closes the tab. */
export async function openConsole(
  browser: Browser,
  service: { url: string; key: string },
  options: BrowserContextOptions & { path?: string } = {},
): Promise<WatchedPage> {
  const { path = '', ...rest } = options
  const tab = await openTab(browser, rest)
  await tab.page.goto(`${service.url}/${path}`)
  await signIn(tab.page, service.key)
  return tab
}

/** Types the key and waits until the console is there. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  // The navigation is closed on a narrow screen.
  await page.locator('main#content').waitFor()
}

/** Chooses an entry of the menu that adds documents. */
export async function chooseAdd(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
