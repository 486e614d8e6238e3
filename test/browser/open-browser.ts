import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { requirePrograms, unlessLacking } from '../scale/support/installed-programs.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** It asks for nothing by itself: no updates, no synchronisation, no pages of its own. */
const SWITCHES = [
  // Another machine by its name, for what browsers give to pages of this machine alone.
  '--host-resolver-rules=MAP recollect.test 127.0.0.1',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Why there is no browser on this machine, or `null` when there is one. As root on Debian it is installed where it is missing. */
export const withoutBrowser = findBrowser() === null ? requirePrograms(['chromium'], ['chromium']) : null

/** A test in a browser; left out where there is none, and failed where it may not be left out. */
export function browserTest(title: string, run: () => Promise<void>): void {
  test(title, unlessLacking(withoutBrowser), run)
}

/** The browser of a test file, headless, with an empty profile; started before its tests and closed after them. */
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

/** A headless browser with an empty profile; the caller closes it. Rejects where there is none. */
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
