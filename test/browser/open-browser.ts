import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { requirePrograms, unlessLacking } from '../scale/support/installed-programs.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** No requests by the browser: no updates, no synchronisation, no start pages. */
const SWITCHES = [
  // Resolves a foreign host name to this machine, since browsers grant localhost more rights.
  '--host-resolver-rules=MAP recollect.test 127.0.0.1',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The reason why this machine has no browser, or `null`. As root on Debian, a missing browser is
 * installed.
 */
const withoutBrowser = findBrowser() === null ? requirePrograms(['chromium'], ['chromium']) : null

/** A test in a browser; skipped without a browser, or failed where skipping is not allowed. */
export function browserTest(title: string, run: (context: TestContext) => Promise<void>): void {
  test(title, unlessLacking(withoutBrowser), run)
}

/**
 * A headless browser with an empty profile, opened before the tests of a file and closed after
 * them.
 */
export function useBrowser(): () => Browser {
  let browser: Browser | null = null
  before(async () => {
    if (findBrowser() !== null) browser = await launchBrowser()
  })
  after(() => browser?.close())
  return () => {
    if (browser === null) throw new Error(withoutBrowser ?? 'the browser has not been started')
    return browser
  }
}

/**
 * A headless browser with an empty profile; the caller closes the browser. Rejects without a
 * browser.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === null) throw new Error(withoutBrowser ?? 'no browser was found')
  return chromium.launch({ executablePath, args: SWITCHES })
}

function findBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  const named = process.env['CHROMIUM_PATH']
  return [...(named === undefined ? [] : [named]), ...places].find((path) => existsSync(path)) ?? null
}
